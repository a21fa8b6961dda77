//! Marks: which workers have something, or do something, as one bit for each. Who looks for one of them reads a cache
//! line for each word of bits, and not one for each worker.
//!
//! Any thread may change any bit, and the bits of a word have different owners. So every change is a read-modify-write:
//! a load and a store would lose what another thread changes in between. Words have cache lines of their own, because a
//! line that is changed by more workers is more often away.
//!
//! A mark says as much as a flag of that worker would: all accesses are sequentially consistent. What a mark means, and
//! under which lock it is changed if under one, its user says. Loom checks these sources (`loom_tests.rs`). May import:
//! `sync`.

#[cfg(all(test, loom))]
mod loom_tests;

use crate::sync::{AtomicUsize, Ordering};
use crossbeam_utils::CachePadded;
use std::ops::Range;

const BITS: usize = usize::BITS as usize;

/// A set of workers.
pub(crate) struct Marks {
    words: Box<[CachePadded<AtomicUsize>]>,
}

impl Marks {
    /// None of so many workers.
    pub(crate) fn none(workers: usize) -> Self {
        Marks { words: (0..workers.div_ceil(BITS)).map(|_| CachePadded::new(AtomicUsize::new(0))).collect() }
    }

    fn place(&self, worker: usize) -> (&AtomicUsize, usize) {
        (&self.words[worker / BITS], 1 << (worker % BITS))
    }

    /// Marks a worker.
    pub(crate) fn insert(&self, worker: usize) {
        let (word, bit) = self.place(worker);
        if mutant!("mark_overwritten") {
            return word.store(word.load(Ordering::SeqCst) | bit, Ordering::SeqCst);
        }
        word.fetch_or(bit, Ordering::SeqCst);
    }

    /// Removes the mark of a worker. Returns whether it was there: of several threads, one removes it.
    pub(crate) fn remove(&self, worker: usize) -> bool {
        let (word, bit) = self.place(worker);
        word.load(Ordering::SeqCst) & bit != 0 && word.fetch_and(!bit, Ordering::SeqCst) & bit != 0
    }

    /// The first marked one of these workers.
    pub(crate) fn first(&self, among: Range<usize>) -> Option<usize> {
        let mut from = among.start;
        while from < among.end {
            let (word, bit) = self.place(from);
            // Without the workers below `from`.
            let marked = word.load(Ordering::SeqCst) & bit.wrapping_neg();
            let begin = from - from % BITS;
            if marked != 0 {
                let worker = begin + marked.trailing_zeros() as usize;
                return (worker < among.end).then_some(worker);
            }
            from = begin + BITS;
        }
        None
    }

    /// The marked ones of these workers, in order. Each is looked for when it is asked for.
    pub(crate) fn iter(&self, among: Range<usize>) -> impl Iterator<Item = usize> {
        let mut rest = among;
        std::iter::from_fn(move || {
            let worker = self.first(rest.clone())?;
            rest.start = worker + 1;
            Some(worker)
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn marks_are_the_members_of_an_ordered_set() {
        let mut random = filch_policy::Random::new(1);
        for workers in [1, 2, BITS - 1, BITS, BITS + 1, 3 * BITS + 7] {
            let (marks, mut set) = (Marks::none(workers), BTreeSet::new());
            for _ in 0..if cfg!(miri) { 20 } else { 1_000 } {
                let worker = random.below(workers);
                if random.below(4) == 0 {
                    marks.insert(worker);
                    set.insert(worker);
                } else {
                    assert_eq!(marks.remove(worker), set.remove(&worker));
                }
                let start = random.below(workers + 1);
                let among = start..start + random.below(workers + 1 - start);
                assert!(marks.iter(among.clone()).eq(set.range(among.clone()).copied()), "{among:?}");
            }
        }
    }
}
