//! Panics that nobody is left to receive.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::Rung;
use crate::engine::team::{Ladder, PanicHandler, Team};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Payloads whose drop panics with a payload whose drop panics, and so on, are followed this far, then forgotten.
const NESTED_PAYLOADS: usize = 16;

/// Deals with the payload of a panic that cannot be passed on, because another one is on its way: the pool's panic
/// handler gets it, or else it is dropped. Does not unwind.
#[cold]
pub(crate) fn lose(team: &Team, payload: Box<dyn Any + Send>) {
    match team.panic_handler() {
        Some(handler) => call(handler, payload),
        None => drop_payload(payload),
    }
}

/// A handler that panics ends the process: there is nobody left to tell.
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

/// Deals with the payload of a panic that cannot be passed on, because another one is on its way.
///
/// # Safety
///
/// The caller occupies the ladder that `rung` belongs to.
#[cold]
pub(crate) unsafe fn lose_at(rung: Rung, payload: Box<dyn Any + Send>) {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    lose(unsafe { Ladder::of(rung) }.owner().team(), payload);
}
