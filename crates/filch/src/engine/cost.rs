//! What an iteration of a kind of loop has turned out to cost.
//!
//! Each worker keeps its own [guesses](Guess), by the kind of loop.

use super::cost_table::{GUESS, HIDDEN};
use crate::engine::frame::Rung;
use crate::engine::team::Ladder;
use crate::sync::{AtomicU8, Ordering};
use filch_policy::loops::{Cost, Guess, HIDDEN_IF_SHORT};

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
