//! A sequence of random numbers that is written by one thread at a time.

use crate::sync::{AtomicU64, Ordering};
use filch_policy::Random;

/// How far the sequence has come.
pub(crate) struct RandomCell(AtomicU64);

impl RandomCell {
    pub(crate) fn new(seed: u64) -> Self {
        RandomCell(AtomicU64::new(Random::new(seed).state()))
    }

    /// Calls `draw` with the sequence, and stores how far the sequence has come.
    pub(crate) fn with<R>(&self, draw: impl FnOnce(&mut Random) -> R) -> R {
        let mut random = Random::resume(self.0.load(Ordering::Relaxed));
        let drawn = draw(&mut random);
        self.0.store(random.state(), Ordering::Relaxed);
        drawn
    }
}
