//! The deprecated names of the builder.
#![allow(deprecated)]

use crate::builder::ThreadPoolBuilder;
use crate::thread_pool::ThreadPool;
use crate::unwind::Payload;
use std::error::Error;

/// The settings of a pool, under an old name. [`ThreadPoolBuilder`] has the same methods.
#[deprecated(note = "Use `ThreadPoolBuilder`")]
#[derive(Debug, Default)]
pub struct Configuration {
    builder: ThreadPoolBuilder,
}

impl Configuration {
    /// Default settings.
    pub fn new() -> Configuration {
        Self::default()
    }

    /// [`ThreadPoolBuilder::build`].
    pub fn build(self) -> Result<ThreadPool, Box<dyn Error + 'static>> {
        Ok(self.builder.build()?)
    }

    /// [`ThreadPoolBuilder::thread_name`].
    pub fn thread_name<F>(self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        Configuration { builder: self.builder.thread_name(closure) }
    }

    /// [`ThreadPoolBuilder::num_threads`].
    pub fn num_threads(self, num_threads: usize) -> Configuration {
        Configuration { builder: self.builder.num_threads(num_threads) }
    }

    /// [`ThreadPoolBuilder::panic_handler`].
    pub fn panic_handler<H>(self, panic_handler: H) -> Configuration
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        Configuration { builder: self.builder.panic_handler(panic_handler) }
    }

    /// [`ThreadPoolBuilder::stack_size`].
    pub fn stack_size(self, stack_size: usize) -> Self {
        Configuration { builder: self.builder.stack_size(stack_size) }
    }

    /// [`ThreadPoolBuilder::breadth_first`].
    pub fn breadth_first(self) -> Self {
        Configuration { builder: self.builder.breadth_first() }
    }

    /// [`ThreadPoolBuilder::start_handler`].
    pub fn start_handler<H>(self, start_handler: H) -> Configuration
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        Configuration { builder: self.builder.start_handler(start_handler) }
    }

    /// [`ThreadPoolBuilder::exit_handler`].
    pub fn exit_handler<H>(self, exit_handler: H) -> Configuration
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        Configuration { builder: self.builder.exit_handler(exit_handler) }
    }
}

impl ThreadPool {
    /// [`ThreadPoolBuilder::build`], under an old name.
    #[deprecated(note = "Use `ThreadPoolBuilder::build`")]
    pub fn new(configuration: Configuration) -> Result<ThreadPool, Box<dyn Error>> {
        configuration.build()
    }
}

/// [`ThreadPoolBuilder::build_global`], under an old name.
#[deprecated(note = "use `ThreadPoolBuilder::build_global`")]
pub fn initialize(config: Configuration) -> Result<(), Box<dyn Error>> {
    Ok(config.builder.build_global()?)
}
