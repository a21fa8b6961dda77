//! How long blocks are: as many iterations as take a few microseconds.
//!
//! Nobody knows beforehand what an iteration costs. So a loop begins with a block of one, and looks at the clock after every
//! block. That would cost short loops of cheap iterations more than their work; so each worker remembers which loops have
//! turned out [cheap](is_cheap) (`worker/cheap.rs`). Such a loop begins with longer blocks, and without the clock, until
//! it has run many iterations or somebody wants something. Should it be dear for once, not everything is lost: a block
//! leaves half of the rest to others, or is at most [`GROWTH`] − 1 times as long as all before it together.
//!
//! Longer blocks end where vectors and cache lines do: a vector loop that begins at an odd index reads across lines.

use crate::sync::clock;
use crate::worker::range::ALIGNMENT;

/// A block is to take this long: short against the patience of an asker, long against a look at the clock (27 ns here).
const BLOCK_NS: u64 = 6_000;

/// How many times the iterations there may be after a block that were before it, in a loop that is believed to be cheap.
const GROWTH: u64 = 4;

/// The same, where that leaves half of the rest.
const GROWTH_OF_MANY: u64 = 16;

/// Iterations of the first block of such a loop.
const FIRST: u64 = 1024;

/// Cheap iterations take no longer than this: so [`UNTIMED`] of them are no longer than a few blocks.
const CHEAP_NS: u64 = 4;

/// What a look at the clock may add to the time of a block.
const LOOK_NS: u64 = 100;

/// How much longer than the one before a block may be that is expected to be short.
const TIMED_GROWTH: u64 = 16;

/// Iterations that a loop may run before it looks at the clock.
const UNTIMED: u64 = 4096;

#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Iterations of the next block, at least 1.
    block: u64,
    /// When it began, and where; 0 before the first look at the clock.
    since_ns: u64,
    since_lo: u64,
}

impl Pace {
    /// For a cheap loop that has run so many iterations.
    #[inline(always)]
    pub(super) fn untimed(run: u64) -> Self {
        Pace { block: ((GROWTH_OF_MANY - 1) * run).max(FIRST), since_ns: 0, since_lo: 0 }
    }

    /// For a loop, or a part of one, from `lo` on.
    pub(super) fn timed(lo: u64, block: u64) -> Self {
        Pace { block: block.max(1), since_ns: clock::now_ns(), since_lo: lo }
    }

    /// Where the next block ends, of what is left from `lo` to `end`.
    #[inline(always)]
    pub(super) fn block_end(&self, lo: u64, end: u64) -> u64 {
        let left = end - lo;
        let mut block = self.block;
        if self.since_ns == 0 {
            block = block.min((left / 2).max((GROWTH - 1) * lo).max(1));
        }
        if left <= block {
            return end;
        }
        let block_end = lo + block;
        if block < 2 * ALIGNMENT { block_end } else { block_end & !(ALIGNMENT - 1) }
    }

    /// After a block that has come to `lo`: that of the next one, if that needs no look at the clock.
    #[inline(always)]
    pub(super) fn after_untimed(self, lo: u64) -> Option<Self> {
        (self.since_ns == 0 && lo < UNTIMED).then(|| Pace::untimed(lo))
    }

    /// After a block, or in the middle of one, by the clock; and whether iterations are [cheap](is_cheap), if that is known.
    pub(super) fn after(self, lo: u64) -> (Self, Option<bool>) {
        let now = clock::now_ns();
        let next = |block| Pace { block, since_ns: now, since_lo: lo };
        if self.since_ns == 0 {
            return (next(self.block), None);
        }
        let (run, took_ns) = (lo - self.since_lo, now - self.since_ns);
        (next(next_block(run, took_ns)), Some(is_cheap(run, took_ns)))
    }

    /// How many iterations are known to take as long as a block should; 0 if nothing is known.
    pub(super) fn timed_block(self) -> u64 {
        if self.since_ns == 0 { 0 } else { self.block }
    }
}

/// Whether iterations are cheap of which so many took so long.
fn is_cheap(run: u64, took_ns: u64) -> bool {
    took_ns <= run * CHEAP_NS + LOOK_NS
}

/// After so many iterations that took so long.
fn next_block(block: u64, took_ns: u64) -> u64 {
    if took_ns < BLOCK_NS / 2 {
        // By little where it is nearly long enough.
        let growth = (BLOCK_NS / (took_ns + 1)).clamp(2, TIMED_GROWTH);
        block.saturating_mul(growth)
    } else if took_ns > 2 * BLOCK_NS {
        let fitting = u128::from(block) * u128::from(BLOCK_NS) / u128::from(took_ns);
        (fitting as u64).max(1)
    } else {
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_any_body_come_to_take_about_as_long_as_they_should() {
        for ns_per_1000 in [100, 1_000, 50_000, 3_000_000, 1_000_000_000] {
            let took = |block: u64| (block * ns_per_1000 / 1000).max(1);
            let mut block = 1;
            for _ in 0..40 {
                block = next_block(block, took(block));
            }
            assert!(block == 1 || (BLOCK_NS / 2..=2 * BLOCK_NS).contains(&took(block)), "{block} of {ns_per_1000}");
        }
    }

    #[test]
    fn a_body_of_a_second_is_polled_each_time() {
        assert_eq!(next_block(1, 1_000_000_000), 1);
        assert_eq!(next_block(4096, 4_096_000_000_000), 1, "at once, however cheap those before were");
    }

    #[test]
    fn a_cheap_loop_looks_at_no_clock_at_first_and_leaves_half_to_others() {
        for len in [1, 2, 3, 40, 1000, u64::MAX] {
            let (mut pace, mut run) = (Pace::untimed(0), 0);
            while run < len.min(UNTIMED) {
                let end = pace.block_end(run, len);
                assert!(end > run, "at least one iteration");
                assert!(end <= GROWTH * run.max(1) || end - run <= len - end + 1, "from {run} to {end} of {len}");
                run = end;
                pace = pace.after_untimed(run).unwrap_or(pace);
                assert!(run >= UNTIMED || pace.since_ns == 0);
            }
        }
    }
}
