//! Questions about the calling thread, and what it can do for its pool.

use crate::environment::MAX_THREADS;
use crate::registry::global;
use filch::is_worker;

/// What a thread has done for its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// It has run a task.
    Executed,
    /// There was none.
    Idle,
}

impl Yield {
    pub(crate) fn of(other: filch::Yield) -> Self {
        match other {
            filch::Yield::Executed => Yield::Executed,
            filch::Yield::Idle => Yield::Idle,
        }
    }
}

/// The index of the calling thread in its pool; `None` if it works for no pool.
///
/// ```
/// assert_eq!(rayon_core::current_thread_index(), None);
/// assert!(rayon_core::scope(|_| rayon_core::current_thread_index()).is_some());
/// ```
#[inline]
pub fn current_thread_index() -> Option<usize> {
    filch::current_worker()
}

/// Whether the calling thread has tasks or forks that no thread has begun. `None` if it works for no pool.
#[inline]
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    filch::has_pending_tasks()
}

/// Runs a task of the pool that the calling thread works for, if there is one. `None` if it works for no pool.
pub fn yield_now() -> Option<Yield> {
    filch::yield_now().map(Yield::of)
}

/// Runs a task that the calling thread has spawned itself, if there is one. `None` if it works for no pool.
pub fn yield_local() -> Option<Yield> {
    filch::yield_local().map(Yield::of)
}

/// The number of threads of the pool that the calling thread works for, or else of the global pool.
pub fn current_num_threads() -> usize {
    if is_worker() { filch::num_workers() } else { global().num_workers() }
}

/// The most threads that a pool can have. A larger number is reduced to it.
pub fn max_num_threads() -> usize {
    MAX_THREADS
}
