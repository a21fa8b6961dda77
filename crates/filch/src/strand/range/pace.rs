//! How long blocks are: as many iterations as take a few microseconds.
//!
//! Nobody knows beforehand what an iteration costs, and a look at the clock costs more than many. So a loop begins with a
//! block of one iteration and goes on with longer ones, while nobody wants anything. Should somebody come while one is
//! under way, not much is lost: it is at most [`GROWTH`] − 1 times as long as all before it together, or leaves half of
//! the rest to others. From the first request on, or once it has run many iterations, it looks at the clock after
//! every block.
//!
//! Longer blocks end where vectors and cache lines do: a vector loop that begins at an odd index reads across lines.

use crate::sync::clock;

/// A block is to take this long: short against the patience of an asker, long against a look at the clock (27 ns here).
const BLOCK_NS: u64 = 6_000;

/// How many times the iterations there may be after a block that were before it, where nothing better is known.
const GROWTH: u64 = 4;

/// The same, where that leaves half of the rest.
const GROWTH_OF_MANY: u64 = 16;

/// How much longer than the one before a block may be that is expected to be short.
const TIMED_GROWTH: u64 = 16;

/// Iterations that a loop may run before it looks at the clock.
const UNTIMED: u64 = 1024;

/// Ends of long blocks, and places where long ranges are split, are multiples of this: a cache line of bytes.
const ALIGNMENT: u64 = 64;

#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Iterations of the next block, at least 1.
    block: u64,
    /// When it began, and where; 0 before the first look at the clock.
    since_ns: u64,
    since_lo: u64,
}

impl Pace {
    /// For a loop that has run so many iterations.
    #[inline(always)]
    pub(super) fn untimed(run: u64) -> Self {
        Pace { block: ((GROWTH_OF_MANY - 1) * run).max(1), since_ns: 0, since_lo: 0 }
    }

    /// For a part from `lo` on, which somebody was waiting for.
    pub(super) fn timed(lo: u64, block: u64) -> Self {
        Pace { block: block.max(1), since_ns: clock::now_ns(), since_lo: lo }
    }

    /// Where the next block ends, of what is left from `lo` to `end`.
    #[inline(always)]
    pub(super) fn block_end(&self, lo: u64, end: u64) -> u64 {
        let left = end - lo;
        let mut block = self.block;
        if self.since_ns == 0 && lo > 0 {
            block = block.min((left / 2).max((GROWTH - 1) * lo));
        }
        if left <= block {
            return end;
        }
        let block_end = lo + block;
        if block < 2 * ALIGNMENT { block_end } else { block_end & !(ALIGNMENT - 1) }
    }

    /// After a block that has come to `lo`: that of the next one.
    #[inline(always)]
    pub(super) fn after(self, lo: u64) -> Self {
        if self.since_ns == 0 && lo < UNTIMED {
            return Pace::untimed(lo);
        }
        self.looked(lo)
    }

    /// After a block, or in the middle of one, because somebody wants something. Also how many iterations are known to take as
    /// long as a block should; 0 if nothing is known.
    #[cold]
    pub(super) fn wanted(self, lo: u64) -> (Self, u64) {
        let next = self.looked(lo);
        (next, if self.since_ns == 0 { 0 } else { next.block })
    }

    #[cold]
    #[inline(never)]
    fn looked(self, lo: u64) -> Self {
        let now = clock::now_ns();
        let run = lo - self.since_lo;
        let block = if self.since_ns == 0 { self.block } else { next_block(run, now - self.since_ns) };
        Pace { block, since_ns: now, since_lo: lo }
    }
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
    fn a_loop_that_nobody_wants_anything_of_looks_at_no_clock_at_first() {
        let mut pace = Pace::untimed(0);
        let mut run = 0;
        while pace.since_ns == 0 {
            run = pace.block_end(run, u64::MAX);
            pace = pace.after(run);
        }
        assert!(run >= 1000, "{run} iterations");
    }
}
