//! How far reading or writing has come.

use std::ops::ControlFlow;
use std::path::Path;

use super::error::ReadError;

/// How far reading or writing has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes of the file that are done; of a compressed file, compressed ones.
    pub bytes: u64,
    /// Bytes of the whole file, where that is known: not of a pipe.
    pub total: Option<u64>,
    /// Edges or arcs so far; values, where those are written.
    pub items: u64,
}

/// What is told of progress, some hundred times a second. It runs on the calling thread, outside of parallel work, so
/// it need not be `Send`. What it returns decides whether to go on: [`ControlFlow::Break`] ends the call with an error
/// that says so.
///
/// ```
/// use filch_graph::read::Progress;
/// use std::ops::ControlFlow;
///
/// let mut quiet = |_: Progress| ControlFlow::Continue(());
/// # filch_graph::read::read_graph::<u32>("no file".as_ref(), &Default::default(), &mut quiet).unwrap_err();
/// ```
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Tells `on_progress`. Fails if it asks to stop.
pub(super) fn report(progress: Progress, path: &Path, on_progress: &mut OnProgress<'_>) -> Result<(), ReadError> {
    match on_progress(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReadError::Stopped { path: path.to_owned() }),
    }
}
