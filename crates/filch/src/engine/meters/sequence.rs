//! How far a sequence of pseudo-random decisions has come.

use crate::sync::{AtomicU64, Ordering};
use filch_policy::Sequence;
use std::marker::PhantomData;

/// The state of a sequence. One thread at a time draws from it: the occupant of a worker from that worker's numbers,
/// and the thread that plays all workers from the schedule of chaos. Only if that thread's seat is lent do two threads
/// draw from one sequence; they may get the same decision.
pub(crate) struct SequenceCell<S> {
    state: AtomicU64,
    sequence: PhantomData<fn() -> S>,
}

impl<S: Sequence> SequenceCell<S> {
    pub(crate) fn new(start: S) -> Self {
        SequenceCell { state: AtomicU64::new(start.state()), sequence: PhantomData }
    }

    /// Calls `draw` with the sequence, and stores how far it has come.
    pub(crate) fn with<R>(&self, draw: impl FnOnce(&mut S) -> R) -> R {
        let mut sequence = S::resume(self.state.load(Ordering::Relaxed));
        let drawn = draw(&mut sequence);
        self.state.store(sequence.state(), Ordering::Relaxed);
        drawn
    }
}
