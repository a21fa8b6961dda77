//! The table of a worker in which it keeps what iterations of each kind of loop have turned out to cost. Two kinds may
//! share a place.

use crate::sync::AtomicU8;

/// Places in the table. Under Miri there are few, because it visits each of them whenever a reference to a worker is
/// passed on.
const PLACES: usize = if cfg!(miri) { 2 } else { 128 };

/// Functions begin at multiples of this on most machines. A place has the same size, so that addresses need not be
/// shifted, which would cost every loop an instruction.
const PLACE_BYTES: usize = 16;

/// What a place holds: how many iterations may be hidden, which every loop asks, and the guess from which this follows.
pub(super) const HIDDEN: usize = 0;
pub(super) const GUESS: usize = 1;

/// A worker's guesses. Only the occupant accesses them.
pub(crate) struct Costs([AtomicU8; PLACES * PLACE_BYTES]);

impl Costs {
    pub(crate) fn new() -> Self {
        Costs(std::array::from_fn(|_| AtomicU8::new(0)))
    }

    /// `key` is the address of a function.
    #[inline(always)]
    pub(super) fn place<const WHAT: usize>(&self, key: usize) -> &AtomicU8 {
        &self.0[key % (PLACES * PLACE_BYTES) / PLACE_BYTES * PLACE_BYTES + WHAT]
    }
}
