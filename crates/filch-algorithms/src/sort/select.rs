//! Places in the order of items that are not sorted: the item of a place, and the place of each item.

use super::sample_sort::{buckets_for, divide, order, rounds_of, sort_unstable_by};
use crate::fresh::{Start, vector};
use crate::sequences::tabulate;
use std::cmp::Ordering;

/// The buckets that items are divided into. More buckets make a round slower than they make the next one faster.
const BUCKETS: usize = 16;

/// Brings the item to place `n` that would be there if the items were sorted; before it are none that are greater, and
/// behind it none that are less. Returns what is before it, the item, and what is behind.
///
/// Which ones are where is the same on any number of workers.
///
/// Work: O(n) comparisons, expected, if they are those of an order. Span: O(n / P) on P workers. Memory: as
/// [`sort_unstable`](crate::sort_unstable).
///
/// ```
/// let mut items = [5, 3, 1, 4, 2];
/// let (less, median, greater) = filch_algorithms::select_nth_unstable(&mut items, 2);
/// assert_eq!(*median, 3);
/// assert!(less.iter().all(|item| *item < 3) && greater.iter().all(|item| *item > 3));
/// ```
///
/// # Panics
///
/// If there is no place `n`, or a comparison panics, or finds that there is no total order. All items are there then,
/// each once.
pub fn select_nth_unstable<T: Ord + Send + Sync>(items: &mut [T], n: usize) -> (&mut [T], &mut T, &mut [T]) {
    select(items, n, &T::lt)
}

/// [`select_nth_unstable`], in the order of `compare`.
///
/// # Panics
///
/// As [`select_nth_unstable`], if `compare` panics.
pub fn select_nth_unstable_by<T: Send + Sync>(
    items: &mut [T],
    n: usize,
    compare: impl Fn(&T, &T) -> Ordering + Send + Sync,
) -> (&mut [T], &mut T, &mut [T]) {
    select(items, n, &|a, b| compare(a, b) == Ordering::Less)
}

/// [`select_nth_unstable`], in the order of `key`, which is called for each comparison.
///
/// # Panics
///
/// As [`select_nth_unstable`], and if `key` panics.
pub fn select_nth_unstable_by_key<T: Send + Sync, K: Ord>(
    items: &mut [T],
    n: usize,
    key: impl Fn(&T) -> K + Send + Sync,
) -> (&mut [T], &mut T, &mut [T]) {
    select(items, n, &|a, b| key(a) < key(b))
}

fn select<'a, T: Send + Sync>(
    items: &'a mut [T],
    n: usize,
    is_less: &(impl Fn(&T, &T) -> bool + Send + Sync),
) -> (&'a mut [T], &'a mut T, &'a mut [T]) {
    assert!(n < items.len(), "place {n} of {} items", items.len());
    let mut range = 0..items.len();
    for _ in 0..rounds_of(items.len(), BUCKETS) {
        let rest = &mut items[range.clone()];
        let buckets = buckets_for(rest, BUCKETS);
        if buckets == 1 {
            break;
        }
        let parts = divide(rest, buckets, is_less);
        let start = range.start;
        let part = parts.into_iter().find(|part| part.contains(&(n - start)));
        // Otherwise it is in its place: a splitter, or equal to one.
        range = part.map_or(n..n + 1, |part| start + part.start..start + part.end);
    }
    let place = n - range.start;
    items[range].select_nth_unstable_by(place, order(is_less));
    let (before, rest) = items.split_at_mut(n);
    let (item, behind) = rest.split_first_mut().expect("place n is one of the items'");
    (before, item, behind)
}

/// For each item, its place if the items were sorted stably: how many are less, or equal and before it.
///
/// Work and span: as [`sort_unstable`](crate::sort_unstable). Memory: two numbers for each item.
///
/// ```
/// assert_eq!(filch_algorithms::rank(&["to", "be", "or", "be"]), [3, 0, 2, 1]);
/// ```
///
/// # Panics
///
/// If a comparison panics, or finds that there is no total order.
#[must_use]
pub fn rank<T: Ord + Sync>(items: &[T]) -> Vec<usize> {
    rank_by(items, T::cmp)
}

/// [`rank`], in the order of `compare`.
///
/// ```
/// assert_eq!(filch_algorithms::rank_by(&[2.5, -1.0, 0.5], f64::total_cmp), [2, 0, 1]);
/// ```
///
/// # Panics
///
/// As [`rank`], if `compare` panics.
#[must_use]
pub fn rank_by<T: Sync>(items: &[T], compare: impl Fn(&T, &T) -> Ordering + Send + Sync) -> Vec<usize> {
    let mut sorted = tabulate(items.len(), |index| index);
    // With the index no two are equal, so this is stable.
    sort_unstable_by(&mut sorted, |a, b| compare(&items[*a], &items[*b]).then(a.cmp(b)));
    let mut ranks = vector::<usize>(items.len());
    let start = Start(ranks.as_mut_ptr());
    filch::for_each((0_usize.., &sorted), |_, (place, &index)| {
        // SAFETY: it is less than the number of items, and there is room for as many ranks.
        let rank = unsafe { start.at(index) };
        // SAFETY: as above. Each index is there once, whatever `compare` has returned.
        unsafe { rank.write(place) };
    });
    // SAFETY: all indices are there, so each rank has been written.
    unsafe { ranks.set_len(items.len()) };
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_item_is_that_of_the_sorted_items_and_parts_them() {
        let most = if cfg!(miri) { 3000 } else { 60_000 };
        let mut random = fastrand::Rng::with_seed(16);
        for len in [1, 2, 100, most / 4, most] {
            for keys in [1, 3, 1000, u32::MAX] {
                // 64 bytes each, so that there are several rounds.
                let items: Vec<[u32; 16]> = (0..len).map(|_| [random.u32(0..keys); 16]).collect();
                let mut sorted: Vec<u32> = items.iter().map(|item| item[0]).collect();
                sorted.sort_unstable();
                for place in [0, len / 2, random.usize(0..len), len - 1] {
                    let mut items = items.clone();
                    let (before, item, behind) = select_nth_unstable_by_key(&mut items, place, |item| item[0]);
                    let key = sorted[place];
                    assert_eq!(item[0], key);
                    assert!(before.iter().all(|item| item[0] <= key) && behind.iter().all(|item| item[0] >= key));
                    let mut found: Vec<u32> = items.iter().map(|item| item[0]).collect();
                    found.sort_unstable();
                    assert_eq!(found, sorted);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "place 3 of 3 items")]
    fn a_place_behind_all_items_is_refused() {
        select_nth_unstable(&mut [1, 2, 3], 3);
    }

    #[test]
    fn ranks_are_the_places_of_a_stable_sort() {
        let mut random = fastrand::Rng::with_seed(17);
        for len in [0, 1, 300, if cfg!(miri) { 400 } else { 40_000 }] {
            for keys in [1, 7, u32::MAX] {
                let items: Vec<u32> = (0..len).map(|_| random.u32(0..keys)).collect();
                let mut sorted: Vec<usize> = (0..len).collect();
                sorted.sort_by_key(|&index| items[index]);
                let ranks = rank(&items);
                assert!(sorted.into_iter().map(|index| ranks[index]).eq(0..len));
            }
        }
    }
}
