//! Items counted by their buckets, and brought together by their keys.

use crate::blocks::share_of;
use crate::sequences::{filter_by_index, pack_indices, tabulate};
use crate::sort::sort_by;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many of the `len` items are in each of the `buckets`: `bucket` says in which one an item is.
///
/// Work: O(n + P · buckets) on P workers where there are fewer buckets than items of a chunk, and otherwise O(n +
/// buckets) with an atomic addition for each item. Span: O(n / P + buckets). Memory: in the first case, up to 4 P
/// counts for each bucket.
///
/// ```
/// let letters = b"abracadabra";
/// let counts = filch_algorithms::histogram(letters.len(), 26, |i| usize::from(letters[i] - b'a'));
/// assert_eq!(counts[..4], [5, 2, 1, 1]);
/// ```
///
/// # Panics
///
/// If there is no such bucket, or `bucket` panics.
#[must_use]
pub fn histogram(len: usize, buckets: usize, bucket: impl Fn(usize) -> usize + Send + Sync) -> Vec<usize> {
    let size = share_of(len, 1);
    if size < buckets {
        let counts = tabulate(buckets, |_| AtomicUsize::new(0));
        filch::for_each(0..len, |_, index| _ = counts[bucket(index)].fetch_add(1, Ordering::Relaxed));
        return tabulate(buckets, |number| counts[number].load(Ordering::Relaxed));
    }
    let of_chunks = tabulate(len.div_ceil(size), |chunk| {
        let mut counts = vec![0; buckets];
        (chunk * size..len.min((chunk + 1) * size)).for_each(|index| counts[bucket(index)] += 1);
        counts
    });
    tabulate(buckets, |number| of_chunks.iter().map(|counts| counts[number]).sum())
}

/// The items of a sorted slice without those that are equal to the one before.
///
/// Work: O(n) comparisons, and a clone of each item that stays. Span: as [`filter`](crate::filter).
///
/// ```
/// assert_eq!(filch_algorithms::dedup(&[1, 1, 2, 3, 3, 3]), [1, 2, 3]);
/// ```
///
/// # Panics
///
/// If a comparison or a clone panics.
#[must_use]
pub fn dedup<T: PartialEq + Clone + Send + Sync>(items: &[T]) -> Vec<T> {
    filter_by_index(items, |index| index == 0 || items[index] != items[index - 1])
}

/// The items with equal keys together, in the order of the keys. The items of a group keep their order.
///
/// Work: O(n log n) comparisons and n clones. Span: that of [`sort_by`], and the clones of the largest
/// group.
///
/// ```
/// let words = ["to", "be", "or", "not"];
/// let groups = filch_algorithms::group_by_key(&words, |word| word.len());
/// assert_eq!(groups, [(2, vec!["to", "be", "or"]), (3, vec!["not"])]);
/// ```
///
/// # Panics
///
/// If `key`, a comparison or a clone panics, or if comparisons find that there is no total order.
#[must_use]
pub fn group_by_key<T, K>(items: &[T], key: impl Fn(&T) -> K + Send + Sync) -> Vec<(K, Vec<T>)>
where
    T: Clone + Send + Sync,
    K: Ord + Clone + Send + Sync,
{
    let keys = tabulate(items.len(), |index| key(&items[index]));
    let mut order = tabulate(items.len(), |index| index);
    sort_by(&mut order, |&a, &b| keys[a].cmp(&keys[b]));
    let starts = pack_indices(order.len(), |place| place == 0 || keys[order[place]] != keys[order[place - 1]]);
    tabulate(starts.len(), |group| {
        let end = starts.get(group + 1).copied().unwrap_or(order.len());
        let members = &order[starts[group]..end];
        (keys[members[0]].clone(), members.iter().map(|&index| items[index].clone()).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn counts_are_those_of_the_loop_for_few_buckets_and_many() {
        let mut random = fastrand::Rng::with_seed(11);
        for (len, buckets) in [(0, 0), (0, 5), (1, 1), (1000, 3), (20_000, 256), (100, 10_000)] {
            let keys: Vec<usize> = (0..len).map(|_| random.usize(0..buckets)).collect();
            let mut expected = vec![0; buckets];
            keys.iter().for_each(|&key| expected[key] += 1);
            assert_eq!(histogram(len, buckets, |index| keys[index]), expected);
        }
    }

    #[test]
    fn groups_have_all_items_in_their_order() {
        let mut random = fastrand::Rng::with_seed(12);
        for (len, keys) in [(0, 1), (1, 1), (300, 7), (20_000, 1000)] {
            let items: Vec<(u32, usize)> = (0..len).map(|index| (random.u32(0..keys), index)).collect();
            let mut expected = BTreeMap::<u32, Vec<(u32, usize)>>::new();
            items.iter().for_each(|&item| expected.entry(item.0).or_default().push(item));
            let groups = group_by_key(&items, |item| item.0);
            let sorted: Vec<u32> = groups.iter().flat_map(|(key, group)| group.iter().map(|_| *key)).collect();
            let distinct: Vec<u32> = expected.keys().copied().collect();
            assert_eq!(dedup(&sorted), distinct);
            assert!(groups.into_iter().eq(expected));
        }
    }
}
