//! What a trace consists of.

use std::error::Error;
use std::fmt;
use std::path::Path;

/// How a trace is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The packets of Perfetto, for <https://ui.perfetto.dev>: files `.pftrace`.
    Perfetto,
    /// Chrome's array of events in JSON, for the same viewer and for many others: files `.json`.
    Chrome,
}

impl Format {
    /// The extensions of files, and their formats.
    pub const EXTENSIONS: [(&str, Format); 2] = [("pftrace", Format::Perfetto), ("json", Format::Chrome)];

    /// The format of a file with this name.
    ///
    /// # Errors
    ///
    /// If the name has another extension.
    pub fn of(path: &Path) -> Result<Format, UnknownFormat> {
        let is_known = |&(known, _): &(&str, Format)| path.extension().is_some_and(|extension| extension == known);
        Format::EXTENSIONS.into_iter().find(is_known).map(|(_, format)| format).ok_or(UnknownFormat)
    }
}

/// The name of a file does not say which format it is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Format::EXTENSIONS.map(|(extension, _)| format!(".{extension}")).join(" or ");
        write!(f, "expected a file name that ends in {known}")
    }
}

impl Error for UnknownFormat {}

/// A track of a trace, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Track(pub(crate) u32);

/// What happens on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'n> {
    /// When. Where two events of a track have the same time, the one that is written first comes first.
    pub at_ns: u64,
    /// Where.
    pub track: Track,
    /// What.
    pub what: What<'n>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What<'n> {
    /// A slice begins, inside of those that are open.
    Begin {
        /// What the slice is called.
        name: &'n str,
        /// The arrow that begins or ends here.
        flow: Option<Flow>,
    },
    /// The innermost open slice ends.
    End,
    /// Something of no length.
    Instant {
        /// What it is called.
        name: &'n str,
        /// The arrow that begins or ends here.
        flow: Option<Flow>,
    },
    /// A counter has this value from now on.
    Count(i64),
}

/// An end of an arrow. Each number has one `From`, and later one `To`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It leaves here.
    From(u64),
    /// It arrives here.
    To(u64),
}
