//! Panics that no caller can receive.

use crate::engine::cancel::is_end;
use crate::engine::team::Team;
use crate::engine::team::threads::PanicHandler;
use crate::sync::abort::AbortOnUnwind;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The drop of a payload may panic with a payload whose drop panics, and so on. At most this many are dropped; the next
/// one is leaked.
const NESTED_PAYLOADS: usize = 16;

/// Disposes of the payload of a panic that cannot be passed on, because another one is being passed on. The pool's
/// panic handler gets it, or it is dropped. Does not unwind.
#[cold]
pub(crate) fn lose(team: &Team, payload: Box<dyn Any + Send>) {
    if is_end(&*payload) {
        // Nothing has gone wrong.
        return;
    }
    match &team.threads.on_lost_panic {
        Some(handler) => call(handler, payload),
        None => drop_payload(payload),
    }
}

/// Disposes of the payload of a panic in code that nobody waits for: a detached task, or a handler of a thread. Does
/// not unwind.
#[cold]
pub(crate) fn lose_unawaited(team: &Team, payload: Box<dyn Any + Send>) {
    match &team.threads.on_unawaited_panic {
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
