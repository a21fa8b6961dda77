//! Broadcasts: one task for each worker of a pool.

use crate::constructs::detached::detach;
use crate::constructs::scope::{Closure, Scope};
use crate::constructs::strand::Strand;
use crate::engine::detached::Class;
use crate::engine::seats::inlet;
use crate::engine::team::Team;
use crate::sync::lock;
use std::sync::{Arc, Mutex, PoisonError};

/// Which of the tasks of a broadcast a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    index: usize,
    workers: usize,
}

impl Broadcast {
    /// The index of the worker that the task is for.
    pub fn index(self) -> usize {
        self.index
    }

    /// The number of workers of the pool, and so of tasks.
    pub fn num_workers(self) -> usize {
        self.workers
    }

    /// First those that only one thread may run. A thread that had begun one that anybody may run would come late to
    /// its own.
    fn all(team: &Team) -> impl Iterator<Item = Broadcast> {
        let workers = team.ladders().len();
        let of = move |has_thread| (0..workers).filter(move |&index| team.has_thread(index) == has_thread);
        of(true).chain(of(false)).map(move |index| Broadcast { index, workers })
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Spawns a task for each worker of the scope's pool, which calls `task`. The thread of the worker runs it. If a
    /// worker has no thread, as has the one whose part the caller of a run plays, any worker runs its task.
    ///
    /// A thread runs its task as soon as it has nothing to do, or waits at a join or at the end of a scope. It does so
    /// whatever it waits for, because no other thread can. So code that holds a lock across a join may find itself
    /// below a task that wants the lock. An inlet, or a look at the state of a speculation, is such code, and a thread
    /// that wants the state does not come to its task; so they must not broadcast, except by
    /// [`Pool::spawn_broadcast`](crate::Pool::spawn_broadcast), for which nobody waits.
    ///
    /// Work: that of a [`spawn`](Self::spawn) and a wake-up for each worker, and one allocation.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn). If this thread is in an inlet, or looks at the state of a speculation.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let seen = std::sync::Mutex::new(vec![]);
    /// pool.run(|mut s| s.scope(|_, scope| {
    ///     scope.spawn_broadcast(|_, to| seen.lock().unwrap().push(to.index()));
    /// }));
    /// let mut seen = seen.into_inner().unwrap();
    /// seen.sort();
    /// assert_eq!(seen, [0, 1]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    /// What `task` captures is shared between threads:
    /// ```compile_fail,E0277
    /// let local = std::cell::Cell::new(1);
    /// filch::scope(|_, scope| scope.spawn_broadcast(|_, _| local.set(2)));
    /// ```
    pub fn spawn_broadcast<F>(&'scope self, task: F)
    where
        F: Fn(Strand<'_>, Broadcast) + Send + Sync + 'scope,
    {
        inlet::must_be_outside();
        self.spawn_calls(task);
    }

    fn spawn_calls<F>(&'scope self, task: F)
    where
        F: Fn(Strand<'_>, Broadcast) + Send + Sync + 'scope,
    {
        if self.is_cancelled() {
            return;
        }
        let task = Arc::new(task);
        for to in Broadcast::all(self.core().team()) {
            let task = Arc::clone(&task);
            // SAFETY: what is borrowed for `'scope` lives until the scope has been finished. Only the body of the
            // scope, its tasks, and what they await can have this reference, as in `spawn`.
            let task = unsafe { self.core().task(Closure(move |s: Strand<'_>| task(s, to))) };
            self.core().spawn_bound(task, to.index);
        }
    }
}

impl Strand<'_> {
    /// Calls `f` once for each worker of this strand's pool, on the thread of that worker, and returns the results by
    /// the index of the worker.
    ///
    /// [`Scope::spawn_broadcast`] says which thread runs what, and when.
    ///
    /// # Panics
    ///
    /// If `f` panics, with the payload of the first panic, when all calls that have begun are over. If this thread is
    /// in an inlet, or looks at the state of a speculation.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(3).build()?;
    /// assert_eq!(pool.run(|mut s| s.broadcast(|_, to| to.index() * to.index())), [0, 1, 4]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn broadcast<F, R>(&mut self, f: F) -> Vec<R>
    where
        F: Fn(Strand<'_>, Broadcast) -> R + Sync,
        R: Send,
    {
        collect(&f, |task| self.scope(|_, scope| scope.spawn_broadcast(task)))
    }
}

/// Lets `spread` broadcast a task that calls `f`, and wait for it. Returns the results by the index of the worker.
pub(crate) fn collect<F, R>(f: &F, spread: impl FnOnce(&(dyn Fn(Strand<'_>, Broadcast) + Sync))) -> Vec<R>
where
    F: Fn(Strand<'_>, Broadcast) -> R + Sync,
    R: Send,
{
    let results = Mutex::new(Vec::new());
    spread(&|s, to| {
        let result = f(s, to);
        lock(&results).push((to.index, result));
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Spawns a detached task for each worker of `team`. Where no thread would come for them, one task makes all of the
/// calls.
pub(crate) fn detach_broadcast<F>(team: &Team, task: F)
where
    F: Fn(Strand<'_>, Broadcast) + Send + Sync + 'static,
{
    if !team.has_threads() {
        let calls = move |mut s: Strand<'_>| s.scope(|_, scope| scope.spawn_calls(&task));
        return detach(team, Class::Lifo, Closure(calls));
    }
    let task = Arc::new(task);
    for to in Broadcast::all(team) {
        let task = Arc::clone(&task);
        team.spawn_detached_bound(to.index, Closure(move |s: Strand<'_>| task(s, to)));
    }
}
