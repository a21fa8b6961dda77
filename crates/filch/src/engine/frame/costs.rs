//! What iterations of each kind of loop have turned out to cost: a table of each worker. Two kinds may share a place.

use crate::sync::{AtomicU8, Ordering};
use filch_policy::loops::{self, Cost, Guess};

/// Places in the table. Under Miri there are few, because it visits each of them whenever a reference to a worker is
/// passed on.
const PLACES: usize = if cfg!(miri) { 1 } else { 128 };

/// Functions begin at multiples of this on most machines. A place has the same size, so that addresses need not be
/// shifted, which would cost every loop an instruction.
const PLACE_BYTES: usize = if cfg!(miri) { 2 } else { 16 };

/// What a place holds: how many iterations are few, which every loop asks, and the guess from which this follows.
const MOST_FEW: usize = 0;
const GUESS: usize = 1;

/// A worker's [guesses](Guess). Only the occupant accesses them. A kind of loop is the address of a function.
pub(crate) struct Costs([AtomicU8; PLACES * PLACE_BYTES]);

impl Costs {
    pub(crate) fn new() -> Self {
        Costs(std::array::from_fn(|_| AtomicU8::new(0)))
    }

    #[inline(always)]
    fn place<const WHAT: usize>(&self, key: usize) -> &AtomicU8 {
        &self.0[key % (PLACES * PLACE_BYTES) / PLACE_BYTES * PLACE_BYTES + WHAT]
    }

    /// Whether a hidden loop of kind `key` of `len` iterations runs them [as they are](loops::most_few).
    #[inline(always)]
    pub(crate) fn are_few(&self, key: usize, len: u64) -> bool {
        len <= self.place::<MOST_FEW>(key).load(Ordering::Relaxed).into()
    }

    /// What an iteration of loops of kind `key` is believed to cost. Each call uses up one of the loops for which the
    /// guess holds.
    #[inline(always)]
    pub(crate) fn guess(&self, key: usize) -> Cost {
        let place = self.place::<GUESS>(key);
        let Some((cost, left)) = Guess::of_bits(place.load(Ordering::Relaxed)).spend() else { return Cost::Unknown };
        place.store(left.bits(), Ordering::Relaxed);
        cost
    }

    /// Notes what an iteration has cost.
    pub(crate) fn note(&self, key: usize, cost: Cost) {
        self.place::<GUESS>(key).store(Guess::after(cost).bits(), Ordering::Relaxed);
        self.place::<MOST_FEW>(key).store(loops::most_few(cost), Ordering::Relaxed);
    }
}
