//! Errors in input files.

use filch_text::{BadText, FileError, TextFault};
use std::fmt::Display;
use std::path::PathBuf;

/// Why a file could not be read. The message names the file and, if there is one, the line and the byte within it, both
/// counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It cannot be opened or decompressed, or is no text.
    #[error(transparent)]
    File(#[from] FileError),
    /// The text in it is wrong.
    #[error("{}:{error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: TextError,
    },
}

/// What is wrong with a text, and where. The message begins with the place, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{fault}", place.map_or(" ".to_owned(), |Place { line, column }| format!("{line}:{column}: ")))]
pub struct TextError {
    /// Where it is; `None` if it is about the text as a whole.
    pub place: Option<Place>,
    /// What is wrong.
    pub fault: Fault,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte within the line, counted from 1.
    pub column: usize,
}

impl TextError {
    pub(crate) fn whole(fault: Fault) -> Self {
        TextError { place: None, fault }
    }
}

impl Place {
    pub(crate) fn error(self, fault: Fault) -> TextError {
        TextError { place: Some(self), fault }
    }

    /// The error of what is expected here.
    pub(crate) fn expected(self, expected: impl Display, found: impl Display) -> TextError {
        self.error(Fault::new(expected, found))
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

impl From<BadText> for TextError {
    fn from(BadText { line, column, fault }: BadText) -> Self {
        let place = Place { line: line as usize, column: column as usize };
        match fault {
            TextFault::NotText { byte } => place.expected("text in UTF-8", format_args!("the byte {byte:#04x}")),
            TextFault::LoneReturn => place.expected("lines that end in LF or CR LF", "a CR without LF"),
            TextFault::Mark => place.expected("a byte order mark only at the beginning", "one here"),
            other => place.expected("a text", other),
        }
    }
}
