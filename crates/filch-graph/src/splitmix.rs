//! Random numbers by position: any worker can compute any of them, without those before it.

/// The random sequence of a seed: SplitMix64 (Steele, Lea and Flood 2014), which mixes the bits of a counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitMix(u64);

/// The increment of SplitMix64: an odd number near 2^64 divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl SplitMix {
    /// The sequence of a seed for one purpose. Sequences for different purposes are independent.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        SplitMix(mix(mix(seed.wrapping_add(STEP)) ^ purpose.wrapping_mul(STEP)))
    }

    /// The number at `position`.
    #[inline(always)]
    pub(crate) fn at(self, position: u64) -> u64 {
        mix(self.0.wrapping_add(position.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// The number at `position`, below `bound`. The probabilities differ from the uniform distribution by less than
    /// `bound` / 2^64.
    #[inline(always)]
    pub(crate) fn below(self, bound: usize, position: u64) -> usize {
        ((u128::from(self.at(position)) * bound as u128) >> 64) as usize
    }

    /// A separate sequence that belongs to `position`.
    #[inline(always)]
    pub(crate) fn of(self, position: u64) -> SplitMix {
        SplitMix(self.at(position))
    }
}

/// Mixes the bits of a word. The function is invertible.
#[inline(always)]
pub(crate) fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        // The first numbers for the seed 1234567, as published with the algorithm.
        let draws = SplitMix(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0, 1, 2].map(|i| draws.at(i)), published);
    }

    #[test]
    fn numbers_below_a_bound_reach_all_of_them_evenly() {
        let draws = SplitMix::new(1, 2);
        let mut counts = [0; 10];
        (0..10_000).for_each(|i| counts[draws.below(10, i)] += 1);
        // Within six standard deviations.
        assert!(counts.iter().all(|count| (820..1180).contains(count)), "{counts:?}");
    }
}
