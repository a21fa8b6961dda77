//! Whether items are in an order.

use crate::blocks::Blocks;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the items are sorted.
///
/// Work: at most O(n) comparisons; blocks after an item that is too small are skipped. Span: that of the largest block,
/// and O(log n).
///
/// ```
/// assert!(filch_algorithms::is_sorted(&[1, 1, 3]));
/// assert!(!filch_algorithms::is_sorted(&[3, 1, 1]));
/// ```
///
/// # Panics
///
/// If a comparison panics.
#[must_use]
pub fn is_sorted<T: Ord + Sync>(items: &[T]) -> bool {
    all_neighbours(items, T::le)
}

/// Whether all pairs of neighbours are `in_order`.
pub(super) fn all_neighbours<T: Sync>(items: &[T], in_order: impl Fn(&T, &T) -> bool + Send + Sync) -> bool {
    let blocks = Blocks::of::<T>(items.len());
    let are_all = AtomicBool::new(true);
    filch::for_each(0..blocks.count(), |_, block| {
        let range = blocks.range(block);
        let with_next = range.start..items.len().min(range.end + 1);
        if are_all.load(Ordering::Relaxed) && !items[with_next].is_sorted_by(&in_order) {
            are_all.store(false, Ordering::Relaxed);
        }
    });
    are_all.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_in_the_wrong_place_is_found_wherever_it_is() {
        for len in [2, 255, 257, 5000] {
            let sorted: Vec<usize> = (0..len).map(|index| index / 2 * 2).collect();
            assert!(is_sorted(&sorted));
            for place in (0..len - 1).step_by(1 + len / 300) {
                let mut items = sorted.clone();
                items[place] = len + 1;
                assert!(!is_sorted(&items), "{place} of {len}");
            }
        }
        assert!(is_sorted::<u8>(&[]));
    }
}
