//! Ladders beside those of the seats, for threads that borrow a seat, and for those that help aside (`wait/spare_ladder.rs`).
//!
//! The right to sit is lent, not the ladder: the lender may still hold strands of its own ladder, and safe code can
//! bring one to the surface while the seat is out (design, section 3: a wrapper that asserts `Send` and is kept on its
//! own thread). Made when first needed, kept for the next, never more than are in use at a time. They stay where
//! they are for as long as the team lives, so thieves look at them without a lock.

use crate::protocol::ladder::{Ladder, LadderBox};
use crate::sync::{AtomicUsize, Mutex, Ordering, lock};
use std::sync::OnceLock;

const CHUNK: usize = 64;

/// Chunks that there can be.
const CHUNKS: usize = 128;

type Chunk<F, O> = Box<[OnceLock<LadderBox<F, O>>]>;

pub(super) struct SpareWorkers<F, O> {
    chunks: [OnceLock<Chunk<F, O>>; CHUNKS],
    made: AtomicUsize,
    free: Mutex<Vec<usize>>,
}

impl<F, O> SpareWorkers<F, O> {
    pub(crate) fn new() -> Self {
        SpareWorkers {
            chunks: std::array::from_fn(|_| OnceLock::new()),
            made: AtomicUsize::new(0),
            free: Mutex::new(Vec::new()),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.made.load(Ordering::Acquire)
    }

    /// One of them.
    pub(crate) fn get(&self, index: usize) -> &Ladder<F, O> {
        let chunk = self.chunks[index / CHUNK].get();
        chunk.and_then(|chunk| chunk[index % CHUNK].get()).expect("a spare worker is known by its name once it is made")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Ladder<F, O>> {
        (0..self.count()).map(|index| self.get(index))
    }

    /// One that nobody occupies, made by `make` if need be. `None` beyond `most`, or where there is no memory.
    pub(crate) fn take(&self, most: usize, make: impl FnOnce(usize) -> Option<LadderBox<F, O>>) -> Option<usize> {
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
        // Under the lock, so this place is empty.
        let _ = chunk[index % CHUNK].set(spare);
        self.made.store(index + 1, Ordering::Release);
        Some(index)
    }

    /// Its occupant has left.
    pub(crate) fn give_back(&self, index: usize) {
        lock(&self.free).push(index);
    }
}
