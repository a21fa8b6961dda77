//! Why a file was not written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written. No partial file is left, and an existing file with the same name is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The path is a directory.
    #[error("cannot write {}: it is a directory", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The path is a device or a pipe, which must not be replaced by a file.
    #[error("cannot write {}: it is no regular file", path.display())]
    NotAFile {
        /// The device or pipe.
        path: PathBuf,
    },
    /// The extension of the file name does not determine a suitable format.
    #[error("cannot write {}: expected a name that ends in {expected}", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
        /// The expected extensions.
        expected: &'static str,
    },
    /// The graph has more vertices than the format can number.
    #[error("cannot write {}: {num_vertices} vertices, but the format can number only {most}", path.display())]
    TooManyVertices {
        /// The file.
        path: PathBuf,
        /// The number of vertices.
        num_vertices: usize,
        /// The largest possible number of vertices.
        most: usize,
    },
    /// The format cannot represent the graph.
    #[error("cannot write {}: {reason}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What the format has, and what the graph has.
        reason: String,
    },
    /// The format has no self-loops, but the graph has one.
    #[error("cannot write {}: the format has no self-loops, but vertex {vertex} has one", path.display())]
    SelfLoop {
        /// The file.
        path: PathBuf,
        /// The vertex, numbered from 0.
        vertex: usize,
    },
    /// The progress callback asked to stop.
    #[error("{}: writing was stopped", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// An error of the operating system, for example that the disk is full.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// A failure while the contents are produced, without the path of the file.
#[derive(Debug)]
pub(super) enum Failure {
    Io(io::Error),
    Stopped,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl Failure {
    /// As an error of what has no path.
    pub(super) fn into_io(self) -> io::Error {
        match self {
            Failure::Io(error) => error,
            Failure::Stopped => io::ErrorKind::Interrupted.into(),
        }
    }

    pub(super) fn of(self, path: &Path) -> WriteError {
        let path = path.to_owned();
        match self {
            Failure::Io(source) => WriteError::Io { path, source },
            Failure::Stopped => WriteError::Stopped { path },
        }
    }
}
