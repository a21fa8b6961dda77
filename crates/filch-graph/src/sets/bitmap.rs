//! A bitmap with a bit for each vertex, read and written by several threads.
//!
//! All accesses are relaxed. Any thread may call [`Bitmap::set`] at any time. If only one thread writes a word during a
//! loop, the thread writes the whole word with a plain store, without an atomic read-modify-write instruction.

use crate::choose::tuning::PIECE;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;
use std::sync::atomic::{AtomicU64, Ordering};

/// The words of a piece of a pass.
pub(crate) const WORDS: usize = PIECE / 64;

/// A sequence of bits, all 0 at first.
pub(crate) struct Bitmap {
    words: Vec<AtomicU64>,
    len: usize,
}

impl Bitmap {
    /// Work: O(`len` / 64), in parallel.
    pub(crate) fn new(len: usize) -> Self {
        Bitmap { words: tabulate(len.div_ceil(64), |_| AtomicU64::new(0)), len }
    }

    /// The words of 64 bits each. The lowest bit of a word comes first.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// The bits of a word that belong to the map: all, except in the last word.
    #[inline(always)]
    pub(crate) fn mask(&self, word: usize) -> u64 {
        let left = self.len - word * 64;
        if left < 64 { (1 << left) - 1 } else { u64::MAX }
    }

    #[inline(always)]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[word].load(Ordering::Relaxed)
    }

    /// Writes a word. No other thread may write it at the same time.
    #[inline(always)]
    pub(crate) fn put_word(&self, word: usize, bits: u64) {
        self.words[word].store(bits, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> bool {
        self.word(index / 64) >> (index % 64) & 1 == 1
    }

    /// Returns the first of `vertices` whose bit is set, and the number of vertices up to and including it; if no bit
    /// is set, `None` and the number of all vertices.
    ///
    /// It tests four vertices at a time. The first hit usually comes soon but at an unpredictable place, so with one
    /// branch per vertex, each search would cost a branch misprediction.
    #[inline(always)]
    pub(crate) fn first_set<V: Vertex>(&self, mut vertices: impl Iterator<Item = V>) -> (Option<V>, usize) {
        let mut before = 0;
        while let Some(first) = vertices.next() {
            if self.get(first.index()) {
                return (Some(first), before + 1);
            }
            before += 1;
            let Some(second) = vertices.next() else { break };
            let more = [vertices.next(), vertices.next(), vertices.next()];
            let group = [second, more[0].unwrap_or(second), more[1].unwrap_or(second), more[2].unwrap_or(second)];
            let bits = group.map(|v| u32::from(self.get(v.index())));
            let set = bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3;
            if set != 0 {
                let index = set.trailing_zeros() as usize;
                return (Some(group[index]), before + index + 1);
            }
            before += 1 + more.into_iter().flatten().count();
        }
        (None, before)
    }

    /// Sets a bit. Returns true if this call changed it. It uses an atomic read-modify-write instruction only if the
    /// bit is not yet set and other threads may write the same word (`is_shared`).
    #[inline(always)]
    pub(crate) fn set(&self, index: usize, is_shared: bool) -> bool {
        let (word, bit) = (&self.words[index / 64], 1 << (index % 64));
        let old = word.load(Ordering::Relaxed);
        if old & bit != 0 {
            return false;
        }
        if is_shared {
            return word.fetch_or(bit, Ordering::Relaxed) & bit == 0;
        }
        word.store(old | bit, Ordering::Relaxed);
        true
    }

    /// Sets the bits of `vertices`, in parallel.
    pub(crate) fn set_all<A: AtomicVertex<V>, V: Vertex>(&self, vertices: &[A]) {
        let is_shared = filch::num_workers() > 1;
        filch::for_each(vertices, |_, v| {
            self.set(v.load().index(), is_shared);
        });
    }

    /// For each bit that is set the first of them, and for the others what `other` says. Which ones are set is
    /// unpredictable, so `other` is called for all, and there is no branch.
    pub(crate) fn labels<V: Vertex>(&self, other: impl Fn(usize) -> V + Sync) -> Vec<V::Atomic> {
        let first = (0..self.words.len()).find_map(|word| ones(self.word(word)).next().map(|bit| word * 64 + bit));
        let label = first.map(V::new);
        tabulate(self.len, |v| V::Atomic::new(label.filter(|_| self.get(v)).unwrap_or(other(v))))
    }

    /// Sets all bits to 0, in parallel.
    pub(crate) fn clear(&self) {
        filch::for_each(&self.words, |_, word| word.store(0, Ordering::Relaxed));
    }
}

/// The positions of the bits that are set in a word, in ascending order.
#[inline(always)]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_that_is_set_is_one_of_the_ones_and_is_set_only_once() {
        for is_shared in [false, true] {
            let map = Bitmap::new(130);
            assert!([0, 63, 64, 129].iter().all(|&i| map.set(i, is_shared)));
            assert!([0, 63, 64, 129].iter().all(|&i| !map.set(i, is_shared) && map.get(i)));
            let found: Vec<_> = (0..3).flat_map(|w| ones(map.word(w)).map(move |bit| w * 64 + bit)).collect();
            assert_eq!(found, [0, 63, 64, 129]);
            assert_eq!((map.mask(1), map.mask(2)), (u64::MAX, 3));
            map.clear();
            assert!((0..130).all(|i| !map.get(i)));
        }
    }

    #[test]
    fn a_map_of_no_bits_has_no_words() {
        assert!(Bitmap::new(0).words().is_empty());
    }
}
