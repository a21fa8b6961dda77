//! Progress of reading and writing.

use std::ops::ControlFlow;
use std::path::Path;

use super::error::ReadError;

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

/// A callback for progress. It is called every few megabytes, on the calling thread and outside of parallel work, so it
/// need not be `Send`. If it returns [`ControlFlow::Break`], reading or writing stops with an error that says so.
///
/// ```
/// use filch_graph::read::Progress;
/// use std::ops::ControlFlow;
///
/// let mut quiet = |_: Progress| ControlFlow::Continue(());
/// # filch_graph::read::read_graph::<u32>("no file".as_ref(), &Default::default(), &mut quiet).unwrap_err();
/// ```
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Calls `on_progress`. Returns an error if it asks to stop.
pub(super) fn report(progress: Progress, path: &Path, on_progress: &mut OnProgress<'_>) -> Result<(), ReadError> {
    match on_progress(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReadError::Stopped { path: path.to_owned() }),
    }
}
