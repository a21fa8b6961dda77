//! Errors in input files.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be read. The message names the file and, if there is one, the line, counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file does not exist.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The user may not read the file.
    #[error("{}: no permission to read it", path.display())]
    NoPermission {
        /// The file.
        path: PathBuf,
    },
    /// The path is a directory.
    #[error("{}: a directory, expected a file", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The text in it is wrong.
    #[error("{}:{error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: TextError,
    },
    /// Any other error of the operating system.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// What is wrong with a text, and where. The message begins with the number of the line, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{fault}", line.map_or(" ".to_owned(), |line| format!("{line}: ")))]
pub struct TextError {
    /// The line, counted from 1; `None` if it is about the text as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

impl TextError {
    pub(crate) fn at(line: usize, fault: Fault) -> Self {
        TextError { line: Some(line), fault }
    }

    pub(crate) fn whole(fault: Fault) -> Self {
        TextError { line: None, fault }
    }
}

/// What is wrong with a line or a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct Fault {
    /// What was expected.
    pub expected: String,
    /// What was found. Words of the file are in quotation marks.
    pub found: String,
}

impl Fault {
    pub(crate) fn new(expected: impl Display, found: impl Display) -> Self {
        Fault { expected: expected.to_string(), found: found.to_string() }
    }
}

impl ReadError {
    /// The error for `path`: a variant of its own if there is one for this kind.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => ReadError::NotFound { path },
            io::ErrorKind::PermissionDenied => ReadError::NoPermission { path },
            io::ErrorKind::IsADirectory => ReadError::Directory { path },
            _ => ReadError::Io { path, source },
        }
    }
}
