//! Drops of values and of panic payloads while another panic unwinds.

use crate::engine::team::Team;
use crate::engine::team::Top;
use crate::engine::team::payload;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops `value`. If that panics, the payload goes to the panic handler.
pub(crate) fn drop_quietly<T>(top: &Top<'_>, value: T) {
    top.check();
    drop_quietly_for(top.owner().team(), value);
}

/// [`drop_quietly`], for a caller that has the team and perhaps no ladder.
pub(crate) fn drop_quietly_for<T>(team: &Team, value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        payload::lose(team, payload);
    }
}

/// Disposes of the payload of a panic that cannot be passed on.
#[cold]
pub(crate) fn lose_payload(top: &Top<'_>, payload: Box<dyn Any + Send>) {
    payload::lose(top.owner().team(), payload);
}
