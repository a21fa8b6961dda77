//! What is known at the end of a phase.

/// A phase that has ended: the argument of the action of [`Traverse::at_phase_end`](crate::Traverse::at_phase_end).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PhaseEnd {
    /// The number of the phase. The first phase, that of the roots, is 0.
    pub phase: usize,
    /// How many items the next phase begins with. If this is 0, there is no next phase.
    pub next_items: usize,
}
