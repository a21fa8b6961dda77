//! Slices of the user.

use super::local::{self, Slice};

/// A part of the program that a trace shows as a slice on the track of its thread, until this is dropped.
///
/// Made by [`trace_span`](crate::trace_span). It stays on its thread. Spans end in the reverse order of their
/// beginnings, as variables are dropped; one that is kept for longer ends in place of another one.
#[must_use = "the span ends when this is dropped"]
pub struct TraceSpan {
    _slice: Slice,
}

impl TraceSpan {
    /// Begins it.
    #[inline]
    pub(crate) fn begin(name: &'static str) -> Self {
        TraceSpan { _slice: local::span(name) }
    }
}

impl std::fmt::Debug for TraceSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TraceSpan").finish_non_exhaustive()
    }
}
