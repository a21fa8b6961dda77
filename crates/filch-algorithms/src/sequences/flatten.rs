//! The items of many lists in one.

use super::scan::scan_in_place;
use crate::blocks::Blocks;
use crate::fresh::{Room, in_parts, into_parts, mapped, tabulated, vector};

/// The items of all lists, one list after the other.
///
/// Work: O(n) clones for n items in all, and O(1) for each list. Span: the clones of the longest list, and that of a
/// [`scan`](crate::scan) of their lengths.
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
    in_parts(&ends(lists), cloned(lists))
}

/// [`concat()`], into a slice that is as long as all lists together.
///
/// ```
/// let mut items = [0; 3];
/// filch_algorithms::concat_into(&[vec![1, 2], vec![], vec![3]], &mut items);
/// assert_eq!(items, [1, 2, 3]);
/// ```
///
/// # Panics
///
/// If it has another length. As [`concat()`], or if the drop of an item that is replaced panics.
pub fn concat_into<T: Clone + Send + Sync, L: AsRef<[T]> + Sync>(lists: &[L], out: &mut [T]) {
    into_parts(out, &ends(lists), cloned(lists));
}

/// The items of all lists, one list after the other, which are moved.
///
/// Work: O(n) for n items in all, and O(1) for each list. Span: that of a copy of the longest list, and O(1) for each.
///
/// ```
/// let words = vec![vec![String::from("to"), String::from("be")], vec![], vec![String::from("or")]];
/// assert_eq!(filch_algorithms::flatten(words), ["to", "be", "or"]);
/// ```
///
/// # Panics
///
/// If there are more than `usize::MAX` items, which have no size.
#[must_use]
pub fn flatten<T: Send>(mut lists: Vec<Vec<T>>) -> Vec<T> {
    let len = lists.iter().try_fold(0_usize, |len, list| len.checked_add(list.len())).expect("capacity overflow");
    let mut items = vector::<T>(len);
    let mut parts = Vec::with_capacity(lists.len());
    let mut room = &mut items.spare_capacity_mut()[..len];
    for list in &mut lists {
        let part;
        (part, room) = room.split_at_mut(list.len());
        parts.push((list, part));
    }
    filch::for_each(&mut parts, |_, (list, part)| {
        // SAFETY: the part has as many places as the list has items, of the same type and anywhere else.
        unsafe { part.as_mut_ptr().cast::<T>().copy_from_nonoverlapping(list.as_ptr(), list.len()) };
        // SAFETY: the items have moved.
        unsafe { list.set_len(0) };
    });
    // SAFETY: there is room, and each part has the items of its list.
    unsafe { items.set_len(len) };
    items
}

/// The items of all lists that `f` makes, one list after the other.
///
/// Work: that of the calls, and O(m) for m items in all. Span: that of the calls for the largest block (16 KiB at
/// most), and that of [`flatten`]. Memory: twice that of the result, until it is returned.
///
/// ```
/// assert_eq!(filch_algorithms::flat_map(&[2, 0, 1], |&n| 0..n), [0, 1, 0]);
/// ```
///
/// # Panics
///
/// If `f` or an iterator panics.
#[must_use]
pub fn flat_map<T: Sync, I: IntoIterator>(items: &[T], f: impl Fn(&T) -> I + Send + Sync) -> Vec<I::Item>
where
    I::Item: Send,
{
    let blocks = Blocks::of::<T>(items.len());
    flatten(tabulated(blocks.count(), |block| items[blocks.range(block)].iter().flat_map(&f).collect()))
}

fn ends<T: Sync, L: AsRef<[T]> + Sync>(lists: &[L]) -> Vec<usize> {
    let mut ends = mapped(lists, |list| list.as_ref().len());
    scan_in_place(&mut ends, 0, |a, b| a + b);
    ends
}

/// Writes a list. It is not full if the list is shorter than it was, which is a panic.
fn cloned<T: Clone, L: AsRef<[T]> + Sync>(lists: &[L]) -> impl Fn(usize, &mut Room<'_, T>) + Send + Sync {
    |list, room| room.extend(lists[list].as_ref().iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_all_lengths_follow_one_another_whether_they_are_cloned_moved_or_made() {
        let mut random = fastrand::Rng::with_seed(14);
        for count in [0, 1, 3, 300, 5000] {
            let mut length = || if random.u32(0..9) == 0 { 50 } else { random.usize(0..4) };
            let lengths: Vec<usize> = (0..count).map(|_| length()).collect();
            let list = |(number, &len): (usize, &usize)| (0..len).map(|item| format!("{number} {item}")).collect();
            let lists: Vec<Vec<String>> = lengths.iter().enumerate().map(list).collect();
            let expected: Vec<String> = lists.iter().flatten().cloned().collect();
            assert_eq!(concat(&lists), expected);
            let mut out = vec![String::from("old"); expected.len()];
            concat_into(&lists, &mut out);
            assert_eq!(out, expected);
            let numbers: Vec<usize> = (0..count).collect();
            assert_eq!(flat_map(&numbers, |&number| lists[number].iter().cloned()), expected);
            assert_eq!(flatten(lists), expected);
        }
    }

    #[test]
    #[should_panic(expected = "the result has 3 items, but the slice for it has 2")]
    fn a_slice_that_is_too_short_is_refused() {
        concat_into(&[[1, 2, 3]], &mut [0; 2]);
    }
}
