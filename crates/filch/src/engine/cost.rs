//! What an iteration of a kind of loop has turned out to cost.
//!
//! [Guesses](Guess): kept by each worker for itself, by the kind of loop, in a table where kinds may fall on one place.

use crate::engine::frame::Rung;
use crate::engine::team::Ladder;
use crate::sync::{AtomicU8, Ordering};
use filch_policy::loops::{Cost, Guess, HIDDEN_IF_SHORT};

/// Places in the table. Under Miri there are few, because it visits each of them whenever a reference to a worker is
/// passed on.
const PLACES: usize = if cfg!(miri) { 2 } else { 128 };

/// Functions begin at multiples of this on most machines. A place has the same size, so that addresses need not be
/// shifted, which would cost every loop an instruction.
const PLACE_BYTES: usize = 16;

/// What a place holds: how many iterations may be hidden, which every loop asks, and the guess from which this follows.
const HIDDEN: usize = 0;
const GUESS: usize = 1;

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
    let Some((cost, left)) = Guess::of_bits(place.load(Ordering::Relaxed)).spend() else { return Cost::Unknown };
    place.store(left.bits(), Ordering::Relaxed);
    cost
}

/// Notes what an iteration has cost.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
pub(crate) unsafe fn note(rung: Rung, key: usize, cost: Cost) {
    let hidden = if cost == Cost::Unknown { 0 } else { HIDDEN_IF_SHORT };
    // SAFETY: guaranteed by the caller.
    unsafe { place::<GUESS>(rung, key) }.store(Guess::after(cost).bits(), Ordering::Relaxed);
    // SAFETY: guaranteed by the caller.
    unsafe { place::<HIDDEN>(rung, key) }.store(hidden, Ordering::Relaxed);
}
