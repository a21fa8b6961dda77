//! How long blocks are: as many iterations as take a few microseconds.
//!
//! Nobody knows beforehand what an iteration costs, and a look at the clock costs more than many. So a loop begins with a
//! block of one iteration and goes on with longer ones, each at most [`GROWTH`] − 1 times as long as all before it
//! together, while nobody wants anything: then nobody loses by it. From the first request on, or once it has run many
//! iterations, it looks at the clock after every block.

use crate::sync::clock;

/// A block is to take this long: short against the patience of an asker, long against a look at the clock (27 ns here).
const BLOCK_NS: u64 = 6_000;

/// How much longer the next block may be, where nothing better is known.
const GROWTH: u64 = 4;

/// Iterations of the longest block whose time has not been foreseen from the one before.
const LONGEST_UNTIMED: u64 = 1024;

pub(super) struct Pace {
    /// Iterations of the next block, at least 1.
    block: u64,
    /// When it began; 0 before the first look at the clock.
    since_ns: u64,
}

impl Pace {
    #[inline(always)]
    pub(super) fn untimed(block: u64) -> Self {
        Pace { block, since_ns: 0 }
    }

    /// For a part, which somebody was waiting for.
    pub(super) fn timed(block: u64) -> Self {
        Pace { block, since_ns: clock::now_ns() }
    }

    #[inline(always)]
    pub(super) fn block(&self) -> u64 {
        self.block
    }

    /// After a block: the next one. True if its length may have changed by the clock.
    #[inline(always)]
    pub(super) fn step(&mut self) -> bool {
        if self.since_ns == 0 && self.block < LONGEST_UNTIMED {
            self.block *= GROWTH;
            return false;
        }
        self.look();
        true
    }

    /// Somebody wanted something: from now on the clock decides.
    pub(super) fn attend(&mut self) {
        self.look();
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let now = clock::now_ns();
        if self.since_ns != 0 {
            self.block = next_block(self.block, now - self.since_ns);
        }
        self.since_ns = now;
    }
}

/// After a block of so many iterations that took so long.
fn next_block(block: u64, took_ns: u64) -> u64 {
    if took_ns < BLOCK_NS / 2 {
        // By little where it is nearly long enough.
        let growth = (BLOCK_NS / (took_ns + 1)).clamp(2, GROWTH);
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
        let mut pace = Pace::untimed(1);
        let mut run = 0;
        while pace.since_ns == 0 {
            run += pace.block();
            pace.step();
        }
        assert!(run >= 1000, "{run} iterations");
    }
}
