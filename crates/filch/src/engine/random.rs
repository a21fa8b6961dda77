//! Where to look first: spread, not unpredictable.

use crate::sync::{AtomicU64, Ordering};

/// 2^64 over the golden ratio: its multiples are far apart.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Xorshift64 (Marsaglia). Written by one thread at a time.
pub(crate) struct Random(AtomicU64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let random = Random(AtomicU64::new(0));
        random.restart(seed);
        random
    }

    /// Begins the sequence of `seed`.
    pub(crate) fn restart(&self, seed: u64) {
        // Never zero, where it would stay.
        self.0.store(SPREAD.wrapping_mul(seed.wrapping_add(1)).max(1), Ordering::Relaxed);
    }

    /// A number below `n`.
    pub(crate) fn below(&self, n: usize) -> usize {
        let mut x = self.0.load(Ordering::Relaxed);
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0.store(x, Ordering::Relaxed);
        // The upper half: neighbouring seeds differ there sooner.
        ((x >> 32) % n as u64) as usize
    }
}
