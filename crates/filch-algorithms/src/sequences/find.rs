//! Places of items.

use super::reduce::reduce_blocks;
use crate::blocks::Blocks;
use std::cmp::Ordering as Order;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The index of the first item that `is_wanted`.
///
/// Blocks after an item that has been found are skipped. One worker looks at the items in their order, up to the one
/// that is returned; several may also look at items after it.
///
/// Work: at most O(n) calls. Span: that of the largest block, and O(log n).
///
/// ```
/// assert_eq!(filch_algorithms::find_first(&[3, 1, 4, 1], |&x| x < 3), Some(1));
/// ```
///
/// # Panics
///
/// If `is_wanted` panics, also for an item after the one that would be found.
#[must_use]
pub fn find_first<T: Sync>(items: &[T], is_wanted: impl Fn(&T) -> bool + Send + Sync) -> Option<usize> {
    let blocks = Blocks::of::<T>(items.len());
    let found = AtomicUsize::new(items.len());
    filch::for_each(0..blocks.count(), |_, block| {
        let range = blocks.range(block);
        if range.start < found.load(Ordering::Relaxed)
            && let Some(place) = items[range.clone()].iter().position(&is_wanted)
        {
            found.fetch_min(range.start + place, Ordering::Relaxed);
        }
    });
    Some(found.into_inner()).filter(|&place| place < items.len())
}

/// The index of the least item, the first of several; `None` if there is no item.
///
/// Work: O(n) comparisons. Span: that of the largest block, and O(log n).
///
/// ```
/// assert_eq!(filch_algorithms::min_index(&[3, 1, 4, 1]), Some(1));
/// ```
///
/// # Panics
///
/// If a comparison panics.
#[must_use]
pub fn min_index<T: Ord + Sync>(items: &[T]) -> Option<usize> {
    best(items, |a, b| b.cmp(a) == Order::Less)
}

/// The index of the greatest item, the first of several; `None` if there is no item.
///
/// Work and span: as [`min_index`].
///
/// ```
/// assert_eq!(filch_algorithms::max_index(&[3, 1, 4, 4]), Some(2));
/// ```
///
/// # Panics
///
/// If a comparison panics.
#[must_use]
pub fn max_index<T: Ord + Sync>(items: &[T]) -> Option<usize> {
    best(items, |a, b| b.cmp(a) == Order::Greater)
}

/// The index of the best item, the first of several.
fn best<T: Sync>(items: &[T], is_second_better: impl Fn(&T, &T) -> bool + Send + Sync) -> Option<usize> {
    let better = |a: usize, b: usize| if is_second_better(&items[a], &items[b]) { b } else { a };
    let in_block = |range: std::ops::Range<usize>| range.reduce(&better).expect("a block has items");
    reduce_blocks(Blocks::of::<T>(items.len()), in_block, &better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_items_the_first_is_found() {
        for len in [1, 2, 300, 5000] {
            for modulus in [1, 2, 7, 5000] {
                let items: Vec<usize> = (0..len).map(|i| (i * 31 + 5) % modulus).collect();
                let first = |wanted: &usize| items.iter().position(|item| item == wanted);
                assert_eq!(min_index(&items), items.iter().min().and_then(first));
                assert_eq!(max_index(&items), items.iter().max().and_then(first));
                for wanted in 0..9 {
                    assert_eq!(find_first(&items, |&item| item == wanted), first(&wanted));
                }
            }
        }
        assert_eq!(min_index::<u8>(&[]), None);
        assert_eq!(find_first::<u8>(&[], |_| true), None);
    }
}
