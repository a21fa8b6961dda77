//! Holes in a ladder: frames that have left from its middle. Only a mistake makes them (`share/youngest.rs`).

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The holes of a worker's ladder, and the rung of the frame that it is about to give, as addresses. All is the
/// occupant's own.
#[derive(Default)]
pub(crate) struct Holes(Mutex<(BTreeSet<usize>, Option<usize>)>);

impl Holes {
    pub(super) fn with<R>(&self, f: impl FnOnce(&mut BTreeSet<usize>, &mut Option<usize>) -> R) -> R {
        let (holes, given) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f(holes, given)
    }

    /// The rung of the frame that is about to be given, if it need not be the oldest.
    pub(super) fn given(&self) -> Option<usize> {
        self.with(|_, given| *given)
    }
}
