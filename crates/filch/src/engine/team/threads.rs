//! The threads of a team: which there are, what they call, and what they stay for.

use crate::engine::spawned::GroupHead;
use std::any::Any;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

/// Called with the payloads of panics that no caller can receive.
pub(crate) type PanicHandler = Arc<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

/// Called with the index of a thread.
pub(crate) type ThreadHandler = Arc<dyn Fn(usize) + Send + Sync>;

/// Starts a thread of the reserve, by its number. Returns false if the system refuses it.
pub(crate) type ReserveStarter = Box<dyn Fn(usize) -> bool + Send + Sync>;

/// The threads of a team. A thread has the index of a worker; it works as that one, if it can.
#[derive(Default)]
pub(crate) struct Threads {
    pub(crate) threads: Range<usize>,
    /// How many threads the reserve has at most, and who starts them, once the team is complete.
    pub(crate) most_in_reserve: usize,
    pub(crate) reserve: OnceLock<ReserveStarter>,
    /// Gets the payloads of panics that cannot be passed on because another one is.
    pub(crate) on_lost_panic: Option<PanicHandler>,
    /// Gets the payloads of panics in what nobody waits for.
    pub(crate) on_unawaited_panic: Option<PanicHandler>,
    /// Called by each thread when it starts.
    pub(crate) on_start: Option<ThreadHandler>,
    /// Called by each thread when it ends.
    pub(crate) on_exit: Option<ThreadHandler>,
}

/// The scopes of the detached tasks of a team, for which its threads stay.
pub(crate) trait Unawaited: Send + Sync {
    /// The scope of each class of tasks.
    fn heads(&self) -> [NonNull<GroupHead>; 3];

    /// Whether all tasks are done.
    fn are_done(&self) -> bool;
}

impl Threads {
    /// The same handlers, and no thread.
    pub(crate) fn without_threads(&self) -> Self {
        Threads {
            on_lost_panic: self.on_lost_panic.clone(),
            on_unawaited_panic: self.on_unawaited_panic.clone(),
            ..Threads::default()
        }
    }
}
