//! Items removed in place.

use crate::blocks::share_of;
use crate::fresh::Start;
use std::ptr;

/// Removes the items that are not to be kept, in place. The others keep their order.
///
/// Each share of the items closes its own gaps, and then one worker moves the shares together.
///
/// Work: O(n), one call of `keep` for each item. Span: O(n / P) calls on P workers, and a copy of up to n items.
/// Memory: O(P).
///
/// ```
/// let mut items = vec![3, 1, 4, 1, 5];
/// filch_algorithms::retain(&mut items, |&x| x > 2);
/// assert_eq!(items, [3, 4, 5]);
/// ```
///
/// # Panics
///
/// If `keep` or the drop of an item panics. Items that have not been asked for then are kept.
pub fn retain<T: Send>(items: &mut Vec<T>, keep: impl Fn(&T) -> bool + Send + Sync) {
    let len = items.len();
    let size = share_of(len, 1);
    let mut kept: Vec<usize> = (0..len.div_ceil(size)).map(|share| size.min(len - share * size)).collect();
    // SAFETY: none is less. The shares have the items from here on.
    unsafe { items.set_len(0) };
    let shares = Shares { items, size, kept: &mut kept };
    let start = Start(shares.items.as_mut_ptr());
    filch::for_each((0_usize.., &mut *shares.kept), |_, (share, kept)| {
        // SAFETY: it is the first item of the share.
        let first = unsafe { start.at(share * size) };
        // SAFETY: these are the items of the share, which no other call has.
        unsafe { close_gaps(first, kept, &keep) };
    });
    drop(shares);
}

/// Removes items, and moves those that are kept to the beginning of all. `count` says how many there are, before and
/// after, also after a panic.
///
/// # Safety
///
/// So many items are there, and this call alone has them.
unsafe fn close_gaps<T>(first: *mut T, count: &mut usize, keep: &impl Fn(&T) -> bool) {
    let mut gap = Gap { first, asked: 0, kept: 0, count };
    while gap.asked < *gap.count {
        // SAFETY: it is one of the items.
        let item = unsafe { first.add(gap.asked) };
        // SAFETY: it has not been removed, nor moved.
        let is_kept = keep(unsafe { &*item });
        gap.asked += 1;
        if is_kept {
            // SAFETY: no more are kept than have been asked for.
            let place = unsafe { first.add(gap.kept) };
            // SAFETY: what was there has been moved or removed, or it is the same item.
            unsafe { ptr::copy(item, place, 1) };
            gap.kept += 1;
        } else {
            // SAFETY: it is not used any more.
            unsafe { item.drop_in_place() };
        }
    }
}

/// Items that have been asked for, of which some are kept, and the others. These are moved to those that are kept.
struct Gap<'a, T> {
    first: *mut T,
    asked: usize,
    kept: usize,
    count: &'a mut usize,
}

impl<T> Drop for Gap<'_, T> {
    fn drop(&mut self) {
        let rest = *self.count - self.asked;
        // SAFETY: it is a place of the items, or their end.
        let from = unsafe { self.first.add(self.asked) };
        // SAFETY: as above.
        let to = unsafe { self.first.add(self.kept) };
        // SAFETY: these items have not been asked for, and what was before them has been moved or removed.
        unsafe { ptr::copy(from, to, rest) };
        *self.count = self.kept + rest;
    }
}

/// A vector without items, which are in shares of equal size, each with its items at its beginning.
struct Shares<'a, T> {
    items: &'a mut Vec<T>,
    size: usize,
    /// How many items each share has.
    kept: &'a mut [usize],
}

impl<T> Drop for Shares<'_, T> {
    fn drop(&mut self) {
        let start = self.items.as_mut_ptr();
        let mut end = 0;
        for (share, &kept) in self.kept.iter().enumerate() {
            // SAFETY: it is the first place of the share.
            let from = unsafe { start.add(share * self.size) };
            // SAFETY: no more items are kept than there were.
            let to = unsafe { start.add(end) };
            // SAFETY: the items are there, and those of the shares before have been moved.
            unsafe { ptr::copy(from, to, kept) };
            end += kept;
        }
        // SAFETY: the items are all there, one after the other.
        unsafe { self.items.set_len(end) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn on(workers: usize, f: impl FnOnce() + Send) {
        filch::Pool::builder().workers(workers).build().expect("a pool").run(|_| f());
    }

    #[test]
    fn what_is_kept_is_what_the_method_of_vectors_keeps() {
        for workers in [1, 3] {
            on(workers, || {
                for len in [0, 1, 2, 13, if cfg!(miri) { 50 } else { 1000 }] {
                    for modulus in [1, 2, 7, 10_000] {
                        for is_kept in [false, true] {
                            let mut items: Vec<String> = (0..len).map(|number: usize| number.to_string()).collect();
                            let mut expected = items.clone();
                            let keep =
                                |item: &String| (item.len() + item.as_bytes()[0] as usize).is_multiple_of(modulus);
                            retain(&mut items, |item| keep(item) == is_kept);
                            expected.retain(|item| keep(item) == is_kept);
                            assert_eq!(items, expected);
                        }
                    }
                }
            });
        }
    }

    #[test]
    fn a_panic_loses_and_doubles_no_item() {
        on(2, || {
            for last in (0..100).step_by(if cfg!(miri) { 19 } else { 1 }) {
                let calls = AtomicUsize::new(0);
                // A box is freed twice if it is there twice, and leaks if it is lost.
                let mut items: Vec<Box<usize>> = (0..100).map(Box::new).collect();
                let result = catch_unwind(AssertUnwindSafe(|| {
                    retain(&mut items, |item| {
                        assert!(calls.fetch_add(1, Ordering::Relaxed) != last, "the last call");
                        **item % 3 > 0
                    });
                }));
                assert!(result.is_err());
                let found: Vec<usize> = items.into_iter().map(|item| *item).collect();
                assert!(found.is_sorted_by(|a, b| a < b));
                assert_eq!(found.iter().filter(|item| **item % 3 > 0).count(), 66, "what would be kept is there");
            }
        });
    }
}
