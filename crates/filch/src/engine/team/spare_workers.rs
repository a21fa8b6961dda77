//! Spare ladders: for threads that borrow a seat or work without one, for those that help aside
//! (`engine/wait/spare_ladder.rs`), and for the seats of workers that block.
//!
//! A borrower gets a seat and not the lender's ladder, because the lender may still hold strands of that ladder. Safe
//! code can use such a strand while the seat is away: a wrapper that asserts `Send`, and checks that it stays on its
//! own thread, can carry the strand past an implicit join.
//!
//! While a worker is in a blocking section, a spare one is on its seat (`engine/wait/blocking.rs`). Afterwards a worker
//! that had a seat from the beginning may be the one that is spare.
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
    /// The names of the workers that no thread occupies: of spare ones, and of others whose seat another worker is on.
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

    /// A worker that no thread occupies, by its name; `make` makes a spare one if there is none. The names of spare
    /// workers begin at `first`. `None` if there are `most` workers, or if there is no memory.
    pub(crate) fn take(
        &self,
        first: usize,
        most: usize,
        make: impl FnOnce(usize) -> Option<LadderBox<F>>,
    ) -> Option<usize> {
        let mut free = lock(&self.free);
        if let Some(name) = free.pop() {
            return Some(name);
        }
        let index = self.count();
        if index >= (most - first).min(CHUNKS * CHUNK) {
            return None;
        }
        let spare = make(index)?;
        let chunk = self.chunks[index / CHUNK].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        // The lock is held, so no other thread has filled this place.
        let _ = chunk[index % CHUNK].set(spare);
        self.made.store(index + 1, Ordering::Release);
        Some(first + index)
    }

    /// The occupant of this worker has left.
    pub(crate) fn give_back(&self, name: usize) {
        lock(&self.free).push(name);
    }

    /// As [`give_back`](Self::give_back). Takes a worker below `first` instead, if there is one.
    pub(crate) fn exchange(&self, first: usize, name: usize) -> Option<usize> {
        lock(&self.free).iter_mut().find(|free| **free < first).map(|free| std::mem::replace(free, name))
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
