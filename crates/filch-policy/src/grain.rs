//! The grain of loops that are divided eagerly, as in Cilk Plus.

use std::num::NonZeroU64;

/// The blocks of a loop for each worker.
const PER_WORKER: u64 = 8;

/// The largest number of blocks of a loop over items.
const MOST_BLOCKS: u64 = 2048;

/// How many iterations of a loop that is [divided eagerly](crate::Scheduler::with_grain) are a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A loop over items has min(8 P, 2048) blocks on P workers, and one over chunks has a block for each of them: so
    /// the programs of Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5, with Cilk Plus.
    Automatic,
    /// So many.
    Items(NonZeroU64),
}

impl Grain {
    /// The grain of a loop of this length.
    pub fn of(self, len: u64, is_over_chunks: bool, workers: usize) -> u64 {
        match self {
            Grain::Automatic if is_over_chunks => 1,
            Grain::Automatic => len.div_ceil((PER_WORKER * workers as u64).clamp(1, MOST_BLOCKS)).max(1),
            Grain::Items(items) => items.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_cilk_plus() {
        let blocks = |len: u64, workers| len.div_ceil(Grain::Automatic.of(len, false, workers));
        assert_eq!([0, 1, 15, 16, 1_000_000].map(|len| blocks(len, 2)), [0, 1, 15, 16, 16]);
        assert_eq!([40, 1000].map(|workers| blocks(1 << 20, workers)), [320, 2048]);
        assert_eq!(Grain::Automatic.of(1_000_000, true, 2), 1);
        assert_eq!(Grain::Items(NonZeroU64::MIN).of(1_000_000, true, 2), 1);
    }
}
