//! Errors of files, whatever their formats are.

use std::io;
use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::foreign::Foreign;
use crate::name::named;

/// Why a file could not be read. The message names the file and, for errors in a line, the line and column, both
/// counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
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
    /// The file is an archive, or compressed in a way that is not read.
    #[error("{}: {}{what}", path.display(), within.map_or(String::new(), |within| format!("within {within}, ")))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// How it is compressed, if that can be read.
        within: Option<Compression>,
        /// What it is.
        what: Foreign,
    },
    /// A compressed file ends before its data does.
    #[error(
        "{}: the {compression} data ends early, in line {line} of the decompressed text; is the file complete?",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The line of the decompressed text in which it ends, counted from 1.
        line: u64,
    },
    /// A compressed file cannot be decompressed.
    #[error("{}: corrupt {compression} data after line {line} of the decompressed text: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The number of complete lines before the fault.
        line: u64,
        /// The message of the decompressor.
        reason: String,
    },
    /// Something follows the compressed part of a file that is neither compressed in the same way nor zeros.
    #[error(
        "{}: data after the end of the compressed part: expected more {compression} data or the end of the file after \
         line {line} of the decompressed text, found {found:?}",
        path.display()
    )]
    Trailing {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// The number of complete lines before the fault.
        line: u64,
        /// The first bytes of what follows.
        found: String,
    },
    /// A line is no text, or too long.
    #[error("{}:{line}:{column}: {fault}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1. For a compressed file, the line of the decompressed text.
        line: u64,
        /// The byte within the line, counted from 1.
        column: u64,
        /// What is wrong with the line.
        fault: TextFault,
    },
    /// The text is longer than a file of its kind can be.
    #[error("{}: expected at most {} MiB, found more", path.display(), most >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The largest possible number of bytes.
        most: u64,
    },
    /// The file changed while it was being read.
    #[error("{}: the file changed while it was being read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The progress callback asked to stop.
    #[error("{}: reading was stopped", path.display())]
    Stopped {
        /// The file.
        path: PathBuf,
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

/// What is wrong with text in any format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextFault {
    /// The file begins with a byte order mark of UTF-16.
    #[error("expected text in UTF-8, found the byte order mark of UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)")]
    Utf16,
    /// A byte is not valid in UTF-8, or 0.
    #[error("expected text in UTF-8, found the byte {byte:#04x}")]
    NotText {
        /// The first invalid byte.
        byte: u8,
    },
    /// A byte order mark is not at the beginning.
    #[error("expected a byte order mark only at the beginning of the file, found one here")]
    Mark,
    /// A carriage return is not before a newline.
    #[error("expected lines that end in LF or CR LF, found a CR without LF (tr '\\r' '\\n' converts them)")]
    LoneReturn,
    /// The line is too long.
    #[error("a line of more than {most} bytes: is this a text file?")]
    TooLong {
        /// The length limit in bytes.
        most: usize,
    },
}

impl FileError {
    /// The error for `path`: a specific variant if there is one for this kind, otherwise [`FileError::Io`].
    pub fn io(path: &Path, source: io::Error) -> Self {
        let path = named(path).to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => FileError::NotFound { path },
            io::ErrorKind::PermissionDenied => FileError::NoPermission { path },
            io::ErrorKind::IsADirectory => FileError::Directory { path },
            _ => FileError::Io { path, source },
        }
    }
}
