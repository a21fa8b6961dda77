//! Progress of reading and writing.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::FileError;
use crate::name::named;

/// The progress of reading or writing a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of bytes that have been read or written. For a compressed file, compressed bytes when it is read, and
    /// uncompressed bytes when it is written.
    pub bytes: u64,
    /// The size of the file in bytes, if it is known. It is not known for a pipe, or when writing.
    pub total: Option<u64>,
    /// The number of edges, arcs or values that have been read or written.
    pub items: u64,
}

impl Progress {
    /// So far.
    pub fn new(bytes: u64, total: Option<u64>, items: u64) -> Self {
        Progress { bytes, total, items }
    }
}

/// A callback for progress. It is called every few megabytes, on the calling thread and outside of parallel work, so it
/// need not be `Send`. If it returns [`ControlFlow::Break`], reading or writing stops with an error that says so.
///
/// ```
/// use filch_text::{OnProgress, Progress};
/// use std::ops::ControlFlow;
///
/// let quiet: &mut OnProgress<'_> = &mut |_: Progress| ControlFlow::Continue(());
/// assert!(quiet(Progress::default()).is_continue());
/// ```
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Calls `on_progress`.
///
/// # Errors
///
/// [`FileError::Stopped`] if it asks to stop.
pub fn report(progress: Progress, path: &Path, on_progress: &mut OnProgress<'_>) -> Result<(), FileError> {
    match on_progress(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(FileError::Stopped { path: named(path).to_owned() }),
    }
}
