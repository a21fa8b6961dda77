//! Broadcasts without a strand.

use super::run::{global, here};
use crate::constructs::{Broadcast, Strand, detach_broadcast};
use crate::engine::seats::current;

/// Calls `f` once for each worker of the pool that this thread works for or, outside of any run, of the global pool.
/// Returns the results by the index of the worker: [`Pool::broadcast`](crate::Pool::broadcast).
///
/// ```
/// let workers = filch::broadcast(|_, to| to.index());
/// assert_eq!(workers, (0..filch::num_workers()).collect::<Vec<_>>());
/// ```
///
/// # Panics
///
/// As [`Strand::broadcast`]. Outside of any run, also as [`run`](crate::run).
pub fn broadcast<F, R>(f: F) -> Vec<R>
where
    F: Fn(Strand<'_>, Broadcast) -> R + Send + Sync,
    R: Send,
{
    if current::hint().is_none() {
        return global().broadcast(f);
    }
    here(|mut s| s.broadcast(f))
}

/// Spawns a detached task for each worker of the pool that this thread works for or, outside of any run, of the global
/// pool: [`Pool::spawn_broadcast`](crate::Pool::spawn_broadcast).
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn_broadcast(move |_, to| sender.send(to.index()).unwrap());
/// assert_eq!(receiver.iter().count(), filch::num_workers());
/// ```
///
/// # Panics
///
/// As [`spawn`](crate::spawn).
pub fn spawn_broadcast<F>(task: F)
where
    F: Fn(Strand<'_>, Broadcast) + Send + Sync + 'static,
{
    current::with(|here| match here.map(|here| here.owner().team()) {
        None => global().spawn_broadcast(task),
        Some(team) => detach_broadcast(team, task),
    });
}
