//! Errors in files.

use crate::mesh::MeshError;
use filch_text::{FileError, named, shown};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file could not be read. The message names the file and the place, and what was expected and found there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It cannot be opened or decompressed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something else was expected at a place.
    #[error("{}{place}: expected {expected}, found {found}", path.display())]
    Unexpected {
        /// The file.
        path: PathBuf,
        /// Where it is.
        place: Place,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// It is not a mesh although each line is right.
    #[error("{}: {fault}", path.display())]
    NoMesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: MeshError,
    },
}

/// A place in a file, after decompression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text.
    Text {
        /// The line, counted from 1.
        line: u64,
        /// The byte within the line, counted from 1.
        column: u64,
    },
    /// In binary data, counted from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text { line, column } => write!(f, ":{line}:{column}"),
            Place::Byte(byte) => write!(f, ": byte {byte}"),
        }
    }
}

/// What is wrong at a place of a file whose name is known elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) expected: String,
    pub(super) found: String,
}

impl Fault {
    pub(super) fn new(place: Place, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Fault { place, expected: expected.into(), found: found.into() }
    }

    pub(super) fn word(place: Place, expected: impl Into<String>, found: &[u8]) -> Self {
        Fault::new(place, expected, format!("{:?}", shown(found)))
    }

    /// The same with so many lines before the text.
    pub(super) fn after(mut self, lines: u64) -> Self {
        if let Place::Text { line, .. } = &mut self.place {
            *line += lines;
        }
        self
    }

    pub(super) fn in_file(self, path: &Path) -> ReadError {
        let Fault { place, expected, found } = self;
        ReadError::Unexpected { path: named(path).to_owned(), place, expected, found }
    }
}
