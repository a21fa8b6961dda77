//! What is told at the end of a phase.

/// A phase has come to its end: what the action of [`Traverse::at_phase_end`](crate::Traverse::at_phase_end) is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhaseEnd {
    /// Which phase: 0 is the first, that of the roots.
    pub phase: usize,
    /// How many items the next one begins with. If there are none, there is no next one.
    pub next_items: usize,
}
