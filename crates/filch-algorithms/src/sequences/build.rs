//! New vectors, item by item.

use super::scan::scan;
use crate::fresh::{in_parts, tabulated};

/// The vector `[make(0), make(1), ..., make(len - 1)]`.
///
/// Work: that of the calls. Span: that of the longest call, and O(log `len`). The thread that makes an item is the
/// first to touch its memory. For a type that needs drop, there is also a byte for each item, which one worker zeroes.
///
/// ```
/// assert_eq!(filch_algorithms::tabulate(5, |i| i * i), [0, 1, 4, 9, 16]);
/// ```
///
/// # Panics
///
/// If `make` panics. What has been made is dropped.
#[must_use]
pub fn tabulate<T: Send>(len: usize, make: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    tabulated(len, make)
}

/// The results of `f` on each item.
///
/// Work: that of the calls. Span: that of the longest call, and O(log n).
///
/// ```
/// let lengths = filch_algorithms::map(&["to", "be", "or"], |word| word.len());
/// assert_eq!(lengths, [2, 2, 2]);
/// ```
///
/// # Panics
///
/// If `f` panics. What it has made is dropped.
#[must_use]
pub fn map<T: Sync, U: Send>(items: &[T], f: impl Fn(&T) -> U + Send + Sync) -> Vec<U> {
    tabulated(items.len(), |index| f(&items[index]))
}

/// The items of all lists, one list after the other.
///
/// Work: O(n) clones for n items in all, and O(1) for each list. Span: the clones of the longest list, and that of a
/// [`scan`] of their lengths.
///
/// ```
/// assert_eq!(filch_algorithms::concat(&[vec![1, 2], vec![], vec![3]]), [1, 2, 3]);
/// ```
///
/// # Panics
///
/// If a clone panics, or `as_ref` does not always return the same list.
#[must_use]
pub fn concat<T: Clone + Send + Sync, L: AsRef<[T]> + Sync>(lists: &[L]) -> Vec<T> {
    let ends = scan(&map(lists, |list| list.as_ref().len()), 0, |a, b| a + b);
    // A part that is not full is a panic.
    in_parts(&ends, |list, room| room.extend(lists[list].as_ref().iter().cloned()))
}
