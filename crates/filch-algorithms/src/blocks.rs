//! How a sequence is divided: into [`Blocks`] by its length alone, where the result depends on the division, and
//! otherwise into [shares](share_of) of the workers.

use std::ops::Range;

/// The bytes of a block of a long sequence. With its result, it fits into a first-level cache.
const BLOCK_BYTES: usize = 16 << 10;

/// The fewest blocks of a sequence that has so many items: enough for all workers of a large machine, however long an
/// item takes.
const FEWEST: usize = 256;

/// Shares for each worker: so many that the work is balanced although they take different times.
const PER_WORKER: usize = 4;

/// The length of a share of `len` items, at least `least`.
pub(crate) fn share_of(len: usize, least: usize) -> usize {
    len.div_ceil(PER_WORKER * filch::num_workers()).max(least)
}

/// A sequence in blocks of equal length, of which the last may be shorter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    len: usize,
    block: usize,
}

impl Blocks {
    /// The blocks of `len` items of type `T`.
    pub(crate) fn of<T>(len: usize) -> Self {
        let most = (BLOCK_BYTES / size_of::<T>().max(1)).max(1);
        Blocks { len, block: (len / FEWEST).clamp(1, most) }
    }

    pub(crate) fn count(self) -> usize {
        self.len.div_ceil(self.block)
    }

    /// The items of a block.
    pub(crate) fn range(self, block: usize) -> Range<usize> {
        let start = block * self.block;
        start..self.len.min(start + self.block)
    }

    /// The number of items in all.
    pub(crate) fn len(self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_items_in_order_without_gaps() {
        for len in [0, 1, 2, 255, 256, 257, 1000, 100_000, 1 << 22] {
            let blocks = Blocks::of::<u64>(len);
            let mut end = 0;
            for block in 0..blocks.count() {
                let range = blocks.range(block);
                assert_eq!(range.start, end);
                assert!(!range.is_empty());
                end = range.end;
            }
            assert_eq!((end, blocks.len()), (len, len));
        }
    }

    #[test]
    fn few_items_are_blocks_of_one_and_many_fill_a_first_level_cache() {
        assert_eq!(Blocks::of::<u64>(200).count(), 200);
        assert_eq!(Blocks::of::<u64>(1 << 24).range(0).len() * size_of::<u64>(), BLOCK_BYTES);
        assert_eq!(Blocks::of::<[u8; 1 << 20]>(1000).range(0).len(), 1);
    }
}
