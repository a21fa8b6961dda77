//! Settings of a pool.

use crate::build_error::ThreadPoolBuildError;
use crate::registry::build_global;
use crate::settings::Settings;
use crate::thread::{CustomSpawn, DefaultSpawn, ThreadBuilder, ThreadSpawn};
use crate::thread_pool::ThreadPool;
use crate::unwind::Payload;
use std::fmt;
use std::io;

/// Settings for a [`ThreadPool`] or for the global pool.
///
/// ```
/// let pool = rayon_core::ThreadPoolBuilder::new().num_threads(2).build()?;
/// assert_eq!(pool.install(rayon_core::current_num_threads), 2);
/// # Ok::<(), rayon_core::ThreadPoolBuildError>(())
/// ```
pub struct ThreadPoolBuilder<S = DefaultSpawn> {
    settings: Settings<S>,
}

impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        ThreadPoolBuilder { settings: Settings::default() }
    }
}

impl ThreadPoolBuilder {
    /// Default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool for the time of a call. Each of its threads calls `wrapper`, which should call
    /// [`ThreadBuilder::run`] and may borrow what outlives this call. `with_pool` gets the pool.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    ///
    /// ```
    /// let names = std::sync::Mutex::new(vec![]);
    /// let sum = rayon_core::ThreadPoolBuilder::new().num_threads(2).build_scoped(
    ///     |thread| {
    ///         names.lock().unwrap().push(thread.index());
    ///         thread.run();
    ///     },
    ///     |pool| pool.join(|| 1, || 2),
    /// )?;
    /// assert_eq!((sum, names.into_inner().unwrap().len()), ((1, 2), 2));
    /// # Ok::<(), rayon_core::ThreadPoolBuildError>(())
    /// ```
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        std::thread::scope(|scope| {
            let spawn = |thread: ThreadBuilder| {
                thread.builder().spawn_scoped(scope, || wrapper(thread))?;
                Ok(())
            };
            let pool = self.spawn_handler(spawn).build()?;
            Ok(with_pool(&pool))
        })
    }
}

impl<S> ThreadPoolBuilder<S>
where
    S: ThreadSpawn,
{
    /// Starts a pool.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread, or the spawn handler returns an error. The [`source`](std::error::Error::source)
    /// is then that error, with its own number (`raw_os_error`), and the message says which thread it was. Also if a
    /// variable of the environment makes no sense, or the calling thread is to be a part of the pool and is already a
    /// part of another one.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        self.settings.build().map(ThreadPool::of)
    }

    /// Starts the global pool with these settings. Without this call it starts when it is needed first, with default
    /// settings.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build), and if the global pool has been started already.
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        build_global(self.settings)
    }
}

impl<S> ThreadPoolBuilder<S> {
    /// Sets a closure that starts the threads of the pool. It gets a [`ThreadBuilder`] for each, and must arrange for
    /// [`ThreadBuilder::run`] to be called on a new thread.
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        ThreadPoolBuilder { settings: self.settings.with_spawn(CustomSpawn::new(spawn)) }
    }

    /// Sets the names of the threads, by their indices. Without this call, they have none.
    pub fn thread_name<F>(mut self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.settings.thread_name = Some(Box::new(closure));
        self
    }

    /// Sets the number of threads. 0, the default: `RAYON_NUM_THREADS` if that is a positive number, else as many as
    /// this process can run at once. At most [`max_num_threads`](crate::max_num_threads).
    pub fn num_threads(mut self, num_threads: usize) -> Self {
        self.settings.num_threads = num_threads;
        self
    }

    /// Makes the calling thread thread 0 of the pool, for as long as it lives. It runs tasks of the pool only while it
    /// is inside a call that waits for some, or yields.
    pub fn use_current_thread(mut self) -> Self {
        self.settings.uses_current_thread = true;
        self
    }

    /// Sets what gets the payload of a panic that cannot be passed on, such as that of a task of
    /// [`spawn`](crate::spawn()). Without a handler, such a panic aborts the process; a panic of the handler does, too.
    pub fn panic_handler<H>(mut self, panic_handler: H) -> Self
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        self.settings.panic_handler = Some(Box::new(panic_handler));
        self
    }

    /// Sets the stack size of the threads, in bytes. Default: that of the standard library.
    pub fn stack_size(mut self, stack_size: usize) -> Self {
        self.settings.stack_size = Some(stack_size);
        self
    }

    /// A hint that tasks should run in the order in which they are spawned. As the original's documentation allows, it
    /// has no effect.
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for similar effect")]
    pub fn breadth_first(mut self) -> Self {
        self.settings.breadth_first = true;
        self
    }

    /// Sets what each thread calls with its index before it does anything else. A panic goes to the panic handler.
    pub fn start_handler<H>(mut self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.settings.start_handler = Some(Box::new(start_handler));
        self
    }

    /// Sets what each thread calls with its index when it has nothing more to do. A panic goes to the panic handler.
    pub fn exit_handler<H>(mut self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.settings.exit_handler = Some(Box::new(exit_handler));
        self
    }
}

impl<S> fmt::Debug for ThreadPoolBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}
