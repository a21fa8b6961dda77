//! How far reading has come.

/// How far reading or writing has come, as told to the caller's closure between two windows, some hundred times a second.
///
/// The closure runs on the calling thread, outside of parallel work, so it need not be `Send`. What it returns decides
/// whether to go on: [`ControlFlow::Break`](std::ops::ControlFlow::Break) ends the call with an error that says so.
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
