//! Spare ladders: for threads that borrow a seat or work without one, and for those that help aside
//! (`engine/wait/spare_ladder.rs`).
//!
//! A borrower gets a seat and not the lender's ladder, because the lender may still hold strands of that ladder. Safe
//! code can use such a strand while the seat is away: a wrapper that asserts `Send`, and checks that it stays on its
//! own thread, can carry the strand past an implicit join.
//!
//! A spare ladder is made when it is first needed and kept for the next use, so there are never more than were in use
//! at one time. Spare ladders do not move while the team lives, so thieves look at them without a lock.

use crate::protocol::ladder::{Frame, Ladder, LadderBox};
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::sync::OnceLock;

const CHUNK: usize = 64;

/// The largest number of chunks.
const CHUNKS: usize = if cfg!(miri) { 4 } else { 128 };

type Chunk<F> = Box<[OnceLock<LadderBox<F>>]>;

pub(crate) struct SpareWorkers<F: Frame> {
    chunks: [OnceLock<Chunk<F>>; CHUNKS],
    made: AtomicUsize,
    free: Mutex<Vec<usize>>,
}

impl<F: Frame> SpareWorkers<F> {
    pub(crate) fn new() -> Self {
        SpareWorkers {
            chunks: [const { OnceLock::new() }; CHUNKS],
            made: AtomicUsize::new(0),
            free: Mutex::new(Vec::new()),
        }
    }

    /// The number of spare ladders.
    pub(crate) fn count(&self) -> usize {
        self.made.load(Ordering::Acquire)
    }

    /// The spare ladder with this index, which must have been made.
    pub(crate) fn get(&self, index: usize) -> &Ladder<F> {
        let chunk = self.chunks[index / CHUNK].get();
        chunk.and_then(|chunk| chunk[index % CHUNK].get()).expect("a spare worker is known by its name once it is made")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Ladder<F>> {
        (0..self.count()).map(|index| self.get(index))
    }

    /// The index of a spare ladder that no thread occupies; `make` makes one if there is none. `None` if there are
    /// `most` of them, or if there is no memory.
    pub(crate) fn take(&self, most: usize, make: impl FnOnce(usize) -> Option<LadderBox<F>>) -> Option<usize> {
        let mut free = lock(&self.free);
        if let Some(index) = free.pop() {
            return Some(index);
        }
        let index = self.count();
        if index >= most.min(CHUNKS * CHUNK) {
            return None;
        }
        let spare = make(index)?;
        let chunk = self.chunks[index / CHUNK].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        // The lock is held, so no other thread has filled this place.
        let _ = chunk[index % CHUNK].set(spare);
        self.made.store(index + 1, Ordering::Release);
        Some(index)
    }

    /// Makes a spare ladder free again, because its occupant has left.
    pub(crate) fn give_back(&self, index: usize) {
        lock(&self.free).push(index);
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::team::lifetime::small_team;

    /// Its name is no seat, and thieves of other squads look for its seat before its occupant has come.
    #[test]
    fn a_spare_worker_is_on_a_seat_from_the_beginning() {
        let team = small_team(2);
        let spare = team.make_spare(0, 1).expect("memory for a small ladder");
        assert_eq!((spare.owner().index(), spare.owner().seat()), (2, 1));
    }
}
