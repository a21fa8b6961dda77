//! Panics that nobody is left to receive.

use super::abort::AbortOnUnwind;
use super::{PanicHandler, Team};
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
