//! The memory that a real program has touched: its arrays, without the gaps between them.

use std::collections::BTreeMap;

use super::{BLOCK, Touch};

/// Ranges of whole blocks, which neither overlap nor meet.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    /// The end of each, by where it begins.
    ends: BTreeMap<u64, u64>,
    bytes: u64,
}

impl Regions {
    /// Adds the blocks of a range that is not empty. Takes time in proportion to the logarithm of the number of
    /// regions, on average.
    pub(super) fn add(&mut self, touch: Touch) {
        let (mut begin, mut end) = (touch.begin / BLOCK * BLOCK, touch.end.next_multiple_of(BLOCK));
        // Those that it meets become one with it.
        while let Some((&first, &last)) = self.ends.range(..=end).next_back().filter(|(_, last)| **last >= begin) {
            if first <= begin && end <= last {
                return;
            }
            self.ends.remove(&first);
            self.bytes -= last - first;
            (begin, end) = (begin.min(first), end.max(last));
        }
        self.ends.insert(begin, end);
        self.bytes += end - begin;
    }

    /// The size of all of them.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The touches, all of which have been added, after all regions are moved together, from address 0 on.
    pub(super) fn close_up(&self, touches: &mut [Touch]) {
        let mut from = 0;
        let place = |(&begin, &end): (&u64, &u64)| {
            from += end - begin;
            (begin, from - (end - begin))
        };
        let places: Vec<(u64, u64)> = self.ends.iter().map(place).collect();
        for touch in touches {
            let (begin, place) = places[places.partition_point(|&(begin, _)| begin <= touch.begin) - 1];
            (touch.begin, touch.end) = (touch.begin - begin + place, touch.end - begin + place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_policy::Random;

    #[test]
    fn arrays_are_put_one_after_the_other_block_by_block() {
        let array = |begin: u64| Touch::read(begin, begin + 5 * BLOCK);
        let mut touches = [array(1 << 40), array(10), Touch::write((1 << 40) - 1, 1 << 40), array(100 * BLOCK)];
        let mut regions = Regions::default();
        touches.iter().for_each(|&touch| regions.add(touch));
        // The array at 10 begins within a block, so it takes six; the one at 2⁴⁰ meets the block of the byte before it.
        assert_eq!(regions.bytes(), (6 + 6 + 5) * BLOCK);
        regions.close_up(&mut touches);
        let begins = touches.map(|touch| (touch.begin, touch.end - touch.begin));
        let whole = 5 * BLOCK;
        assert_eq!(begins, [(12 * BLOCK, whole), (10, whole), (12 * BLOCK - 1, 1), (6 * BLOCK, whole)]);
    }

    #[test]
    fn regions_are_the_blocks_that_were_touched_whatever_the_order() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let mut regions = Regions::default();
            let mut touched = [false; 64];
            let mut touches: Vec<Touch> = Vec::new();
            for _ in 0..random.below(20) {
                let begin = random.below(60 * BLOCK as usize) as u64;
                let touch = Touch::read(begin, begin + 1 + random.below(4 * BLOCK as usize - 1) as u64);
                regions.add(touch);
                touches.push(touch);
                touched[(touch.begin / BLOCK) as usize..touch.end.div_ceil(BLOCK) as usize].fill(true);
            }
            let before = |block: u64| touched[..block as usize].iter().filter(|&&it| it).count() as u64;
            assert_eq!(regions.bytes(), before(64) * BLOCK);
            let mut closed = touches.clone();
            regions.close_up(&mut closed);
            for (touch, closed) in touches.iter().zip(&closed) {
                let block = touch.begin / BLOCK;
                assert_eq!(closed.begin, before(block) * BLOCK + touch.begin % BLOCK);
                assert_eq!(closed.end - closed.begin, touch.end - touch.begin);
            }
        }
    }
}
