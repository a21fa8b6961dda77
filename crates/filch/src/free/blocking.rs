//! Blocking sections, and futures.

use crate::constructs;
use crate::engine::wait;

/// Runs `f`, which may block. Another thread works in place of this one until `f` returns, if there is one.
///
/// A worker that sleeps, reads from a slow device or waits for another process takes a processor from the computation
/// around it. In a blocking section it gives its *seat* away, the right to work for its pool. A caller that waits for
/// one takes it, or a thread that the pool starts for that; so a pool of n workers goes on with n threads that compute.
/// There are at most [`PoolBuilder::blocking_threads`](crate::PoolBuilder::blocking_threads) such threads; if they all
/// block, nobody takes the seat. If the pool has no threads, inside of another section, or outside of any run, this is
/// `f()`. A thread that has entered several pools gives its seats of all of them away.
///
/// When `f` returns, this thread takes a seat again. If all are taken it waits for one, for 5 ms at most, and then goes
/// on without (counted in [`Counters::seats_exceeded`](crate::Counters::seats_exceeded)), because the threads that have
/// the seats may be waiting for a lock that this thread holds.
///
/// `f` is not interrupted if the caller [is cancelled](crate::CancelToken::run).
///
/// Meanwhile other workers get what this thread has forked and spawned, as ever. What is bound to this thread, the part
/// of a [`broadcast`](crate::broadcast), waits for the end of `f`. A lock or a file that is open around a join, in `f`
/// or outside, is as safe as without blocking sections: no other task begins on this thread.
///
/// Work: some microseconds if a thread has to be called, 50 to 100 more if one has to be started.
///
/// # Panics
///
/// If `f` panics.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// let begin = Instant::now();
/// filch::scope(|_, scope| {
///     for _ in 0..32 {
///         scope.spawn(|_| filch::blocking(|| std::thread::sleep(Duration::from_millis(5))));
///     }
/// });
/// println!("{:?}", begin.elapsed()); // about 5 ms, on any number of processors
/// ```
pub fn blocking<R>(f: impl FnOnce() -> R) -> R {
    wait::blocking::blocking(f)
}

/// Waits for a future on this thread, and returns its output. While the future is pending, the thread is in a
/// [blocking section](blocking).
///
/// The future is polled on the calling thread, which works for its pool meanwhile, each time it has been woken. It may
/// be of any executor: it needs no more of this thread than a [`Waker`](std::task::Waker).
///
/// In a pool without threads nobody else could bring about what a future waits for, so there the calling thread
/// [yields](crate::yield_now) before it sleeps.
///
/// If the caller [is cancelled](crate::CancelToken::run) while the future is pending, the future is dropped.
///
/// # Panics
///
/// If the future panics.
///
/// ```
/// let (a, b) = filch::join(
///     || filch::block_on(async { filch::submit(|_| 20).await + 1 }),
///     || 21,
/// );
/// assert_eq!(a + b, 42);
/// ```
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    constructs::block_on(future.into_future())
}
