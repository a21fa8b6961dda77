//! The vertices that wait to be processed, in buckets by their distance.
//!
//! Each piece of work takes a set of bins from a list, adds vertices to it, and puts it back. So there are only as many
//! sets as pieces run at the same time, and a bin is locked once for a piece, not for a vertex. Between two steps the
//! vertices of the lowest bucket are taken from all sets, without copying them.

use std::sync::{Mutex, PoisonError};

/// The buckets from a lowest one on. Bucket b is at index b modulo the number of bins, which is a power of two.
pub(super) struct Bins<V> {
    bins: Vec<Vec<V>>,
    /// The number of vertices in all bins.
    len: usize,
}

impl<V> Bins<V> {
    fn new(count: usize) -> Self {
        Bins { bins: std::iter::repeat_with(Vec::new).take(count).collect(), len: 0 }
    }

    /// Adds a vertex to a bucket, or to the highest bucket that has a bin while `lowest` is the lowest one.
    #[inline(always)]
    pub(super) fn push(&mut self, v: V, bucket: u64, lowest: u64) {
        let mask = self.bins.len() as u64 - 1;
        let bucket = bucket.min(lowest + mask);
        self.bins[(bucket & mask) as usize].push(v);
        self.len += 1;
    }

    /// Takes the vertices of a bucket. `spare` becomes its empty bin.
    pub(super) fn take(&mut self, bucket: u64, spare: Vec<V>) -> Vec<V> {
        let mask = self.bins.len() as u64 - 1;
        let vertices = std::mem::replace(&mut self.bins[(bucket & mask) as usize], spare);
        self.len -= vertices.len();
        vertices
    }

    /// The number of vertices in a bucket.
    pub(super) fn len_of(&self, bucket: u64) -> usize {
        let mask = self.bins.len() as u64 - 1;
        self.bins[(bucket & mask) as usize].len()
    }
}

/// The sets of bins of all workers.
pub(super) struct Shelf<V> {
    free: Mutex<Vec<Bins<V>>>,
    num_bins: usize,
}

impl<V> Shelf<V> {
    /// Sets of at least `num_bins` bins.
    pub(super) fn new(num_bins: usize) -> Self {
        Shelf { free: Mutex::new(Vec::new()), num_bins: num_bins.next_power_of_two() }
    }

    /// Takes a set, which must be [put back](Self::put_back).
    pub(super) fn borrow(&self) -> Bins<V> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| Bins::new(self.num_bins))
    }

    pub(super) fn put_back(&self, bins: Bins<V>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(bins);
    }

    /// The lowest bucket with vertices, from `lowest` on. Called between steps.
    pub(super) fn next(&mut self, lowest: u64) -> Option<u64> {
        let sets = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        if sets.iter().all(|bins| bins.len == 0) {
            return None;
        }
        (lowest..lowest + self.num_bins as u64).find(|&bucket| sets.iter().any(|bins| bins.len_of(bucket) > 0))
    }

    /// Moves the vertices of a bucket to `lists`, and reuses the lists that are there. Called between steps.
    pub(super) fn take(&mut self, bucket: u64, lists: &mut Vec<Vec<V>>) {
        let sets = self.free.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut spare = std::mem::take(lists);
        for bins in sets.iter_mut().filter(|bins| bins.len_of(bucket) > 0) {
            let mut empty = spare.pop().unwrap_or_default();
            empty.clear();
            lists.push(bins.take(bucket, empty));
        }
    }
}
