//! Pseudo-random numbers, for the choice of where to look first. They must be evenly spread, but may be predictable.

/// 2^64 divided by the golden ratio. Its multiples are far apart.
pub const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scatters the bits of a word: the finishing step of SplitMix64 (Steele, Lea and Flood 2014). Invertible.
#[inline(always)]
pub fn scatter(mut n: u64) -> u64 {
    n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}

/// A sequence of decisions or numbers whose state is one word, so that it can be stored and continued.
pub trait Sequence {
    /// Continues a sequence from this [`state`](Self::state).
    fn resume(state: u64) -> Self;

    /// How far the sequence has come.
    fn state(&self) -> u64;
}

/// A sequence of numbers: xorshift64 (Marsaglia 2003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence that begins with `seed`.
    pub fn new(seed: u64) -> Self {
        // The state must not be zero, because the sequence would stay there.
        Random { state: SPREAD.wrapping_mul(seed.wrapping_add(1)).max(1) }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let mut x = self.state;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.state = x;
        // Sequences of neighbouring seeds differ sooner in the upper half.
        ((x >> 32) % n as u64) as usize
    }
}

impl Sequence for Random {
    fn resume(state: u64) -> Self {
        Random { state }
    }

    fn state(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_n_comes_about_as_often_for_any_seed() {
        for seed in [0, 1, 2, u64::MAX - 1, u64::MAX] {
            let mut random = Random::new(seed);
            let mut times = [0; 5];
            (0..5_000).for_each(|_| times[random.below(5)] += 1);
            assert!(times.iter().all(|times| (850..1_150).contains(times)), "{times:?} for seed {seed}");
        }
    }
}
