//! Drops of values and of panic payloads while another panic unwinds.

use crate::engine::team::payload;
use crate::engine::team::{Occupied, Team, Top};
use std::any::Any;
use std::mem::ManuallyDrop;
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

/// A value that is [dropped quietly](drop_quietly) if the code that is to take it unwinds.
pub(crate) struct Quiet<'l, T> {
    at: Occupied<'l>,
    value: ManuallyDrop<T>,
}

impl<'l, T> Quiet<'l, T> {
    #[inline(always)]
    pub(crate) fn new(at: Occupied<'l>, value: T) -> Self {
        Quiet { at, value: ManuallyDrop::new(value) }
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        &self.value
    }

    #[inline(always)]
    pub(crate) fn take(self) -> T {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again.
        unsafe { ManuallyDrop::take(&mut this.value) }
    }
}

impl<T> Drop for Quiet<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        drop_quietly(&self.at.top(), unsafe { ManuallyDrop::take(&mut self.value) });
    }
}
