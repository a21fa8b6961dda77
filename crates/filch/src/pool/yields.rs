//! Yielding to what a pool has to run.

use super::Pool;
use crate::engine::wait::yielding::{Reach, has_pending, yields};

/// What a worker did when it [yielded](crate::yield_now).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// It ran something.
    Executed,
    /// There was nothing that it could run.
    Idle,
}

impl Yield {
    pub(crate) fn within(reach: Reach) -> Option<Self> {
        Some(if yields(reach)? { Yield::Executed } else { Yield::Idle })
    }
}

impl Pool {
    /// [`filch::yield_now`](crate::yield_now), if this thread works for this pool now. Otherwise `None`.
    pub fn yield_now(&self) -> Option<Yield> {
        self.current_worker().and_then(|_| Yield::within(Reach::All))
    }

    /// [`filch::yield_local`](crate::yield_local), if this thread works for this pool now. Otherwise `None`.
    pub fn yield_local(&self) -> Option<Yield> {
        self.current_worker().and_then(|_| Yield::within(Reach::Local))
    }

    /// [`filch::has_pending_tasks`](crate::has_pending_tasks), if this thread works for this pool now. Otherwise
    /// `None`.
    pub fn has_pending_tasks(&self) -> Option<bool> {
        self.current_worker().and_then(|_| has_pending())
    }
}
