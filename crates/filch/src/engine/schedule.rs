//! The schedule of chaos: how far its sequence of decisions has come.

use crate::sync::{AtomicU64, Ordering};
use filch_policy::Chaos;

/// How far the schedule of a team has come. If a seat is lent, two threads draw from it.
pub(crate) struct Schedule(AtomicU64);

impl Schedule {
    pub(crate) fn new(start: Chaos) -> Self {
        Schedule(AtomicU64::new(start.state()))
    }

    pub(super) fn decide<R>(&self, decide: impl FnOnce(&mut Chaos) -> R) -> R {
        let mut chaos = Chaos::resume(self.0.load(Ordering::Relaxed));
        let decision = decide(&mut chaos);
        self.0.store(chaos.state(), Ordering::Relaxed);
        decision
    }

    /// Whether a latent frame or task moves to another worker now.
    pub(super) fn moves(&self) -> bool {
        self.decide(|chaos| chaos.moves(std::thread::panicking()))
    }
}
