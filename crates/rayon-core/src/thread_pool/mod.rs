//! Thread pools of a program's own.
//!
//! [`here`] asks the same questions about the calling thread, without a pool.

pub(crate) mod here;

use self::here::Yield;
use crate::broadcast::{BroadcastContext, broadcast_in, in_context};
use crate::fifo::ticket;
use crate::join::join;
use crate::scope::{Scope, ScopeFifo, in_place_scope_fifo_of, in_place_scope_of, scope, scope_fifo};
use filch::Pool;
use std::fmt;

/// Threads that share work. [`ThreadPoolBuilder`](crate::ThreadPoolBuilder) makes it.
///
/// When the pool is dropped, its threads finish what has been spawned into it, and end. Nobody waits for that.
pub struct ThreadPool {
    /// `None` while it is dropped.
    pool: Option<Pool>,
}

impl ThreadPool {
    pub(crate) fn of(pool: Pool) -> Self {
        ThreadPool { pool: Some(pool) }
    }

    fn pool(&self) -> &Pool {
        self.pool.as_ref().expect("a pool is there until it is dropped")
    }

    /// Calls `op` on a thread of this pool and returns its result. In `op`, [`join()`], [`scope()`], [`spawn`] and
    /// parallel iterators use this pool.
    ///
    /// A thread of another pool does other work of that pool while it waits.
    ///
    /// [`spawn`]: crate::spawn()
    ///
    /// # Panics
    ///
    /// If `op` panics.
    pub fn install<OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce() -> R + Send,
        R: Send,
    {
        self.pool().run_on_worker(|_| op())
    }

    /// Calls `op` once on each thread of this pool: [`broadcast`](crate::broadcast()) in this pool.
    ///
    /// # Panics
    ///
    /// If one of the calls panics.
    pub fn broadcast<OP, R>(&self, op: OP) -> Vec<R>
    where
        OP: Fn(BroadcastContext<'_>) -> R + Sync,
        R: Send,
    {
        broadcast_in(self.pool(), op)
    }

    /// The number of threads of this pool.
    #[inline]
    pub fn current_num_threads(&self) -> usize {
        self.pool().num_workers()
    }

    /// The index of the calling thread in this pool, if it is one of its threads. It stays the same while the thread
    /// lives, and is less than the number of threads.
    #[inline]
    pub fn current_thread_index(&self) -> Option<usize> {
        self.pool().current_worker()
    }

    /// Whether the calling thread has tasks or forks that no thread has begun. `None` if it is no thread of this pool.
    #[inline]
    pub fn current_thread_has_pending_tasks(&self) -> Option<bool> {
        self.pool().has_pending_tasks()
    }

    /// Runs both closures in this pool: [`join()`] inside of [`install`](Self::install).
    ///
    /// # Panics
    ///
    /// As [`join()`].
    pub fn join<A, B, RA, RB>(&self, oper_a: A, oper_b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.install(|| join(oper_a, oper_b))
    }

    /// Opens a scope in this pool: [`scope()`] inside of [`install`](Self::install).
    ///
    /// # Panics
    ///
    /// As [`scope()`].
    pub fn scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope(op))
    }

    /// Opens a scope in this pool: [`scope_fifo()`] inside of [`install`](Self::install).
    ///
    /// # Panics
    ///
    /// As [`scope()`].
    pub fn scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope_fifo(op))
    }

    /// Opens a scope whose tasks run in this pool. `op` runs on the calling thread.
    ///
    /// # Panics
    ///
    /// As [`scope()`].
    pub fn in_place_scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R,
    {
        in_place_scope_of(self.pool(), op)
    }

    /// Like [`in_place_scope`](Self::in_place_scope), with the order of [`scope_fifo()`].
    ///
    /// # Panics
    ///
    /// As [`scope()`].
    pub fn in_place_scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R,
    {
        in_place_scope_fifo_of(self.pool(), op)
    }

    /// Spawns a task into this pool, as [`spawn`](crate::spawn()) does.
    pub fn spawn<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        self.pool().spawn(|_| op());
    }

    /// Spawns a task into this pool, as [`spawn_fifo`](crate::spawn_fifo()) does.
    pub fn spawn_fifo<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        if self.current_thread_index().is_some() {
            let ticket = ticket(op);
            self.pool().spawn(|_| ticket());
        } else {
            self.pool().spawn_fifo(|_| op());
        }
    }

    /// Spawns a call of `op` on each thread of this pool, as [`spawn_broadcast`](crate::spawn_broadcast()) does.
    pub fn spawn_broadcast<OP>(&self, op: OP)
    where
        OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
    {
        self.pool().spawn_broadcast(in_context(op));
    }

    /// Runs a task of this pool, if there is one. `None` if the calling thread is no thread of this pool.
    pub fn yield_now(&self) -> Option<Yield> {
        self.pool().yield_now().map(Yield::of)
    }

    /// Runs a task that the calling thread has spawned itself, if there is one. `None` if it is no thread of this pool.
    pub fn yield_local(&self) -> Option<Yield> {
        self.pool().yield_local().map(Yield::of)
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.release();
        }
    }
}

impl fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadPool").field("num_threads", &self.current_num_threads()).finish_non_exhaustive()
    }
}
