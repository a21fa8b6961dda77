//! How long blocks are: as many iterations as take a few microseconds.
//!
//! Nobody knows beforehand what an iteration costs. So a loop begins with a block of one, and looks at the clock after
//! every block. That would cost short loops of cheap iterations more than their work; so each worker remembers what
//! iterations have turned out to [cost](Cost) (`engine/cost.rs`). A loop of cheap ones begins with longer blocks, and
//! without the clock, until it has run many iterations or somebody wants something.
//!
//! Iterations that were cheap may turn dear, within a block too. So a block is run in strides with a look at E in
//! between, three instructions: after the first iteration, and then as often as that costs little, by what is known of
//! the iterations. What nobody can share is at most [`MOST_STRIDE`] iterations; [`MOST_TRIVIAL`] of those that cannot
//! turn dear, by all that is known.
//!
//! Longer blocks end where vectors and cache lines do: a vector loop that begins at an odd index reads across lines.

use crate::constructs::loops::frame::ALIGNMENT;
use crate::engine::cost::Cost;
use crate::sync::clock;

/// A block is to take this long: short against the patience of an asker, long against a look at the clock (27 ns here).
const BLOCK_NS: u64 = 6_000;

/// How many times as many iterations may have been run after a block as before it, in a loop that is believed to be
/// cheap.
const GROWTH: u64 = 16;

/// The same at the end, where nothing is left to others.
const GROWTH_AT_THE_END: u64 = 4;

/// Of a loop of so few the first iteration is a block by itself: it may be one for each worker.
const FEW_LEFT: u64 = 2 * MOST_STRIDE;

/// How many a block of such a loop may be at least.
const FIRST: u64 = 1024;

/// Cheap iterations take no longer than this: so [`UNTIMED`] of them are no longer than a few blocks.
const CHEAP_NS: u64 = 4;

/// What else may add to the time of a block: a line that is not in the cache.
const MISS_NS: u64 = 100;

/// How much longer than the one before a block may be that is expected to be short.
const TIMED_GROWTH: u64 = 16;

/// Iterations that a loop may run before it looks at the clock.
const UNTIMED: u64 = 4096;

/// Iterations between two looks at E, at most.
const MOST_STRIDE: u64 = 64;

/// The same, where they are trivial.
const MOST_TRIVIAL: u64 = 512;

/// No more than so many as take this long: to leave the loop over them costs some tens of nanoseconds, for what the
/// processor had learnt of its jumps.
const STRIDE_NS: u64 = 1_500;

/// Iterations shorter than this, a cycle at 4 GHz, do without a jump of their own: they are unrolled or made into
/// vectors, which compilers do to no loop that calls something; so none of them turns dear.
const TRIVIAL_PS: u64 = 250;

/// Fewer than this do not tell what takes less than a look at the clock.
const ENOUGH_TO_TELL: u64 = 128;

/// Iterations up to this long may be hidden, a few of them, behind what is older.
const SHORT_NS: u64 = 1_000;

/// How far a block runs between two looks at whether somebody wants something.
#[derive(Clone, Copy)]
pub(crate) struct Strides {
    /// The iteration that is alone, the first; none where they are trivial.
    alone: u64,
    most: u64,
    /// Which bits an end may have: at a line of the cache, if it is far.
    ends: u64,
}

impl Strides {
    /// For blocks during which nobody can share the loop anyway.
    pub(crate) const OF_HIDDEN: Strides = Strides { alone: u64::MAX, most: MOST_STRIDE, ends: !(ALIGNMENT - 1) };

    /// Of a loop, or a part of one, that began there.
    fn new(begin: u64, most: u64) -> Self {
        let alone = if most == MOST_TRIVIAL { u64::MAX } else { begin };
        Strides { alone, most, ends: if most < ALIGNMENT { !0 } else { !(ALIGNMENT - 1) } }
    }

    /// Where to look next, from `lo` on. There is no `if` on what stays the same in a block: the compiler would make a
    /// copy of the block's loop for each outcome.
    #[inline(always)]
    pub(crate) fn end(self, lo: u64) -> u64 {
        let far = lo.saturating_add(self.most) & self.ends;
        if lo == self.alone { lo + 1 } else { far }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Where the loop, or the part of it, began.
    begin: u64,
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
    pub(crate) fn untimed(run: u64, cost: Cost) -> Self {
        let most = if cost == Cost::Trivial { MOST_TRIVIAL } else { MOST_STRIDE };
        Pace { begin: 0, block: untimed_block(run), strides: Strides::new(0, most), since_ns: 0, since_lo: 0 }
    }

    /// For a loop, or a part of one, from `lo` on.
    pub(crate) fn timed(lo: u64, block: u64) -> Self {
        let strides = Strides::new(lo, MOST_STRIDE);
        Pace { begin: lo, block: block.max(1), strides, since_ns: clock::now_ns(), since_lo: lo }
    }

    #[inline(always)]
    pub(crate) fn strides(&self) -> Strides {
        self.strides
    }

    /// Where the next block ends, of what is left from `lo` to `end`. Half of that is left to others; all but one
    /// iteration at first, if there are few of them; and nothing at the end, if that is little.
    #[inline(always)]
    pub(crate) fn block_end(&self, lo: u64, end: u64) -> u64 {
        let left = end - lo;
        let ran = lo - self.begin;
        let is_untimed = self.since_ns == 0;
        // Of the last block nobody is shown anything, so nobody asks while it runs.
        let most = match self.strides.most {
            MOST_TRIVIAL => 2 * MOST_TRIVIAL,
            _ if is_untimed => MOST_TRIVIAL,
            most => most,
        };
        let little = most.min((GROWTH_AT_THE_END - 1) * ran);
        if left <= self.block && left <= little {
            return end;
        }
        let block = if ran == 0 && left <= FEW_LEFT { 1 } else { self.block.min((left / 2).max(1)) };
        let block_end = lo + block;
        if block < 2 * ALIGNMENT { block_end } else { block_end & !(ALIGNMENT - 1) }
    }

    /// After a block that has come to `lo`: that of the next one, if that needs no look at the clock.
    #[inline(always)]
    pub(crate) fn without_look(self, lo: u64) -> Option<Self> {
        if self.since_ns == 0 {
            return (lo < UNTIMED).then(|| Pace { block: untimed_block(lo), ..self });
        }
        // Towards the end blocks are shorter than they may be.
        (2 * (lo - self.since_lo) <= self.block).then_some(self)
    }

    /// After a block, or in the middle of one, by the clock; and what iterations cost, if that is known.
    pub(crate) fn after(self, lo: u64) -> (Self, Option<Cost>) {
        let now = clock::now_ns();
        if self.since_ns == 0 {
            // Untimed, and wanted perhaps: it may have turned dear, so the next look is soon.
            return (Pace { block: self.block.min(lo.max(1)), since_ns: now, since_lo: lo, ..self }, None);
        }
        let (run, took_ns) = (lo - self.since_lo, (now - self.since_ns).saturating_sub(clock::look_ns()));
        let (block, strides) = (next_block(run, took_ns), Strides::new(self.begin, next_stride(run, took_ns)));
        (Pace { block, strides, since_ns: now, since_lo: lo, ..self }, Some(cost_of(run, took_ns)))
    }

    /// Whether a look at the clock at the end of the loop, at `lo`, tells more of what iterations cost than those
    /// before.
    #[inline(always)]
    pub(crate) fn tells_at_end(self, lo: u64) -> bool {
        self.since_ns != 0 && lo - self.since_lo >= ENOUGH_TO_TELL
    }

    /// How many iterations are known to take as long as a block should; 0 if nothing is known.
    pub(crate) fn timed_block(self) -> u64 {
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
    } else if took_ns <= run * CHEAP_NS + MISS_NS {
        Cost::Cheap
    } else if took_ns <= run * SHORT_NS + MISS_NS {
        Cost::Short
    } else {
        Cost::Unknown
    }
}

fn is_trivial(run: u64, took_ns: u64) -> bool {
    run >= ENOUGH_TO_TELL && took_ns * 1000 < run * TRIVIAL_PS
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
                assert!(
                    end - lo <= len - end + 1 || end <= GROWTH_AT_THE_END * lo.max(1),
                    "from {lo} to {end} of {len}"
                );
                lo = end;
            }
        }
        assert_eq!(untimed_blocks(5, Cost::Cheap), [1, 3, 5]);
        assert_eq!(untimed_blocks(1000, Cost::Cheap), [448, 704, 1000]);
        assert_eq!(untimed_blocks(1000, Cost::Trivial), [448, 1000]);
    }

    #[test]
    fn the_first_iteration_is_alone_and_then_there_is_a_look_at_each_line() {
        let ends = |most| {
            let strides = Strides::new(128, most);
            std::iter::successors(Some(128), move |&lo| Some(strides.end(lo))).skip(1).take(4).collect::<Vec<_>>()
        };
        assert_eq!(ends(MOST_STRIDE), [129, 192, 256, 320]);
        assert_eq!(ends(3), [129, 132, 135, 138]);
        assert_eq!(ends(MOST_TRIVIAL), [640, 1152, 1664, 2176]);
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
