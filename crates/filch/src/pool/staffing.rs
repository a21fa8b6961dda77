//! The settings that say which threads a pool has, and what they call.

use super::PoolBuilder;
use std::sync::Arc;

impl PoolBuilder {
    /// Sets whether a pool of n workers has n threads, and not n − 1. A caller of [`Pool::run`](crate::Pool::run)
    /// still works as one of n workers. This is for pools that callers seldom work for: what they do is spawned
    /// ([`Pool::spawn`](crate::Pool::spawn)). Default: no. The schedulers that use the caller only have no threads in
    /// any case.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).own_threads(true).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn(move |_| sender.send(filch::current_worker()).unwrap());
    /// assert_eq!(receiver.recv(), Ok(Some(0)));
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn own_threads(mut self, owns_threads: bool) -> Self {
        self.owns_threads = owns_threads;
        self
    }

    /// Sets whether the calling thread of [`build`](Self::build) becomes the thread of worker 0, until it ends. The
    /// pool starts threads for the other workers. It works for the pool while it is in a run, a join or a wait there,
    /// and when it [yields](crate::yield_now). Functions without a strand that it calls work for this pool, and not
    /// for the global one. This implies [`own_threads`](Self::own_threads). Default: no. The schedulers that use the
    /// caller only ignore it.
    ///
    /// The thread should outlive the pool: a broadcast waits for it. As it works for a pool, it does not wait for the
    /// end of another one that it drops, only for one that it shuts down. The memory of the pool is never freed, and
    /// what is spawned in it after its end may never run. Once the thread has forked, one thread of the pool looks for
    /// work about once a second.
    ///
    /// ```
    /// # std::thread::spawn(|| {
    /// let pool = filch::Pool::builder().workers(2).use_current_thread(true).build()?;
    /// assert_eq!(filch::current_worker(), Some(0));
    /// assert_eq!(pool.run_on_worker(|_| filch::current_worker()), Some(0), "it is there already");
    /// # Ok::<(), filch::PoolError>(())
    /// # }).join().unwrap().unwrap();
    /// ```
    pub fn use_current_thread(mut self, uses: bool) -> Self {
        self.uses_current_thread = uses;
        self
    }

    /// Sets what each thread of the pool calls when it starts, with the index of its worker. The thread works for the
    /// pool meanwhile. Default: nothing. The payload of a panic goes to the
    /// [`unawaited_panic_handler`](Self::unawaited_panic_handler).
    ///
    /// ```
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let (start, exit) = (sender.clone(), sender);
    /// let pool = filch::Pool::builder()
    ///     .workers(2)
    ///     .start_handler(move |worker| start.send(("start", worker)).unwrap())
    ///     .exit_handler(move |worker| exit.send(("exit", worker)).unwrap())
    ///     .build()?;
    /// pool.shutdown();
    /// assert_eq!(receiver.iter().collect::<Vec<_>>(), [("start", 1), ("exit", 1)]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn start_handler(mut self, handler: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.start_handler = Some(Arc::new(handler));
        self
    }

    /// Sets what each thread of the pool calls when it ends, as [`start_handler`](Self::start_handler). What it spawns
    /// may never run.
    pub fn exit_handler(mut self, handler: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.exit_handler = Some(Arc::new(handler));
        self
    }

    /// Sets how many threads the pool may start beyond those of its workers, to work while others are in
    /// [blocking sections](crate::blocking). Default: 128. 0 if nobody is to work meanwhile.
    ///
    /// They are started when they are first needed, and sleep while they are not. They have the same stack size, and
    /// are not bound to processors. The handlers of the start and of the exit are not called for them.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(2).blocking_threads(8).build()?;
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn blocking_threads(mut self, threads: usize) -> Self {
        self.blocking_threads = Some(threads);
        self
    }
}
