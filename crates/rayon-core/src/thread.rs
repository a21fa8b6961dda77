//! The threads of a pool, and who makes them.

use filch::PoolThread;
use std::fmt;
use std::io;
use std::thread;

/// The least stack with which a thread can look for work, also in a debug build. Systems have such a minimum, too, and
/// the standard library raises smaller sizes to that.
const LEAST_STACK_BYTES: usize = 64 << 10;

/// A thread that is to be started, as [`ThreadPoolBuilder::spawn_handler`](crate::ThreadPoolBuilder::spawn_handler)
/// gets it: it must arrange for [`run`](Self::run) to be called on a new thread.
pub struct ThreadBuilder {
    thread: PoolThread,
    name: Option<String>,
    stack_size: Option<usize>,
}

impl ThreadBuilder {
    pub(crate) fn new(thread: PoolThread, name: Option<String>, stack_size: Option<usize>) -> Self {
        ThreadBuilder { thread, name, stack_size }
    }

    /// The index of the thread in its pool.
    pub fn index(&self) -> usize {
        self.thread.index()
    }

    /// The name that was set for the thread by [`thread_name`](crate::ThreadPoolBuilder::thread_name).
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The stack size that was set by [`stack_size`](crate::ThreadPoolBuilder::stack_size).
    pub fn stack_size(&self) -> Option<usize> {
        self.stack_size
    }

    /// Works for the pool. Returns when the pool has been dropped and all that was spawned into it is done.
    pub fn run(self) {
        self.thread.run();
    }

    /// What the standard library needs to know to make the thread.
    pub(crate) fn builder(&self) -> thread::Builder {
        let mut builder = thread::Builder::new();
        if let Some(name) = &self.name {
            builder = builder.name(name.clone());
        }
        if let Some(bytes) = self.stack_size {
            builder = builder.stack_size(bytes.max(LEAST_STACK_BYTES));
        }
        builder
    }
}

impl fmt::Debug for ThreadBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBuilder")
            .field("index", &self.index())
            .field("name", &self.name)
            .field("stack_size", &self.stack_size)
            .finish_non_exhaustive()
    }
}

/// Starts threads. Programs cannot name this trait, so they cannot implement it.
pub trait ThreadSpawn {
    /// Starts a thread.
    #[doc(hidden)]
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()>;
}

/// Starts threads by the standard library.
#[derive(Debug, Default)]
pub struct DefaultSpawn;

impl ThreadSpawn for DefaultSpawn {
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        thread.builder().spawn(|| thread.run())?;
        Ok(())
    }
}

/// Starts threads by a closure.
#[derive(Debug)]
pub struct CustomSpawn<F>(F);

impl<F: FnMut(ThreadBuilder) -> io::Result<()>> CustomSpawn<F> {
    pub(crate) fn new(spawn: F) -> Self {
        CustomSpawn(spawn)
    }
}

impl<F: FnMut(ThreadBuilder) -> io::Result<()>> ThreadSpawn for CustomSpawn<F> {
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        (self.0)(thread)
    }
}
