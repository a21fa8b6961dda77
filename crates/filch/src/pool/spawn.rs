//! Detached tasks of a pool.

use super::Pool;
use crate::constructs::{Closure, Handle, Strand, detach, submit};
use crate::engine::detached::Class;
use crate::engine::seats::held_seats;

impl Pool {
    /// Spawns `task` on this pool, and returns at once. No one waits for the task; a thread of the pool runs it at some
    /// time. If a worker of the pool spawns several tasks, it runs the newest first.
    ///
    /// A worker that waits, at a join or at the end of a scope, does not run the task, unless the scheduler says
    /// [`Wait::Any`](crate::Wait::Any). The end of the pool waits for the task.
    ///
    /// **A pool without threads** is one of a single worker (without
    /// [`PoolBuilder::own_threads`](crate::PoolBuilder::own_threads)) or of a scheduler that uses the caller only; and
    /// in a child of `fork(2)`, any pool of its parent. There the task waits until the calling thread is about to leave
    /// the pool, at the end of its outermost run, or until it [yields](crate::yield_now), and the thread runs it then.
    /// So in a run, this may be called under a lock that the task wants, and code that needs what the task does must
    /// yield until it is done. A thread outside of the pool enters it, runs the task and what that spawns, and then
    /// returns; it must hold no such lock. (Under chaos the task may also begin at any fork or spawn.)
    ///
    /// What the task puts into a [`Reducer`](crate::Reducer) is there at the latest when the reducer is taken apart by
    /// [`into_inner`](crate::Reducer::into_inner), after the task.
    ///
    /// Work: as [`Scope::spawn`](crate::Scope::spawn).
    ///
    /// # Panics
    ///
    /// If `task` panics, the payload goes to the pool's
    /// [`unawaited_panic_handler`](crate::PoolBuilder::unawaited_panic_handler).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn(move |mut s| sender.send(s.join(|_| 1, |_| 2)).unwrap());
    /// assert_eq!(receiver.recv(), Ok((1, 2)));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    /// The task may outlive the caller, so it borrows nothing:
    /// ```compile_fail,E0373
    /// let pool = filch::Pool::builder().build().unwrap();
    /// let local = 1;
    /// pool.spawn(|_| println!("{local}"));
    /// ```
    pub fn spawn<F>(&self, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'static,
    {
        self.detach(Class::Lifo, task);
    }

    /// Like [`spawn`](Self::spawn), but a worker runs the tasks that it has spawned in this way in the order in which
    /// it spawned them.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).own_threads(true).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// for i in 0..3 {
    ///     let sender = sender.clone();
    ///     pool.spawn_fifo(move |_| sender.send(i).unwrap());
    /// }
    /// drop(sender);
    /// assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn spawn_fifo<F>(&self, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'static,
    {
        self.detach(Class::Fifo, task);
    }

    /// [Spawns](Self::spawn) `task`, and returns a handle with which its result can be awaited, by a thread or by
    /// asynchronous code.
    ///
    /// Work: as [`spawn`](Self::spawn), and an allocation.
    ///
    /// # Panics
    ///
    /// A panic of `task` is resumed where the handle is joined. If the handle has been dropped when the task panics,
    /// the payload goes to the pool's [`unawaited_panic_handler`](crate::PoolBuilder::unawaited_panic_handler); if it
    /// is dropped later, the payload goes with it.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let handle = pool.submit(|mut s| s.map_reduce(1..=100, || 0, |_, i| i, |a, b| a + b));
    /// assert_eq!(handle.join(), 5050);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn submit<T, F>(&self, task: F) -> Handle<'static, T>
    where
        T: Send + 'static,
        F: FnOnce(Strand<'_>) -> T + Send + 'static,
    {
        self.detaching(|| submit(&self.team, Class::Lifo, task))
    }

    /// [`submit`](Self::submit), for a task that must begin soon though all workers are busy.
    ///
    /// If no worker is free, a thread of the [reserve](crate::PoolBuilder::blocking_threads) runs the task beside
    /// them, and the system divides the processors among them. At most as many urgent tasks run so at a time as the
    /// pool has workers; others wait for one of these, or for a free worker. So urgent tasks get at most half of the
    /// processors, and delay each other only. Without a reserve, and in a pool without threads, this is
    /// [`submit`](Self::submit).
    ///
    /// Work: as [`submit`](Self::submit), and some microseconds to wake a thread, or 50 to 100 to start the first one.
    ///
    /// # Panics
    ///
    /// As [`submit`](Self::submit).
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// let pool = filch::Pool::builder().workers(2).build()?;
    /// let is_over = AtomicBool::new(false);
    /// pool.run(|mut s| s.for_each(0..2, |_, _| {
    ///     // All workers are in a long loop.
    ///     if !is_over.load(Ordering::Relaxed) {
    ///         assert_eq!(pool.submit_urgent(|_| 42).join(), 42);
    ///         is_over.store(true, Ordering::Relaxed);
    ///     }
    /// }));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn submit_urgent<T, F>(&self, task: F) -> Handle<'static, T>
    where
        T: Send + 'static,
        F: FnOnce(Strand<'_>) -> T + Send + 'static,
    {
        self.detaching(|| submit(&self.team, Class::Urgent, task))
    }

    fn detach<F>(&self, class: Class, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'static,
    {
        self.detaching(|| detach(&self.team, class, Closure(task)));
    }

    /// Calls `detach` where this thread runs what that spawns before it leaves the pool, if there are no threads for
    /// it.
    pub(super) fn detaching<R>(&self, detach: impl FnOnce() -> R) -> R {
        if self.team.has_threads() || held_seats::has_entered(&self.team) { detach() } else { self.enter(|_| detach()) }
    }
}
