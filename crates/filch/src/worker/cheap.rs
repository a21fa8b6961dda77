//! Which loops have turned out to be cheap.
//!
//! Guesses, as of a branch predictor: kept by each worker for itself, by the kind of loop, in a table where kinds may
//! fall on one place. A wrong one costs time, or parallelism for once. One in so many loops is timed all the same.

use super::{Ladder, Rung};
use crate::sync::{AtomicU8, Ordering};

/// Places in the table: some lines of the cache.
const PLACES: usize = 128;

/// Loops that are believed to be cheap because one was.
const TIMES: u8 = 64;

/// A worker's guesses: for how many more loops each holds. Touched by the occupant only.
pub(super) struct CheapLoops([AtomicU8; PLACES]);

impl CheapLoops {
    pub(super) fn new() -> Self {
        CheapLoops(std::array::from_fn(|_| AtomicU8::new(0)))
    }

    /// `key` is the address of what is as long as four words.
    #[inline(always)]
    fn place(&self, key: usize) -> &AtomicU8 {
        &self.0[key / (4 * size_of::<usize>()) % PLACES]
    }
}

/// Whether a loop of kind `key` is believed to be cheap.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
#[inline(always)]
pub(crate) unsafe fn is_known(rung: Rung, key: usize) -> bool {
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let place = unsafe { Ladder::of(rung) }.owner().cheap_loops.place(key);
    let times = place.load(Ordering::Relaxed);
    place.store(times.saturating_sub(1), Ordering::Relaxed);
    times > 0
}

/// Notes what one was.
///
/// # Safety
///
/// The caller occupies the ladder of `rung`.
pub(crate) unsafe fn note(rung: Rung, key: usize, is_cheap: bool) {
    // SAFETY: as above.
    let place = unsafe { Ladder::of(rung) }.owner().cheap_loops.place(key);
    place.store(if is_cheap { TIMES } else { 0 }, Ordering::Relaxed);
}
