//! How long blocks are: as many iterations as take a few microseconds.
//!
//! Nobody knows beforehand what an iteration costs. So a loop begins with a block of one, and looks at the clock after every
//! block. That would cost short loops of cheap iterations more than their work; so each worker remembers what iterations have
//! turned out to [cost](Cost) (`worker/cost.rs`). A loop of cheap ones begins with longer blocks, and without the clock, until
//! it has run many iterations or somebody wants something.
//!
//! Iterations that were cheap may turn dear, within a block too. So a block is run in strides with a look at E in between, three
//! instructions. They double from one iteration on, and are never more than a look costs little against, by what is known of
//! the iterations: what nobody can share is at most what has been run before, and [`MOST_STRIDE`] iterations.
//!
//! Longer blocks end where vectors and cache lines do: a vector loop that begins at an odd index reads across lines.

use crate::sync::clock;
use crate::worker::cost::Cost;
use crate::worker::range::ALIGNMENT;

/// A block is to take this long: short against the patience of an asker, long against a look at the clock (27 ns here).
const BLOCK_NS: u64 = 6_000;

/// How many times as many iterations may have been run after a block as before it, in a loop that is believed to be cheap.
const GROWTH: u64 = 16;

/// How many a block of such a loop may be at least.
const FIRST: u64 = 1024;

/// Cheap iterations take no longer than this: so [`UNTIMED`] of them are no longer than a few blocks.
const CHEAP_NS: u64 = 4;

/// What a look at the clock may add to the time of a block.
const LOOK_NS: u64 = 100;

/// How much longer than the one before a block may be that is expected to be short.
const TIMED_GROWTH: u64 = 16;

/// Iterations that a loop may run before it looks at the clock.
const UNTIMED: u64 = 4096;

/// Iterations between two looks at E, at most.
const MOST_STRIDE: u64 = 64;

/// The same, where they are trivial: straight-line code, of which vectors are made.
const MOST_TRIVIAL: u64 = 512;

/// No more than so many as take this long.
const STRIDE_NS: u64 = 300;

/// Iterations shorter than this have no room for a call.
const TRIVIAL_PS: u64 = 600;

/// Iterations up to this long may be hidden, a few of them, behind what is older.
const SHORT_NS: u64 = 1_000;

/// How far a block runs between two looks at whether somebody wants something: as far as has been run so far, up to so far.
#[derive(Clone, Copy)]
pub(super) struct Strides {
    /// Where the loop, or the part of it, began.
    begin: u64,
    most: u64,
}

impl Strides {
    /// For blocks during which nobody can share the loop anyway.
    pub(super) const OF_HIDDEN: Strides = Strides { begin: 0, most: MOST_STRIDE };

    /// Where to look next, from `lo` on.
    #[inline(always)]
    pub(super) fn end(self, lo: u64) -> u64 {
        lo + self.after(lo - self.begin)
    }

    #[inline(always)]
    fn after(self, ran: u64) -> u64 {
        ran.clamp(1, self.most)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Iterations of the next block, at least 1.
    block: u64,
    /// How often to look at E within a block.
    strides: Strides,
    /// When the block began, and where; 0 before the first look at the clock.
    since_ns: u64,
    since_lo: u64,
}

impl Pace {
    /// For a loop that has run so many iterations, of this cost: cheap or trivial.
    #[inline(always)]
    pub(super) fn untimed(run: u64, cost: Cost) -> Self {
        let most = if cost == Cost::Trivial { MOST_TRIVIAL } else { MOST_STRIDE };
        Pace { block: untimed_block(run), strides: Strides { begin: 0, most }, since_ns: 0, since_lo: 0 }
    }

    /// For a loop, or a part of one, from `lo` on.
    pub(super) fn timed(lo: u64, block: u64) -> Self {
        let strides = Strides { begin: lo, most: MOST_STRIDE };
        Pace { block: block.max(1), strides, since_ns: clock::now_ns(), since_lo: lo }
    }

    #[inline(always)]
    pub(super) fn strides(&self) -> Strides {
        self.strides
    }

    /// Where the next block ends, of what is left from `lo` to `end`. Half of that is left to others, unless it is little and all
    /// before it has been run without trouble; at first all but one iteration.
    #[inline(always)]
    pub(super) fn block_end(&self, lo: u64, end: u64) -> u64 {
        let left = end - lo;
        let ran = lo - self.strides.begin;
        if left <= self.block && left <= self.strides.after(ran) {
            return end;
        }
        let block = if ran == 0 { 1 } else { self.block.min((left / 2).max(1)) };
        let block_end = lo + block;
        if block < 2 * ALIGNMENT { block_end } else { block_end & !(ALIGNMENT - 1) }
    }

    /// After a block that has come to `lo`: that of the next one, if that needs no look at the clock.
    #[inline(always)]
    pub(super) fn without_look(self, lo: u64) -> Option<Self> {
        if self.since_ns == 0 {
            return (lo < UNTIMED).then(|| Pace { block: untimed_block(lo), ..self });
        }
        // Towards the end blocks are shorter than they may be.
        (2 * (lo - self.since_lo) <= self.block).then_some(self)
    }

    /// After a block, or in the middle of one, by the clock; and what iterations cost, if that is known.
    pub(super) fn after(self, lo: u64) -> (Self, Option<Cost>) {
        let now = clock::now_ns();
        if self.since_ns == 0 {
            // Untimed, and wanted perhaps: it may have turned dear, so the next look is soon.
            return (Pace { block: self.block.min(lo.max(1)), since_ns: now, since_lo: lo, ..self }, None);
        }
        let (run, took_ns) = (lo - self.since_lo, now - self.since_ns);
        let strides = Strides { most: next_stride(run, took_ns), ..self.strides };
        (Pace { block: next_block(run, took_ns), strides, since_ns: now, since_lo: lo }, Some(cost_of(run, took_ns)))
    }

    /// How many iterations are known to take as long as a block should; 0 if nothing is known.
    pub(super) fn timed_block(self) -> u64 {
        if self.since_ns == 0 { 0 } else { self.block }
    }
}

/// The next block of a loop of cheap iterations that has run so many.
#[inline(always)]
fn untimed_block(run: u64) -> u64 {
    ((GROWTH - 1) * run).max(FIRST)
}

/// What iterations cost of which so many took so long.
fn cost_of(run: u64, took_ns: u64) -> Cost {
    if is_trivial(run, took_ns) {
        Cost::Trivial
    } else if took_ns <= run * CHEAP_NS + LOOK_NS {
        Cost::Cheap
    } else if took_ns <= run * SHORT_NS {
        Cost::Short
    } else {
        Cost::Unknown
    }
}

fn is_trivial(run: u64, took_ns: u64) -> bool {
    run >= MOST_TRIVIAL / 2 && took_ns * 1000 < run * TRIVIAL_PS
}

/// How far to go between two looks at E, after so many iterations that took so long.
fn next_stride(run: u64, took_ns: u64) -> u64 {
    if is_trivial(run, took_ns) { MOST_TRIVIAL } else { (run * STRIDE_NS / took_ns.max(1)).clamp(1, MOST_STRIDE) }
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

    /// The blocks of a loop of so many iterations, as the ends of them, with no look at the clock.
    fn untimed_blocks(len: u64, cost: Cost) -> Vec<u64> {
        let (mut pace, mut ends, mut run) = (Pace::untimed(0, cost), Vec::new(), 0);
        while run < len.min(UNTIMED) {
            run = pace.block_end(run, len);
            ends.push(run);
            pace = pace.without_look(run).unwrap_or(pace);
            assert!(run >= UNTIMED || pace.since_ns == 0);
        }
        ends
    }

    #[test]
    fn a_cheap_loop_looks_at_no_clock_at_first_and_shows_half_of_what_is_left() {
        for (len, cost) in
            [1, 2, 3, 40, 1000, 5000, u64::MAX].into_iter().flat_map(|len| [(len, Cost::Cheap), (len, Cost::Trivial)])
        {
            let mut lo = 0;
            for end in untimed_blocks(len, cost) {
                assert!(end > lo, "at least one iteration");
                assert!(lo > 0 || end == 1, "the first alone");
                let is_little = end - lo <= if cost == Cost::Trivial { MOST_TRIVIAL } else { MOST_STRIDE }.min(lo);
                assert!(lo == 0 || is_little || end - lo <= len - end + 1, "from {lo} to {end} of {len}");
                lo = end;
            }
        }
        assert_eq!(untimed_blocks(32, Cost::Cheap), [1, 16, 32]);
    }

    #[test]
    fn nobody_waits_for_more_than_has_been_run_before() {
        let strides = Strides { begin: 100, most: 64 };
        let mut lo = 100;
        while lo < 1000 {
            let end = strides.end(lo);
            assert!((lo + 1..=lo + 64).contains(&end) && end - lo <= (lo - 100).max(1));
            lo = end;
        }
    }

    #[test]
    fn the_end_of_a_timed_loop_is_shown_too() {
        let mut pace = Pace::timed(0, 6000);
        pace.strides.most = 50;
        let (mut lo, mut blocks) = (1000, 0);
        while lo < 7000 {
            let end = pace.block_end(lo, 7000);
            assert!(end - lo <= 50 || end - lo <= 7000 - end + ALIGNMENT, "{lo} to {end}");
            (lo, blocks) = (end, blocks + 1);
        }
        assert!(blocks <= 12);
    }
}
