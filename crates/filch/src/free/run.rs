//! Runs, and where a thread is working.

use crate::constructs::Strand;
use crate::engine::current;
use crate::engine::share::way;
use crate::pool::Pool;

/// Runs `f` with a strand on the [global pool](Pool::global); the caller works too.
///
/// Inside a run of whatever pool, this is [`Pool::run`] of the global one. What moves in and out must be `Send`.
///
/// ```
/// assert_eq!(filch::run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::run(|_| *local);
/// ```
/// ```compile_fail,E0277
/// filch::run(|_| std::rc::Rc::new(1));
/// ```
///
/// # Panics
///
/// If `f` does, or if the environment's settings for the global pool are bad or its threads cannot be started; the
/// message says which. Call [`Pool::global`] first to get that as an error.
pub fn run<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    global().run(f)
}

/// The index of the worker that this thread is working as, below [`num_workers`]; `None` outside of runs.
///
/// No two threads that work for a pool have the same, but for those that have gone without a seat
/// ([`Counters::seats_exceeded`](crate::Counters::seats_exceeded)): these have 0.
pub fn current_worker() -> Option<usize> {
    current::seat()
}

/// The number of workers of the pool that this thread is working for, or else of the global pool.
///
/// # Panics
///
/// As [`run`], where it comes to the global pool.
pub fn num_workers() -> usize {
    current::with_ladder(|ladder| ladder.map(|ladder| ladder.owner().num_workers()))
        .unwrap_or_else(|| global().num_workers())
}

/// Runs `f` where this thread is: with a strand of the ladder that it works on, or else on the global pool.
pub(super) fn here<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    let Some(hint) = current::hint() else { return run(f) };
    // SAFETY: a thread with a hint occupies the hint's ladder.
    let top = unsafe { way::top_from(hint) };
    // SAFETY: as above; nobody pops below the top before `f` has returned.
    f(unsafe { Strand::at(top) })
}

fn global() -> &'static Pool {
    Pool::global().unwrap_or_else(|error| panic!("the global pool: {error}"))
}
