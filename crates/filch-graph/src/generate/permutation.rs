//! A pseudorandom permutation that is computed, not stored. It can be evaluated in both directions, at any position, in
//! about ten nanoseconds.

use crate::splitmix::{SplitMix, mix};

/// The number of rounds, each of which mixes one half into the other. Four is the smallest number for which the
/// permutation looks random in both directions (Luby and Rackoff 1988).
const ROUNDS: usize = 4;

/// A permutation of `0..len`: a Feistel network over the smallest sufficient power of two. A result outside of the
/// range is permuted again, until it is in the range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Permutation {
    len: usize,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    pub(super) fn new(len: usize, draws: SplitMix) -> Self {
        let bits = usize::BITS - len.saturating_sub(1).leading_zeros();
        let low_bits = bits / 2;
        let mask = |bits: u32| (1_u64 << bits) - 1;
        let keys = std::array::from_fn(|round| draws.at(round as u64));
        Permutation { len, low_bits, low_mask: mask(low_bits), high_mask: mask(bits - low_bits), keys }
    }

    /// Returns the image of `index`, which must be below the length.
    #[inline(always)]
    pub(super) fn apply(&self, index: usize) -> usize {
        self.walk(index, [0, 1, 2, 3])
    }

    /// Returns the index whose image is `index`, which must be below the length.
    #[inline(always)]
    pub(super) fn invert(&self, index: usize) -> usize {
        self.walk(index, [3, 2, 1, 0])
    }

    #[inline(always)]
    fn walk(&self, index: usize, rounds: [usize; ROUNDS]) -> usize {
        let mut index = index as u64;
        loop {
            let (mut high, mut low) = (index >> self.low_bits, index & self.low_mask);
            for round in rounds {
                // The upper half of a mixed word is the better one.
                if round % 2 == 0 {
                    low ^= (mix(high ^ self.keys[round]) >> 32) & self.low_mask;
                } else {
                    high ^= (mix(low ^ self.keys[round]) >> 32) & self.high_mask;
                }
            }
            index = high << self.low_bits | low;
            if index < self.len as u64 {
                return index as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_reached_once_and_leads_back() {
        for len in (1..70).chain([1000, 1024, 1025]) {
            for seed in 0..3 {
                let permutation = Permutation::new(len, SplitMix::new(seed, 0));
                let mut reached = vec![false; len];
                for i in 0..len {
                    let to = permutation.apply(i);
                    assert!(!std::mem::replace(&mut reached[to], true), "{len}: {to} is reached twice");
                    assert_eq!(permutation.invert(to), i);
                }
            }
        }
    }

    #[test]
    fn images_of_adjacent_numbers_are_spread() {
        let permutation = Permutation::new(1 << 16, SplitMix::new(5, 0));
        let close = (1..1 << 16).filter(|&i| permutation.apply(i).abs_diff(permutation.apply(i - 1)) < 16).count();
        // About 30 pairs are expected to be that close. The bound is more than six standard deviations higher.
        assert!(close < 66, "{close} pairs are close");
    }
}
