//! Broadcasts to the workers of a pool.

use super::Pool;
use crate::constructs::{Broadcast, Strand, collect, detach_broadcast};

impl Pool {
    /// Calls `f` once for each worker of this pool, on the thread of that worker, and returns the results by the index
    /// of the worker: [`Strand::broadcast`]. A caller that does not work for the pool waits as it does for
    /// [`run_on_worker`](Self::run_on_worker).
    ///
    /// # Panics
    ///
    /// As [`Strand::broadcast`].
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(3).own_threads(true).build()?;
    /// let workers = pool.broadcast(|_, _| filch::current_worker().unwrap());
    /// assert_eq!(workers, [0, 1, 2]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn broadcast<F, R>(&self, f: F) -> Vec<R>
    where
        F: Fn(Strand<'_>, Broadcast) -> R + Sync,
        R: Send,
    {
        collect(&f, |task| self.scope_in_place(|scope| scope.spawn_broadcast(task)))
    }

    /// Spawns a [detached](Self::spawn) task for each worker of this pool, which calls `task`. The thread of the worker
    /// runs it: [`Scope::spawn_broadcast`](crate::Scope::spawn_broadcast).
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn_broadcast(move |_, to| sender.send(to.index()).unwrap());
    /// let mut seen: Vec<_> = receiver.iter().collect();
    /// seen.sort();
    /// assert_eq!(seen, [0, 1]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn spawn_broadcast<F>(&self, task: F)
    where
        F: Fn(Strand<'_>, Broadcast) + Send + Sync + 'static,
    {
        self.detaching(|| detach_broadcast(&self.team, task));
    }
}
