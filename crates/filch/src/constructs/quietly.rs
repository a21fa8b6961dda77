//! Drops of values and of panic payloads while another panic unwinds.

use crate::engine::frame::Rung;
use crate::engine::payload;
use crate::engine::team::{Occupied, Team};
use crate::engine::user_code::before_user_code;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops `value`. If that panics, the payload goes to the panic handler.
pub(crate) fn drop_quietly<T>(rung: Rung, value: T) {
    // SAFETY: callers pass a rung of the ladder that this thread occupies.
    unsafe { before_user_code(rung) };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        lose_payload(rung, payload);
    }
}

/// [`drop_quietly`], for a caller that has the team and perhaps no rung.
pub(crate) fn drop_quietly_for<T>(team: &Team, value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        payload::lose(team, payload);
    }
}

/// Drops `value`. If that panics, the payload goes to the panic handler of the pool of `at`.
pub(crate) fn drop_quietly_at<T>(at: Occupied<'_>, value: T) {
    drop_quietly_for(at.owner().team(), value);
}

#[cold]
pub(crate) fn lose_payload_at(at: Occupied<'_>, payload: Box<dyn Any + Send>) {
    payload::lose(at.owner().team(), payload);
}

pub(crate) fn lose_payload(rung: Rung, payload: Box<dyn Any + Send>) {
    // SAFETY: callers pass a rung of the ladder that this thread occupies.
    unsafe { payload::lose_at(rung, payload) };
}
