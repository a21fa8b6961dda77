//! Values that are dropped, and payloads that are lost, because a panic is on its way already.

use crate::engine::frame::Rung;
use crate::engine::payload;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Drops `value`; if that panics, nobody will hear of it but the panic handler.
pub(crate) fn drop_quietly<T>(rung: Rung, value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        lose_payload(rung, payload);
    }
}

pub(crate) fn lose_payload(rung: Rung, payload: Box<dyn Any + Send>) {
    // SAFETY: the thread that unwinds through a fork occupies its ladder.
    unsafe { payload::lose_at(rung, payload) };
}
