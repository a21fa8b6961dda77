//! What an iteration of a kind of loop has turned out to cost.
//!
//! Each worker keeps its own [guesses](Guess), by the kind of loop.

use super::cost_table::{GUESS, HIDDEN};
use crate::engine::occupied::Occupied;
use crate::sync::{AtomicU8, Ordering};
use filch_policy::loops::{Cost, Guess, HIDDEN_IF_SHORT};

/// The place of loops of kind `key`, of this worker.
#[inline(always)]
fn place<const WHAT: usize>(at: Occupied<'_>, key: usize) -> &AtomicU8 {
    at.owner().costs.place::<WHAT>(key)
}

/// How many iterations loops of kind `key` may hide. This is 0 unless they are believed to be [short](Cost::Short) or
/// cheaper.
#[inline(always)]
pub(crate) fn hidden(at: Occupied<'_>, key: usize) -> u64 {
    place::<HIDDEN>(at, key).load(Ordering::Relaxed).into()
}

/// What an iteration of loops of kind `key` is believed to cost. Each call uses up one of the loops for which the guess
/// holds.
#[inline(always)]
pub(crate) fn guess(at: Occupied<'_>, key: usize) -> Cost {
    let place = place::<GUESS>(at, key);
    let Some((cost, left)) = Guess::of_bits(place.load(Ordering::Relaxed)).spend() else { return Cost::Unknown };
    place.store(left.bits(), Ordering::Relaxed);
    cost
}

/// Notes what an iteration has cost.
pub(crate) fn note(at: Occupied<'_>, key: usize, cost: Cost) {
    let hidden = if cost == Cost::Unknown { 0 } else { HIDDEN_IF_SHORT };
    place::<GUESS>(at, key).store(Guess::after(cost).bits(), Ordering::Relaxed);
    place::<HIDDEN>(at, key).store(hidden, Ordering::Relaxed);
}
