//! Why a file was not written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written. Nothing of it is left, and a file of that name that was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It is a directory.
    #[error("cannot write {}: it is a directory", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// A device or a pipe, which a file must not replace.
    #[error("cannot write {}: it is no regular file", path.display())]
    NotAFile {
        /// The device or pipe.
        path: PathBuf,
    },
    /// The ending of its name does not say what should be written.
    #[error("cannot write {}: expected a name that ends in {expected}", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
        /// The endings that would do.
        expected: &'static str,
    },
    /// More vertices than the format can number.
    #[error("cannot write {}: {num_vertices} vertices, the format can number {most}", path.display())]
    TooManyVertices {
        /// The file.
        path: PathBuf,
        /// How many there are.
        num_vertices: usize,
        /// How many there may be.
        most: usize,
    },
    /// The caller's closure asked to stop.
    #[error("{}: writing was stopped", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
    },
    /// Whatever the system says; that the disk is full, for one.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What goes wrong while content is made, before anybody knows the file.
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
    pub(super) fn of(self, path: &Path) -> WriteError {
        let path = path.to_owned();
        match self {
            Failure::Io(source) => WriteError::Io { path, source },
            Failure::Stopped => WriteError::Stopped { path },
        }
    }
}
