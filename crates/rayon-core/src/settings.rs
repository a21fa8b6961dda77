//! What a pool is made from, and how a pool of Filch is made from it.

use crate::build_error::ThreadPoolBuildError;
use crate::environment;
use crate::thread::{DefaultSpawn, ThreadBuilder, ThreadSpawn};
use crate::unwind::Payload;
use filch::{Pool, Scheduler};
use std::fmt;
use std::io;

/// A closure that gets payloads of panics that cannot be passed on.
pub(crate) type PanicHandler = Box<dyn Fn(Payload) + Send + Sync>;

/// A closure that is called with the index of a thread when the thread starts or ends.
pub(crate) type ThreadHandler = Box<dyn Fn(usize) + Send + Sync>;

/// What a pool is made from.
pub(crate) struct Settings<S> {
    /// 0: as many as the environment says.
    pub(crate) num_threads: usize,
    pub(crate) uses_current_thread: bool,
    pub(crate) panic_handler: Option<PanicHandler>,
    pub(crate) thread_name: Option<Box<dyn FnMut(usize) -> String>>,
    pub(crate) stack_size: Option<usize>,
    pub(crate) start_handler: Option<ThreadHandler>,
    pub(crate) exit_handler: Option<ThreadHandler>,
    /// Only for those who ask.
    pub(crate) breadth_first: bool,
    pub(crate) spawn: S,
}

impl<S: ThreadSpawn> Settings<S> {
    pub(crate) fn build(self) -> Result<Pool, ThreadPoolBuildError> {
        let Settings { panic_handler, mut thread_name, stack_size, mut spawn, .. } = self;
        let scheduler = environment::scheduler()?;
        let threads = match self.num_threads {
            // The one scheduler whose pools have one worker.
            _ if scheduler == Scheduler::serial() => 1,
            0 => environment::num_threads(),
            threads => threads,
        };
        let mut builder = Pool::builder()
            .workers(threads.min(environment::MAX_THREADS))
            .own_threads(true)
            .use_current_thread(self.uses_current_thread)
            .scheduler(scheduler)
            .unawaited_panic_handler(panic_handler.unwrap_or_else(|| Box::new(abort)));
        if let Some(handler) = self.start_handler {
            builder = builder.start_handler(handler);
        }
        if let Some(handler) = self.exit_handler {
            builder = builder.exit_handler(handler);
        }
        let spawn = |thread: filch::PoolThread| -> io::Result<()> {
            let name = thread_name.as_mut().map(|name| name(thread.index()));
            spawn.spawn(ThreadBuilder::new(thread, name, stack_size))
        };
        builder.build_with(spawn).map_err(ThreadPoolBuildError::of)
    }
}

impl Default for Settings<DefaultSpawn> {
    fn default() -> Self {
        Settings {
            num_threads: 0,
            uses_current_thread: false,
            panic_handler: None,
            thread_name: None,
            stack_size: None,
            start_handler: None,
            exit_handler: None,
            breadth_first: false,
            spawn: DefaultSpawn,
        }
    }
}

impl<S> Settings<S> {
    /// The same settings with another way to start threads.
    pub(crate) fn with_spawn<T>(self, spawn: T) -> Settings<T> {
        Settings {
            num_threads: self.num_threads,
            uses_current_thread: self.uses_current_thread,
            panic_handler: self.panic_handler,
            thread_name: self.thread_name,
            stack_size: self.stack_size,
            start_handler: self.start_handler,
            exit_handler: self.exit_handler,
            breadth_first: self.breadth_first,
            spawn,
        }
    }
}

impl<S> fmt::Debug for Settings<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadPoolBuilder")
            .field("num_threads", &self.num_threads)
            .field("use_current_thread", &self.uses_current_thread)
            .field("thread_name", &self.thread_name.is_some())
            .field("panic_handler", &self.panic_handler.is_some())
            .field("stack_size", &self.stack_size)
            .field("start_handler", &self.start_handler.is_some())
            .field("exit_handler", &self.exit_handler.is_some())
            .field("breadth_first", &self.breadth_first)
            .finish()
    }
}

/// What happens to a panic that nobody would learn of. The panic hook has printed its message.
fn abort(_: Payload) {
    std::process::abort();
}
