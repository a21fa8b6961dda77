//! Panics that no caller can receive.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::crew::PanicHandler;
use crate::engine::frame::Rung;
use crate::engine::team::{Ladder, Team};
use crate::engine::user_code::before_user_code;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The drop of a payload may panic with a payload whose drop panics, and so on. At most this many are dropped; the next
/// one is leaked.
const NESTED_PAYLOADS: usize = 16;

/// Disposes of the payload of a panic that cannot be passed on, because another one is being passed on. The pool's
/// panic handler gets it, or it is dropped. Does not unwind.
#[cold]
pub(crate) fn lose(team: &Team, payload: Box<dyn Any + Send>) {
    match &team.crew.on_lost_panic {
        Some(handler) => call(handler, payload),
        None => drop_payload(payload),
    }
}

/// Disposes of the payload of a panic in code that nobody waits for: a detached task, or a handler of a thread. Does
/// not unwind.
#[cold]
pub(crate) fn lose_unawaited(team: &Team, payload: Box<dyn Any + Send>) {
    match &team.crew.on_unawaited_panic {
        Some(handler) => call(handler, payload),
        None => lose(team, payload),
    }
}

/// Calls the handler. If the handler panics, the process aborts, because no one is left to receive that panic.
fn call(handler: &PanicHandler, payload: Box<dyn Any + Send>) {
    let abort = AbortOnUnwind::arm();
    handler(payload);
    abort.disarm();
}

fn drop_payload(mut payload: Box<dyn Any + Send>) {
    for _ in 0..NESTED_PAYLOADS {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(next) => payload = next,
        }
    }
    std::mem::forget(payload);
}

/// [`lose`], for a caller that has a rung and not the team.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
pub(crate) unsafe fn lose_at(rung: Rung, payload: Box<dyn Any + Send>) {
    // SAFETY: guaranteed by the caller.
    unsafe { before_user_code(rung) };
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    lose(unsafe { Ladder::of(rung) }.owner().team(), payload);
}
