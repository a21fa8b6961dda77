//! Subsequences: which items stay is asked once per item and noted in a bit; then each block of the result is written.

use super::scan::scan_in_place;
use crate::blocks::Blocks;
use crate::fresh::{Room, in_parts, tabulated};
use std::ops::Range;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The items that are to be kept, in their order.
///
/// Work: O(n), one call of `keep` for each item and one clone for each that is kept. Span: that of the largest block,
/// and O(n / b) for blocks of b items (16 KiB at most). Memory: a bit for each item of up to 256 bytes, and at most
/// eight bytes for larger ones.
///
/// ```
/// assert_eq!(filch_algorithms::filter(&[3, 1, 4, 1, 5], |&x| x > 2), [3, 4, 5]);
/// ```
///
/// # Panics
///
/// If `keep` or a clone panics.
#[must_use]
pub fn filter<T: Clone + Send + Sync>(items: &[T], keep: impl Fn(&T) -> bool + Send + Sync) -> Vec<T> {
    let kept = Kept::new::<T>(items.len(), |index| keep(&items[index]));
    kept.write(false, |index| items[index].clone())
}

/// The items for which `is_first`, and the others, both in their order.
///
/// Work, span and memory: as [`filter`], with a clone of each item.
///
/// ```
/// let (even, odd) = filch_algorithms::partition(&[3, 1, 4, 1, 5], |x| x % 2 == 0);
/// assert_eq!((even, odd), (vec![4], vec![3, 1, 1, 5]));
/// ```
///
/// # Panics
///
/// If `is_first` or a clone panics.
#[must_use]
pub fn partition<T: Clone + Send + Sync>(items: &[T], is_first: impl Fn(&T) -> bool + Send + Sync) -> (Vec<T>, Vec<T>) {
    let kept = Kept::new::<T>(items.len(), |index| is_first(&items[index]));
    (kept.write(false, |index| items[index].clone()), kept.write(true, |index| items[index].clone()))
}

/// The indices below `len` that are to be kept, in their order.
///
/// Work, span and memory: as [`filter`].
///
/// ```
/// let squares = filch_algorithms::pack_indices(10, |i| [0, 1, 4, 9].contains(&i));
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
///
/// # Panics
///
/// If `keep` panics.
#[must_use]
pub fn pack_indices(len: usize, keep: impl Fn(usize) -> bool + Send + Sync) -> Vec<usize> {
    Kept::new::<usize>(len, keep).write(false, |index| index)
}

/// The items that have a one among these bits, which are those of as many words as there are items for.
pub(crate) fn pack_bits<T: Clone + Send + Sync>(items: &[T], words: Vec<u64>) -> Vec<T> {
    Kept::of_words::<T>(items.len(), words, WORD).write(false, |index| items[index].clone())
}

/// Which items are kept. If there are few items, a word is used for one of them only, so that different workers can
/// call `keep` for each of them.
struct Kept {
    words: Vec<u64>,
    /// The items of a word.
    per_word: usize,
    len: usize,
    /// Blocks of words.
    blocks: Blocks,
}

impl Kept {
    fn new<T>(len: usize, keep: impl Fn(usize) -> bool + Send + Sync) -> Self {
        let per_word = Blocks::of::<T>(len).range(0).len().clamp(1, WORD);
        let bit = |index: usize, place: usize| u64::from(keep(index)) << place;
        let items = |word: usize| (word * per_word..len.min((word + 1) * per_word)).zip(0..);
        let words =
            tabulated(len.div_ceil(per_word), |word| items(word).fold(0, |bits, (i, place)| bits | bit(i, place)));
        Kept::of_words::<T>(len, words, per_word)
    }

    fn of_words<T>(len: usize, words: Vec<u64>, per_word: usize) -> Self {
        Kept { blocks: Blocks::of::<[T; WORD]>(words.len()), words, per_word, len }
    }

    /// The bits of the items that are wanted: those that are kept, or the others.
    fn bits(&self, word: usize, others: bool) -> u64 {
        let count = self.per_word.min(self.len - word * self.per_word);
        let all = u64::MAX >> (WORD - count);
        if others { !self.words[word] & all } else { self.words[word] }
    }

    fn write<T: Send>(&self, others: bool, item: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
        let count =
            |words: Range<usize>| words.map(|word| self.bits(word, others).count_ones() as usize).sum::<usize>();
        let mut ends = tabulated(self.blocks.count(), |block| count(self.blocks.range(block)));
        scan_in_place(&mut ends, 0, |a, b| a + b);
        in_parts(&ends, |block, room: &mut Room<'_, T>| {
            for word in self.blocks.range(block) {
                let mut bits = self.bits(word, others);
                while bits != 0 {
                    room.push(item(word * self.per_word + bits.trailing_zeros() as usize));
                    bits &= bits - 1;
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn what_is_kept_is_what_the_iterator_keeps_for_all_lengths() {
        for len in [0, 1, 63, 64, 65, 255, 256, 1000, 16_384, 100_003] {
            for modulus in [1, 2, 3, 64, 1_000_000] {
                let items: Vec<usize> = (0..len).collect();
                let keep = |&x: &usize| x % modulus == 0;
                let (expected, rest): (Vec<_>, Vec<_>) = items.iter().copied().partition(keep);
                assert_eq!(filter(&items, keep), expected);
                assert_eq!(pack_indices(len, |x| keep(&x)), expected);
                assert_eq!(partition(&items, keep), (expected, rest), "{len} items");
            }
        }
    }

    #[test]
    fn each_item_is_asked_for_once() {
        let asked: Vec<AtomicUsize> = (0..10_000).map(|_| AtomicUsize::new(0)).collect();
        let kept =
            pack_indices(asked.len(), |index| asked[index].fetch_add(1, Ordering::Relaxed) == 0 && index % 3 == 0);
        assert!(kept.into_iter().eq((0..asked.len()).step_by(3)));
        assert!(asked.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    }
}
