//! What loops of each kind have turned out to cost.
//!
//! Guesses, as of a branch predictor: kept by each worker for itself, by the kind of loop, in a table where kinds may
//! fall on one place. A wrong one costs time, or parallelism for once. What could cost parallelism, that loops are short,
//! holds until somebody wants work; besides, each holds for so many loops that are not over at once, and then gives way to a
//! weaker one: cheap to short, short to nothing, and dear to nothing.

use super::{Ladder, Rung};
use crate::sync::{AtomicU8, Ordering};

/// Places in the table: some lines of the cache.
const PLACES: usize = 128;

/// Loops that a guess holds for because one was so, not counting those that it made hidden.
const TIMES: u8 = 64;

/// What is known of the iterations of a kind of loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Cost {
    /// They are long enough to share few of them.
    Dear = 0,
    /// Nothing is known.
    Unknown = Self::UNKNOWN,
    /// A few dozen are over before any could be shared.
    Short = Self::SHORT,
    /// So are some hundreds.
    Cheap = Self::CHEAP,
}

/// What a place holds at the last loop that a guess holds for: one less is another guess.
impl Cost {
    const UNKNOWN: u8 = TIMES;
    const SHORT: u8 = 2 * TIMES;
    const CHEAP: u8 = 3 * TIMES;
}

/// A worker's guesses. Touched by the occupant only.
pub(crate) struct CheapLoops([AtomicU8; PLACES]);

/// Those of the worker whose ladder `rung` belongs to.
///
/// # Safety
///
/// The caller occupies the ladder, until it has let go of what it gets.
#[inline(always)]
pub(crate) unsafe fn guesses<'a>(rung: Rung) -> &'a CheapLoops {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    &unsafe { Ladder::of(rung) }.owner().cheap_loops
}

impl CheapLoops {
    pub(super) fn new() -> Self {
        CheapLoops(std::array::from_fn(|_| AtomicU8::new(Cost::UNKNOWN)))
    }

    /// `key` is the address of what is as long as four words.
    #[inline(always)]
    fn place(&self, key: usize) -> &AtomicU8 {
        &self.0[key / (4 * size_of::<usize>()) % PLACES]
    }

    /// Whether loops of kind `key` are believed to be [short](Cost::Short) or cheaper. They are not counted: a write, and a
    /// read of it by the next loop, take longer than a row of three entries.
    #[inline(always)]
    pub(crate) fn are_short(&self, key: usize) -> bool {
        self.place(key).load(Ordering::Relaxed) >= Cost::SHORT
    }

    /// What is believed of loops of kind `key`: one more of them.
    pub(crate) fn expect(&self, key: usize) -> Cost {
        let place = self.place(key);
        let guess = place.load(Ordering::Relaxed);
        let cost = match guess {
            Cost::CHEAP.. => Cost::Cheap,
            Cost::SHORT.. => Cost::Short,
            Cost::UNKNOWN.. => return Cost::Unknown,
            _ => Cost::Dear,
        };
        place.store(guess.checked_sub(1).unwrap_or(Cost::UNKNOWN), Ordering::Relaxed);
        cost
    }

    /// Notes what one was.
    pub(crate) fn note(&self, key: usize, cost: Cost) {
        let guess = if cost == Cost::Unknown { Cost::UNKNOWN } else { cost as u8 + (TIMES - 1) };
        self.place(key).store(guess, Ordering::Relaxed);
    }

    /// Somebody wants work, and a loop that was believed to be short may have kept him waiting: all such are timed again.
    pub(super) fn doubt(&self) {
        for place in &self.0 {
            if place.load(Ordering::Relaxed) >= Cost::SHORT {
                place.store(Cost::UNKNOWN, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: usize = 0x1000;

    /// What is believed of so many loops.
    fn run(guesses: &CheapLoops, loops: u8) -> Cost {
        (0..loops)
            .map(|_| guesses.expect(KEY))
            .reduce(|one, other| {
                assert_eq!(one, other);
                other
            })
            .unwrap()
    }

    #[test]
    fn a_guess_holds_for_its_times_and_gives_way_to_a_weaker_one() {
        let guesses = CheapLoops::new();
        assert_eq!(run(&guesses, 3), Cost::Unknown);
        guesses.note(KEY, Cost::Cheap);
        assert_eq!(run(&guesses, TIMES), Cost::Cheap);
        assert!(guesses.are_short(KEY));
        assert_eq!(run(&guesses, TIMES), Cost::Short);
        assert!(!guesses.are_short(KEY));
        assert_eq!(run(&guesses, 3), Cost::Unknown);
        guesses.note(KEY, Cost::Dear);
        assert_eq!(run(&guesses, TIMES), Cost::Dear);
        assert_eq!(run(&guesses, 3), Cost::Unknown);
    }

    #[test]
    fn whoever_wants_work_has_short_loops_timed_again_and_leaves_dear_ones_alone() {
        for (cost, then) in [(Cost::Cheap, Cost::Unknown), (Cost::Short, Cost::Unknown), (Cost::Dear, Cost::Dear)] {
            let guesses = CheapLoops::new();
            guesses.note(KEY, cost);
            guesses.doubt();
            assert_eq!(run(&guesses, 1), then);
        }
    }
}
