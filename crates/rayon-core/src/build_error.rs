//! Why a pool could not be built.

use filch::PoolError;
use std::error::Error;
use std::fmt;
use std::io;

/// Why a thread pool could not be built.
#[derive(Debug)]
pub struct ThreadPoolBuildError {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    GlobalPoolAlreadyInitialized,
    CurrentThreadAlreadyInPool,
    /// The error of whoever was to start the thread: the system, or the program's spawn handler.
    Spawn {
        /// From 1.
        number: usize,
        threads: usize,
        source: io::Error,
    },
    Io(io::Error),
}

impl ThreadPoolBuildError {
    pub(crate) fn global_pool_already_initialized() -> Self {
        ThreadPoolBuildError { kind: Kind::GlobalPoolAlreadyInitialized }
    }

    /// What cannot be had as it was asked for. `reason` says which setting, and what was expected.
    pub(crate) fn setting(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::io(io::ErrorKind::InvalidInput, reason)
    }

    fn io(kind: io::ErrorKind, reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        ThreadPoolBuildError { kind: Kind::Io(io::Error::new(kind, reason)) }
    }

    /// What Filch says, in rayon's words.
    pub(crate) fn of(error: PoolError) -> Self {
        match error {
            PoolError::CurrentThread => ThreadPoolBuildError { kind: Kind::CurrentThreadAlreadyInPool },
            PoolError::Spawn { number, threads, source, .. } | PoolError::SpawnWith { number, threads, source, .. } => {
                ThreadPoolBuildError { kind: Kind::Spawn { number, threads, source } }
            }
            PoolError::SpawnBeater { source } => ThreadPoolBuildError { kind: Kind::Io(source) },
            PoolError::Memory { .. } => Self::io(io::ErrorKind::OutOfMemory, error),
            error => Self::setting(error),
        }
    }

    /// Whether the system has no threads at all.
    pub(crate) fn is_unsupported(&self) -> bool {
        matches!(&self.kind, Kind::Spawn { source, .. } if source.kind() == io::ErrorKind::Unsupported)
    }
}

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // Programs may compare these two: they are the original's.
            Kind::GlobalPoolAlreadyInitialized => f.pad("The global thread pool has already been initialized."),
            Kind::CurrentThreadAlreadyInPool => f.pad("The current thread is already part of another thread pool."),
            Kind::Spawn { number, threads, source } => {
                write!(f, "could not start thread {number} of {threads}: {source}")
            }
            Kind::Io(error) => error.fmt(f),
        }
    }
}

impl Error for ThreadPoolBuildError {
    #[allow(deprecated)]
    fn description(&self) -> &str {
        match &self.kind {
            Kind::GlobalPoolAlreadyInitialized => "the global thread pool has been initialized before",
            Kind::CurrentThreadAlreadyInPool => "the current thread is a part of another thread pool",
            Kind::Spawn { source: error, .. } | Kind::Io(error) => error.description(),
        }
    }

    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            Kind::GlobalPoolAlreadyInitialized | Kind::CurrentThreadAlreadyInPool => None,
            Kind::Spawn { source: error, .. } | Kind::Io(error) => Some(error),
        }
    }
}
