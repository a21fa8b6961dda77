//! How long the blocks of a loop are: as many iterations as take a few microseconds.
//!
//! It is not known beforehand what an iteration costs. So a loop begins with a block of one iteration, and looks at the
//! clock after every block. For a short loop of cheap iterations, the clock would cost more than the work. So each
//! worker remembers what iterations have turned out to [cost](Cost). A loop of cheap iterations begins with longer
//! blocks and does not look at the clock until it has run many iterations, or another worker wants something. The time
//! is an argument: to a loop that is [timed](Pace::timed) from its beginning, and [after](Pace::after) a look at the
//! clock.
//!
//! Decided from the place in the loop and from how long iterations have taken. Before every block except the last, the
//! rest of the loop is made visible to other workers, which can take half of it (Acar, Charguéraud, Guatto, Rainey and
//! Sieczkowski 2018, section 4).
//!
//! Iterations that were cheap may become slow, even within a block. So a block is run in strides, with a look at E, the
//! bound of the ladder, in between. This look takes three instructions. It comes after the first iteration, and then as
//! often as its cost is small compared with what is known of the iterations. So at most [`MOST_STRIDE`] iterations
//! cannot be shared, or [`MOST_TRIVIAL`] if they are so short that they cannot become slow. The last block is an
//! exception: see `Pace::block_end`.
//!
//! Long blocks end at multiples of a cache line. A vector loop that begins at an odd index would read across lines.

use super::cost::Cost;
use super::split::ALIGNMENT;

/// How many iterations run between two looks at whether a loop is stopped, if there is no room for a frame.
pub const SERIAL_BLOCK: u64 = 256;

/// A block should take this long. This is short compared with the patience of an asker, and long compared with a look
/// at the clock (27 ns on the machine where this was measured).
const BLOCK_NS: u64 = 6_000;

/// In a loop that is believed to be cheap, a block may end where this many times as many iterations have been run as
/// before it.
const GROWTH: u64 = 16;

/// The same for the last block, after which nothing is left to other workers.
const GROWTH_AT_THE_END: u64 = 4;

/// If a loop has at most this many iterations, its first one is a block by itself, because the program may mean one
/// iteration for each worker.
const FEW_LEFT: u64 = 2 * MOST_STRIDE;

/// In a loop that is believed to be cheap, the limit on a block is at least this many iterations.
const FIRST: u64 = 1024;

/// Cheap iterations take no longer than this. So [`UNTIMED`] of them take no longer than a few blocks.
const CHEAP_NS: u64 = 4;

/// The time of one cache miss, which may be part of a measured time.
const MISS_NS: u64 = 100;

/// If a block took less time than it should, the next one is at most this many times as long.
const TIMED_GROWTH: u64 = 16;

/// How many iterations a loop may run before it looks at the clock.
pub const UNTIMED: u64 = 4096;

/// How many iterations may run between two looks at E.
pub(super) const MOST_STRIDE: u64 = 64;

/// The same for trivial iterations.
const MOST_TRIVIAL: u64 = 512;

/// A stride is as many iterations as take this long, or fewer. The end of a stride costs some tens of nanoseconds,
/// because the branch predictor of the processor expects the loop to go on.
const STRIDE_NS: u64 = 1_500;

/// Iterations shorter than this, one cycle at 4 GHz, do not have a jump of their own: the compiler has unrolled or
/// vectorised the loop. It does that to no loop that calls something, so such iterations do not become slow.
const TRIVIAL_PS: u64 = 250;

/// Fewer iterations than this do not show whether they are trivial. This many trivial iterations take about as long as
/// a look at the clock.
const ENOUGH_TO_TELL: u64 = 128;

/// A loop whose iterations take no longer than this may hide a few of them behind older work.
const SHORT_NS: u64 = 1_000;

/// How far a block runs between two looks at whether another worker wants something.
#[derive(Clone, Copy, Debug)]
pub struct Strides {
    /// The first iteration, which is a stride by itself; `u64::MAX` if there is no such iteration.
    alone: u64,
    most: u64,
    /// The bits that the end of a stride may have. A long stride ends at a multiple of a cache line.
    ends: u64,
}

impl Strides {
    /// For blocks during which other workers cannot share the loop anyway.
    pub const OF_HIDDEN: Strides = Strides { alone: u64::MAX, most: MOST_STRIDE, ends: !(ALIGNMENT - 1) };

    /// Whole blocks.
    pub const ONE: Strides = Strides { alone: u64::MAX, most: u64::MAX, ends: !0 };

    /// For the first [`UNTIMED`] iterations of a loop with this cost that is hidden behind older work. `None` if it is
    /// not hidden.
    pub fn hidden(cost: Cost) -> Option<Strides> {
        let most = match cost {
            Cost::Unknown => return None,
            Cost::Short => 1,
            Cost::Cheap => MOST_STRIDE,
            Cost::Trivial => MOST_TRIVIAL,
        };
        Some(Strides { alone: 0, ..Strides::new(0, most) })
    }

    /// For a loop, or a part of one, that began at `begin`, with strides of at most `most` iterations.
    fn new(begin: u64, most: u64) -> Self {
        let alone = if most == MOST_TRIVIAL { u64::MAX } else { begin };
        Strides { alone, most, ends: if most < ALIGNMENT { !0 } else { !(ALIGNMENT - 1) } }
    }

    /// Where to look next after `lo`. There is no `if` on what stays the same during a block, because the compiler
    /// would make a copy of the block's loop for each outcome.
    #[inline(always)]
    pub fn end(self, lo: u64) -> u64 {
        let far = lo.saturating_add(self.most) & self.ends;
        if lo == self.alone { lo + 1 } else { far }
    }
}

/// Where the next block of a loop ends, and whether a look at the clock is needed.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Where the loop, or the part of it, began.
    begin: u64,
    /// The longest that the next block may be; at least 1.
    block: u64,
    /// How often to look at E within a block.
    strides: Strides,
    /// When and where the current measurement began. The time is 0 before the first look at the clock.
    since_ns: u64,
    since_lo: u64,
}

impl Pace {
    /// Whether a loop with this cost begins without looking at the clock.
    #[inline(always)]
    pub fn is_untimed(cost: Cost) -> bool {
        cost >= Cost::Cheap
    }

    /// For a loop that has run this many iterations. Their cost is cheap or trivial.
    #[inline(always)]
    pub fn untimed(run: u64, cost: Cost) -> Self {
        let most = if cost == Cost::Trivial { MOST_TRIVIAL } else { MOST_STRIDE };
        Pace { begin: 0, block: untimed_block(run), strides: Strides::new(0, most), since_ns: 0, since_lo: 0 }
    }

    /// For a loop, or a part of one, that begins at `lo` at time `now_ns`, which must not be 0. A block is known to be
    /// this many iterations.
    pub fn timed(lo: u64, block: u64, now_ns: u64) -> Self {
        let strides = Strides::new(lo, MOST_STRIDE);
        Pace { begin: lo, block: block.max(1), strides, since_ns: now_ns, since_lo: lo }
    }

    /// How often to look within the next block whether another worker wants something.
    #[inline(always)]
    pub fn strides(&self) -> Strides {
        self.strides
    }

    /// Where the next block ends, if `lo..end` is left. At least half of that is left to other workers. If there are
    /// few iterations, all but the first are left to others at the beginning. At the end nothing is left, if the last
    /// block is short.
    #[inline(always)]
    pub fn block_end(&self, lo: u64, end: u64) -> u64 {
        let left = end - lo;
        let ran = lo - self.begin;
        let is_untimed = self.since_ns == 0;
        // The last block runs with the frame off the ladder, so no other worker can ask for a part of it. So its
        // length is limited.
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

    /// The pace after a block that ended at `lo`. Returns `None` if a look at the clock is needed.
    #[inline(always)]
    pub fn without_look(self, lo: u64) -> Option<Self> {
        if self.since_ns == 0 {
            return (lo < UNTIMED).then(|| Pace { block: untimed_block(lo), ..self });
        }
        // Towards the end of a loop, blocks are shorter than they may be.
        (2 * (lo - self.since_lo) <= self.block).then_some(self)
    }

    /// The pace after a look at the clock at `now_ns`, which comes at the end of a block or in the middle of one.
    /// `look_ns` is what such a look takes. Also returns what iterations cost, if that is known.
    pub fn after(self, lo: u64, now_ns: u64, look_ns: u64) -> (Self, Option<Cost>) {
        if self.since_ns == 0 {
            // This loop was not timed, and perhaps another worker wants something. The iterations may have become slow,
            // so the next look comes soon.
            return (Pace { block: self.block.min(lo.max(1)), since_ns: now_ns, since_lo: lo, ..self }, None);
        }
        let (run, took_ns) = (lo - self.since_lo, (now_ns - self.since_ns).saturating_sub(look_ns));
        let (block, strides) = (next_block(run, took_ns), Strides::new(self.begin, next_stride(run, took_ns)));
        (Pace { block, strides, since_ns: now_ns, since_lo: lo, ..self }, Some(cost_of(run, took_ns)))
    }

    /// The pace after a block that ended at `lo`, where no clock is read: blocks double, as if they were short.
    #[must_use]
    pub fn after_unread(self, lo: u64) -> Self {
        self.after(lo, self.since_ns + BLOCK_NS / 3, 0).0
    }

    /// Whether a look at the clock at `lo`, the end of the loop, would show more about the cost of iterations than the
    /// looks before.
    #[inline(always)]
    pub fn tells_at_end(self, lo: u64) -> bool {
        self.since_ns != 0 && lo - self.since_lo >= ENOUGH_TO_TELL
    }

    /// How many iterations are known to take as long as a block should; 0 if that is not known.
    pub fn timed_block(self) -> u64 {
        if self.since_ns == 0 { 0 } else { self.block }
    }
}

/// The longest next block of a loop of cheap iterations that has run this many.
#[inline(always)]
fn untimed_block(run: u64) -> u64 {
    ((GROWTH - 1) * run).max(FIRST)
}

/// The cost of iterations if `run` of them took `took_ns`.
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

/// How far to go between two looks at E, after `run` iterations that took `took_ns`.
fn next_stride(run: u64, took_ns: u64) -> u64 {
    if is_trivial(run, took_ns) { MOST_TRIVIAL } else { (run * STRIDE_NS / took_ns.max(1)).clamp(1, MOST_STRIDE) }
}

/// The length of the next block, after `block` iterations that took `took_ns`.
fn next_block(block: u64, took_ns: u64) -> u64 {
    if took_ns < BLOCK_NS / 2 {
        // If the time is nearly long enough, the length grows by little.
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
    fn a_hidden_loop_looks_after_its_first_iteration_and_then_as_often_as_its_cost_allows() {
        assert!(Strides::hidden(Cost::Unknown).is_none());
        for (cost, most) in [(Cost::Short, 1), (Cost::Cheap, MOST_STRIDE), (Cost::Trivial, MOST_TRIVIAL)] {
            let strides = Strides::hidden(cost).unwrap();
            assert_eq!(strides.end(0), 1);
            assert!((1..UNTIMED).all(|lo| (1..=most).contains(&(strides.end(lo) - lo))));
        }
    }

    #[test]
    fn a_body_of_a_second_is_polled_each_time() {
        assert_eq!(next_block(1, 1_000_000_000), 1);
        assert_eq!(next_block(4096, 4_096_000_000_000), 1, "at once, however cheap the earlier iterations were");
    }

    /// The ends of the blocks of a loop of `len` iterations, up to its first look at the clock.
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
        let mut pace = Pace::timed(0, 6000, 1);
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
