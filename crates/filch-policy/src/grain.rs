//! The grain of loops that are divided eagerly, as in Cilk Plus.

use std::num::NonZeroU64;

/// The blocks of a loop for each worker.
const PER_WORKER: u64 = 8;

/// The largest number of blocks of a loop over indices, and of items of a block of a loop over items.
const MOST: u64 = 2048;

/// What a loop runs over. A loop over several things in step is of the last of their kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Over {
    /// Numbers.
    Indices,
    /// The items of a sequence.
    Items,
    /// Parts of a sequence.
    Chunks,
}

/// How many iterations of a loop that is [divided eagerly](crate::Scheduler::with_grain) are a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// As PBBS has them on P workers (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1): a loop over
    /// items has blocks of 2,048 of them, or fewer, so that it has 8 P blocks; one over chunks has a block for each;
    /// another one has min(8 P, 2048) blocks.
    Automatic,
    /// So many.
    Items(NonZeroU64),
}

impl Grain {
    /// The grain of a loop of this length.
    pub fn of(self, len: u64, over: Over, workers: usize) -> u64 {
        let blocks = PER_WORKER * workers as u64;
        match (self, over) {
            (Grain::Automatic, Over::Chunks) => 1,
            (Grain::Automatic, Over::Items) => len.div_ceil(blocks.max(1)).clamp(1, MOST),
            (Grain::Automatic, Over::Indices) => len.div_ceil(blocks.clamp(1, MOST)).max(1),
            (Grain::Items(items), _) => items.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_pbbs() {
        let blocks = |over, len: u64, workers| len.div_ceil(Grain::Automatic.of(len, over, workers));
        assert_eq!([0, 1, 15, 16, 1_000_000].map(|len| blocks(Over::Indices, len, 2)), [0, 1, 15, 16, 16]);
        assert_eq!([40, 1000].map(|workers| blocks(Over::Indices, 1 << 20, workers)), [320, 2048]);
        assert_eq!([0, 1, 15, 16, 1 << 22].map(|len| blocks(Over::Items, len, 2)), [0, 1, 15, 16, 2048]);
        assert_eq!(blocks(Over::Chunks, 1_000_000, 2), 1_000_000);
        assert_eq!(Grain::Items(NonZeroU64::MIN).of(1_000_000, Over::Indices, 2), 1);
    }
}
