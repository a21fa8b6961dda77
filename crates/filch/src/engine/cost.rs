//! What an iteration of a kind of loop has turned out to cost.
//!
//! Guesses, as of a branch predictor: kept by each worker for itself, by the kind of loop, in a table where kinds may
//! fall on one place. A wrong one costs a little time, or parallelism once: whoever acts on one looks after the
//! first iteration whether it was right. One in so many loops is timed all the same.

use crate::engine::frame::Rung;
use crate::engine::team::Ladder;
use crate::sync::{AtomicU8, Ordering};

/// Places in the table. Under Miri there are few, because it visits each of them whenever a reference to a worker is
/// passed on.
const PLACES: usize = if cfg!(miri) { 2 } else { 128 };

/// Functions begin at multiples of this on most machines. A place has the same size, so that addresses need not be
/// shifted, which would cost every loop an instruction.
const PLACE_BYTES: usize = 16;

/// What a place holds: how many iterations may be hidden, which every loop asks, and the guess from which this follows.
const HIDDEN: usize = 0;
const GUESS: usize = 1;

/// How many iterations a loop may hide if they are short.
pub(crate) const HIDDEN_IF_SHORT: u8 = 32;

/// Bits of a place that say for how many more loops the guess holds; the cost is above.
const TIMES_BITS: u32 = 6;

/// Loops that are believed to be what one was.
const TIMES: u8 = (1 << TIMES_BITS) - 1;

/// What an iteration costs, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Cost {
    /// Nothing is known, or it is long.
    Unknown = 0,
    /// Some of them may well be run before anybody may share the loop.
    Short = 1,
    /// A look at the clock costs as much as many.
    Cheap = 2,
    /// A look at E does: it is straight-line code that is run several at a time.
    Trivial = 3,
}

/// A worker's guesses. Only the occupant accesses them.
pub(crate) struct Costs([AtomicU8; PLACES * PLACE_BYTES]);

impl Costs {
    pub(crate) fn new() -> Self {
        Costs(std::array::from_fn(|_| AtomicU8::new(0)))
    }

    /// `key` is the address of a function.
    #[inline(always)]
    fn place<const WHAT: usize>(&self, key: usize) -> &AtomicU8 {
        &self.0[key % (PLACES * PLACE_BYTES) / PLACE_BYTES * PLACE_BYTES + WHAT]
    }
}

/// The place of loops of kind `key`, of the worker that occupies the ladder of `rung`.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`, and does not use the place after it has left.
#[inline(always)]
unsafe fn place<'a, const WHAT: usize>(rung: Rung, key: usize) -> &'a AtomicU8 {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    unsafe { Ladder::of(rung) }.owner().costs.place::<WHAT>(key)
}

/// How many iterations loops of kind `key` may hide. This is 0 unless they are believed to be [short](Cost::Short) or
/// cheaper.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
#[inline(always)]
pub(crate) unsafe fn hidden(rung: Rung, key: usize) -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe { place::<HIDDEN>(rung, key) }.load(Ordering::Relaxed).into()
}

/// What an iteration of loops of kind `key` is believed to cost. Each call uses up one of the loops for which the guess
/// holds.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
#[inline(always)]
pub(crate) unsafe fn guess(rung: Rung, key: usize) -> Cost {
    // SAFETY: guaranteed by the caller.
    let place = unsafe { place::<GUESS>(rung, key) };
    let value = place.load(Ordering::Relaxed);
    if value & TIMES == 0 {
        return Cost::Unknown;
    }
    place.store(value - 1, Ordering::Relaxed);
    match value >> TIMES_BITS {
        1 => Cost::Short,
        2 => Cost::Cheap,
        3 => Cost::Trivial,
        _ => Cost::Unknown,
    }
}

/// Notes what an iteration has cost.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
pub(crate) unsafe fn note(rung: Rung, key: usize, cost: Cost) {
    let (times, hidden) = if cost == Cost::Unknown { (0, 0) } else { (TIMES, HIDDEN_IF_SHORT) };
    // SAFETY: guaranteed by the caller.
    unsafe { place::<GUESS>(rung, key) }.store((cost as u8) << TIMES_BITS | times, Ordering::Relaxed);
    // SAFETY: guaranteed by the caller.
    unsafe { place::<HIDDEN>(rung, key) }.store(hidden, Ordering::Relaxed);
}
