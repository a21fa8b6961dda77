//! Unstable sorting by a sample: items are brought into the buckets between *splitters* (samplesort: Frazer and
//! McKellar 1970; without branches: Sanders and Winkel 2004; in place: Axtmann, Witt, Ferizovic and Sanders 2022).
//!
//! The splitters are the first items while the others are compared with them, in the order of a search tree. So they
//! are not copied, and items may have interior mutability. If the sample has equal items, each splitter has a bucket of
//! items that are equal to it, which needs no more sorting.

use super::distribute::distribute;
use super::permutation::mixed;
use super::sorted::all_neighbours;
use crate::sequences::reverse;
use std::cmp::Ordering;
use std::ops::Range;
use std::ptr;

/// The bytes of items that the sort of the standard library sorts at once. They fit in a second-level cache.
const LEAF_BYTES: usize = 128 << 10;

/// The most buckets, without those of equal items: their buffers are 64 KiB.
const MOST_BUCKETS: usize = 64;

/// The items of the sample for each splitter.
const PER_SPLITTER: usize = 16;

/// Items that are compared with splitters at the same time, since each comparison awaits the one before it.
const AT_ONCE: usize = 8;

/// Sorts, and does not keep the order of equal items.
///
/// Nearly in place, and faster than [`sort()`](crate::sort()) for items in no order. If long ranges of the items are in
/// order already, [`sort()`](crate::sort()) is faster, since it merges them; this one notices only if all items are.
/// The order of equal items is the same on any number of workers.
///
/// Work: O(n log n) comparisons, expected; O(n) if the items are sorted, or in reverse order. Span: O(n / P · log n)
/// on P workers, and O(√n) up to 2²⁴ items. Memory: up to 2 % of the items, and for each
/// worker 128 KiB, or 128 items of more than 1 KiB.
///
/// ```
/// let mut items = [3, 1, 4, 1, 5];
/// filch_algorithms::sort_unstable(&mut items);
/// assert_eq!(items, [1, 1, 3, 4, 5]);
/// ```
///
/// # Panics
///
/// If a comparison panics, or finds that there is no total order. All items are there then, each once, in an
/// unspecified order.
pub fn sort_unstable<T: Ord + Send + Sync>(items: &mut [T]) {
    sort_if_needed(items, &T::lt);
}

/// [`sort_unstable`], in the order of `key`, which is called for each comparison.
///
/// ```
/// let mut words = ["three", "one", "four"];
/// filch_algorithms::sort_unstable_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["one", "four", "three"]);
/// ```
///
/// # Panics
///
/// As [`sort_unstable`], and if `key` panics.
pub fn sort_unstable_by_key<T: Send + Sync, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Send + Sync) {
    sort_if_needed(items, &|a, b| key(a) < key(b));
}

/// [`sort_unstable`], in the order of `compare`.
///
/// ```
/// let mut items = [2.5, -1.0, f64::INFINITY, -0.0, 0.0];
/// filch_algorithms::sort_unstable_by(&mut items, f64::total_cmp);
/// assert_eq!(items, [-1.0, -0.0, 0.0, 2.5, f64::INFINITY]);
/// ```
///
/// # Panics
///
/// As [`sort_unstable`], if `compare` panics.
pub fn sort_unstable_by<T: Send + Sync>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Send + Sync) {
    sort_if_needed(items, &|a, b| compare(a, b) == Ordering::Less);
}

fn sort_if_needed<T: Send + Sync>(items: &mut [T], is_less: &(impl Fn(&T, &T) -> bool + Send + Sync)) {
    if size_of_val(items) <= LEAF_BYTES {
        items.sort_unstable_by(order(is_less));
    } else if all_neighbours(items, |a, b| !is_less(b, a)) {
        // Sorted already.
    } else if all_neighbours(items, |a, b| !is_less(a, b)) {
        reverse(items);
    } else {
        sort(items, rounds_of(items.len(), MOST_BUCKETS), is_less);
    }
}

/// The most rounds: twice as many as there are if all buckets have the same length.
pub(super) fn rounds_of(len: usize, buckets: usize) -> u32 {
    2 * len.ilog2() / buckets.ilog2() + 1
}

fn sort<T: Send + Sync>(items: &mut [T], rounds: u32, is_less: &(impl Fn(&T, &T) -> bool + Send + Sync)) {
    let buckets = buckets_for(items, MOST_BUCKETS);
    if buckets == 1 || rounds == 0 {
        return items.sort_unstable_by(order(is_less));
    }
    let ranges = divide(items, buckets, is_less);
    let (mut rest, mut before) = (items, 0);
    let part = |range: Range<usize>| {
        let part = rest.split_off_mut(..range.end - before).expect("ranges are in order");
        let gap = range.start - before;
        before = range.end;
        &mut part[gap..]
    };
    let mut parts: Vec<&mut [T]> = ranges.into_iter().map(part).collect();
    filch::for_each(&mut parts, |_, part| sort(part, rounds - 1, is_less));
}

/// The buckets to divide the items into, at most so many: one is sorted at once.
pub(super) fn buckets_for<T>(items: &[T], most: usize) -> usize {
    let leaves = size_of_val(items).div_ceil(LEAF_BYTES).next_power_of_two();
    // Not if the sample were most of the items.
    leaves.min(most).min(items.len() / (2 * PER_SPLITTER)).max(1)
}

/// Brings the items into at most so many buckets, and returns where those are that are to be sorted. The others are
/// where they belong.
pub(super) fn divide<T: Send + Sync>(
    items: &mut [T],
    buckets: usize,
    is_less: &(impl Fn(&T, &T) -> bool + Send + Sync),
) -> Vec<Range<usize>> {
    let (splitters, with_equal) = choose_splitters(items, buckets, is_less);
    let (nodes, rest) = items.split_at_mut(splitters);
    let tree = Tree::new(nodes, is_less);
    let ends = if with_equal {
        distribute(rest, 2 * splitters + 1, |items, buckets| tree.find::<true>(items, buckets))
    } else {
        distribute(rest, splitters + 1, |items, buckets| tree.find::<false>(items, buckets))
    };
    insert_splitters(items, splitters, &ends, with_equal)
}

/// Makes the first items splitters for at most so many buckets, in the order of a search tree. Returns their number,
/// and whether there shall be buckets of equal items.
fn choose_splitters<T>(items: &mut [T], buckets: usize, is_less: &impl Fn(&T, &T) -> bool) -> (usize, bool) {
    let len = items.len();
    let sample = buckets * PER_SPLITTER;
    for place in 0..sample {
        items.swap(place, place + (mixed(place as u64) % (len - place) as u64) as usize);
    }
    items[..sample].sort_unstable_by(order(is_less));
    let mut places: Vec<usize> = Vec::with_capacity(buckets);
    for place in (1..buckets).map(|number| number * PER_SPLITTER - 1) {
        if places.last().is_none_or(|&last| is_less(&items[last], &items[place])) {
            places.push(place);
        }
    }
    let all = places.len() + 1;
    let with_equal = all < buckets;
    let splitters = (1 << all.ilog2()) - 1;
    for number in 0..splitters {
        items.swap(number, places[(number + 1) * all / (splitters + 1) - 1]);
    }
    let mut sorted = Vec::<T>::with_capacity(splitters);
    // SAFETY: there is room for them.
    unsafe { ptr::copy_nonoverlapping(items.as_ptr(), sorted.as_mut_ptr(), splitters) };
    for rank in 1..=splitters {
        // SAFETY: this is one of them.
        let item = unsafe { sorted.as_ptr().add(rank - 1) };
        // SAFETY: the nodes are those of so many ranks, so that each is moved once.
        unsafe { ptr::copy_nonoverlapping(item, &raw mut items[node(rank, splitters)], 1) };
    }
    (splitters, with_equal)
}

/// Where in the tree the splitter is that is the first, second, ... one: the children of node i, counted from 1, are 2i
/// and 2i + 1. There are 2ⁿ - 1 splitters.
fn node(rank: usize, splitters: usize) -> usize {
    let height = rank.trailing_zeros();
    ((splitters + 1) >> (height + 1)) + (rank >> (height + 1)) - 1
}

/// Moves the splitters, which are before all buckets, to where they belong: before the bucket of items that are not
/// less. Returns where the items are that are to be sorted, without the splitters.
fn insert_splitters<T>(items: &mut [T], splitters: usize, ends: &[usize], with_equal: bool) -> Vec<Range<usize>> {
    let mut nodes = Vec::<T>::with_capacity(splitters);
    // SAFETY: there is room for them.
    unsafe { ptr::copy_nonoverlapping(items.as_ptr(), nodes.as_mut_ptr(), splitters) };
    let start = items.as_mut_ptr();
    let mut ranges = Vec::with_capacity(splitters + 1);
    // The first place that has not got its item, and how many there are of them, before the bucket.
    let (mut at, mut hole, mut before) = (0, splitters, 0);
    for (bucket, end) in ends.iter().enumerate() {
        let len = end - before;
        before = *end;
        let is_equal = with_equal && bucket % 2 == 1;
        if is_equal || (!with_equal && bucket > 0) {
            let rank = splitters - hole + 1;
            // SAFETY: there is a node of this rank.
            let splitter = unsafe { nodes.as_ptr().add(node(rank, splitters)) };
            // SAFETY: the place is one of the items'.
            let place = unsafe { start.add(at) };
            // SAFETY: it has not got its item, and no other rank has this node.
            unsafe { ptr::copy_nonoverlapping(splitter, place, 1) };
            at += 1;
            hole -= 1;
        }
        // The bucket moves to the front of the hole: as many of its last items as fit there.
        let moved = len.min(hole);
        // SAFETY: the bucket is behind the hole.
        let last = unsafe { start.add(at + hole + len - moved) };
        // SAFETY: the place is one of the items'.
        let place = unsafe { start.add(at) };
        // SAFETY: the places have not got their items.
        unsafe { ptr::copy_nonoverlapping(last, place, moved) };
        if !is_equal {
            ranges.push(at..at + len);
        }
        at += len;
    }
    ranges
}

/// Splitters among which the bucket of an item is searched.
struct Tree<'a, T, F> {
    /// See [`node`].
    nodes: &'a [T],
    levels: u32,
    is_less: &'a F,
}

impl<'a, T, F: Fn(&T, &T) -> bool> Tree<'a, T, F> {
    fn new(nodes: &'a [T], is_less: &'a F) -> Self {
        let levels = (nodes.len() + 1).ilog2();
        assert_eq!(nodes.len() + 1, 1 << levels);
        Tree { nodes, levels, is_less }
    }

    /// Writes the bucket of each item: how many splitters are not greater; or, with buckets of equal items, twice that,
    /// less one if the greatest of them is equal.
    fn find<const WITH_EQUAL: bool>(&self, items: &[T], buckets: &mut [u8]) {
        let (some, rest) = items.as_chunks::<AT_ONCE>();
        let (some_buckets, rest_buckets) = buckets.as_chunks_mut::<AT_ONCE>();
        for (items, buckets) in some.iter().zip(some_buckets) {
            self.find_some::<AT_ONCE, WITH_EQUAL>(items, buckets);
        }
        for (item, bucket) in rest.iter().zip(rest_buckets) {
            self.find_some::<1, WITH_EQUAL>(std::array::from_ref(item), std::array::from_mut(bucket));
        }
    }

    #[inline(always)]
    fn find_some<const N: usize, const WITH_EQUAL: bool>(&self, items: &[T; N], buckets: &mut [u8; N]) {
        let mut at = [1_usize; N];
        for _ in 0..self.levels {
            for (at, item) in at.iter_mut().zip(items) {
                // SAFETY: a node of level l is less than 2^l, and there are as many levels as there are in the tree.
                let splitter = unsafe { self.nodes.get_unchecked(*at - 1) };
                *at = 2 * *at + usize::from(!(self.is_less)(item, splitter));
            }
        }
        for ((at, item), bucket) in at.into_iter().zip(items).zip(buckets) {
            let rank = at - (self.nodes.len() + 1);
            *bucket = if !WITH_EQUAL {
                rank as u8
            } else if rank == 0 {
                0
            } else {
                let splitter = &self.nodes[node(rank, self.nodes.len())];
                (2 * rank) as u8 - u8::from(!(self.is_less)(splitter, item))
            };
        }
    }
}

/// The order of the standard library's functions, which ask for less ones only.
pub(super) fn order<T>(is_less: &impl Fn(&T, &T) -> bool) -> impl Fn(&T, &T) -> Ordering {
    |a, b| if is_less(a, b) { Ordering::Less } else { Ordering::Greater }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering as Memory};

    fn on<R: Send>(workers: usize, f: impl FnOnce() -> R + Send) -> R {
        filch::Pool::builder().workers(workers).build().expect("a pool").run(|_| f())
    }

    /// So many items of 64 bytes that there are several rounds (without Miri).
    fn many() -> usize {
        if cfg!(miri) { 5000 } else { 150_000 }
    }

    /// An item of 64 bytes, so that few items have many blocks.
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Wide(u32, [u32; 15]);

    fn wide(key: u32, index: usize) -> Wide {
        Wide(key, [index as u32; 15])
    }

    #[test]
    fn it_sorts_as_the_standard_library_does_and_equal_items_lie_the_same_on_any_number_of_workers() {
        let mut random = fastrand::Rng::with_seed(9);
        // With Miri each size takes minutes.
        let lens: &[usize] = if cfg!(miri) { &[1, 2100, 5000] } else { &[0, 1, 2, 2047, 2049, 4100, 15_000, 150_000] };
        let all_keys: &[u32] = if cfg!(miri) { &[2, u32::MAX] } else { &[1, 2, 50, 5000, u32::MAX] };
        for &len in lens {
            for &keys in all_keys {
                let items: Vec<Wide> = (0..len).map(|index| wide(random.u32(0..keys), index)).collect();
                let sorted_by = |workers| {
                    let mut items = items.clone();
                    on(workers, || sort_unstable_by_key(&mut items, |item| item.0));
                    items
                };
                let sorted = sorted_by(1);
                assert_eq!(sorted_by(3), sorted);
                let mut expected: Vec<_> = items.iter().map(|item| (item.0, item.1[0])).collect();
                let mut found: Vec<_> = sorted.iter().map(|item| (item.0, item.1[0])).collect();
                assert!(found.is_sorted_by_key(|item| item.0));
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{len} items, {keys} keys");
            }
        }
    }

    #[test]
    fn orders_that_are_there_before_make_no_difference() {
        let len = many() as u32;
        let sorted: Vec<u32> = (0..len).collect();
        let mut random = fastrand::Rng::with_seed(10);
        let mut almost = sorted.clone();
        (0..50).for_each(|_| almost.swap(random.usize(0..len as usize), random.usize(0..len as usize)));
        let organ_pipe = (0..len).map(|i| if i % 2 == 0 { i } else { len - i });
        let reversed: Vec<u32> = (0..len).rev().collect();
        let rotated: Vec<u32> = (0..len).map(|i| (i + len / 3) % len).collect();
        for mut items in [sorted.clone(), reversed, almost, rotated, organ_pipe.collect()] {
            let mut expected = items.clone();
            expected.sort_unstable();
            on(2, || sort_unstable(&mut items));
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn a_comparison_that_panics_or_has_no_order_loses_and_doubles_nothing() {
        let len = many() as u64 / 10;
        let mut random = fastrand::Rng::with_seed(11);
        on(3, || {
            for round in 0..if cfg!(miri) { 4 } else { 60 } {
                // A box is freed twice if it is there twice, and leaks if it is lost.
                let mut items: Vec<(Box<u64>, [u64; 9])> = (0..len).map(|i| (Box::new(i), [i; 9])).collect();
                random.shuffle(&mut items);
                let (calls, last) = (AtomicUsize::new(0), random.usize(0..len as usize * 12));
                let sorted = catch_unwind(AssertUnwindSafe(|| {
                    sort_unstable_by(&mut items, |a, b| {
                        assert!(calls.fetch_add(1, Memory::Relaxed) != last, "the last comparison");
                        match round % 4 {
                            0 | 1 => a.0.cmp(&b.0),
                            2 => ((*a.0 ^ *b.0) % 3).cmp(&1),
                            _ => Ordering::Less,
                        }
                    });
                }));
                let mut found: Vec<u64> = items.iter().map(|item| *item.0).collect();
                assert!(sorted.is_err() || round % 4 > 1 || found.is_sorted());
                found.sort_unstable();
                assert!(found.into_iter().eq(0..len));
            }
        });
    }

    #[test]
    fn a_comparison_may_change_what_is_within_items() {
        let len = many() / 10;
        let mut random = fastrand::Rng::with_seed(12);
        let mut keys: Vec<usize> = (0..len).collect();
        random.shuffle(&mut keys);
        let mut items: Vec<_> = keys.into_iter().map(|key| (key, Mutex::new(vec![0]), [key; 9])).collect();
        let calls = AtomicUsize::new(0);
        on(3, || {
            sort_unstable_by(&mut items, |a, b| {
                calls.fetch_add(1, Memory::Relaxed);
                // The old vector is freed.
                *a.1.lock().expect("not poisoned") = vec![1];
                a.0.cmp(&b.0)
            });
        });
        assert!(items.iter().map(|item| item.0).eq(0..len));
        assert!(calls.into_inner() > len);
    }
}
