//! Distinct items, by a table of hashes into which all workers insert.
//!
//! A slot of the table is empty or contains the index of an item. From then on it belongs to that item and equal ones:
//! the index only becomes smaller. So a worker that skips a slot, because it contains another item, would skip it
//! later, too. Equal items reach the same slot, and the smallest of their indices stays there, in whichever order they
//! are inserted (phase-concurrent tables: Shun and Blelloch 2014). Accesses are relaxed, because a slot publishes
//! nothing but a number.

use crate::sequences::{pack_indices, tabulate};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const EMPTY: usize = usize::MAX;

/// The items without those that are equal to an earlier one, in their order.
///
/// Work: O(n) hashes and comparisons, expected, and a clone of each item that stays. Span: O(log n) comparisons with
/// high probability, and as [`filter`](crate::filter). Memory: 17 to 33 bytes for each item.
///
/// ```
/// assert_eq!(filch_algorithms::remove_duplicates(&[3, 1, 3, 2, 1]), [3, 1, 2]);
/// ```
///
/// # Panics
///
/// If a hash, a comparison or a clone panics.
#[must_use]
pub fn remove_duplicates<T: Eq + Hash + Clone + Send + Sync>(items: &[T]) -> Vec<T> {
    // At least half of the slots stay empty, so every search comes to an end.
    let slots = tabulate((2 * items.len()).next_power_of_two(), |_| AtomicUsize::new(EMPTY));
    let hashes = RandomState::default();
    filch::for_each((0_usize.., items), |_, (index, item)| {
        let mut place = hashes.hash_one(item) as usize;
        loop {
            let slot = &slots[place & (slots.len() - 1)];
            // Most items of few values find the slot taken by an earlier one, and only look.
            let mut other = slot.load(Ordering::Relaxed);
            if other == EMPTY {
                match slot.compare_exchange(EMPTY, index, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => break,
                    Err(taken) => other = taken,
                }
            }
            if items[other] == *item {
                if index < other {
                    slot.fetch_min(index, Ordering::Relaxed);
                }
                break;
            }
            place = place.wrapping_add(1);
        }
    });
    let is_first = tabulate(items.len(), |_| AtomicBool::new(false));
    filch::for_each(&slots, |_, slot| {
        // Not one of the items if the slot is empty.
        if let Some(is_first) = is_first.get(slot.load(Ordering::Relaxed)) {
            is_first.store(true, Ordering::Relaxed);
        }
    });
    drop(slots);
    let first = pack_indices(items.len(), |index| is_first[index].load(Ordering::Relaxed));
    tabulate(first.len(), |place| items[first[place]].clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_of_equal_items_stays_in_its_place() {
        let mut random = fastrand::Rng::with_seed(13);
        for (len, values) in [(0, 1), (1, 1), (1000, 1), (1000, 30), (30_000, 20_000), (30_000, u64::MAX)] {
            let items: Vec<String> = (0..len).map(|_| random.u64(0..values).to_string()).collect();
            let mut seen = HashSet::new();
            let expected: Vec<&String> = items.iter().filter(|item| seen.insert(item.as_str())).collect();
            assert!(remove_duplicates(&items).iter().eq(expected));
        }
    }

    #[test]
    fn items_with_equal_hashes_are_told_apart() {
        #[derive(Clone, PartialEq, Eq, Debug)]
        struct Colliding(usize);
        impl Hash for Colliding {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                state.write_usize(self.0 % 2);
            }
        }
        let items: Vec<Colliding> = (0..600).map(|index| Colliding(index % 100)).collect();
        assert_eq!(remove_duplicates(&items), items[..100]);
    }
}
