//! Stable sorting by merging: leaves by the standard library's sort, and merges that fork.
//!
//! The items and a buffer of the same size take turns: a merge reads one and writes the other, by copies of bits, and
//! leaves what it reads as it is. A comparison that panics neither loses nor duplicates an item, because **one of the
//! two has all items at any time**. The items have them, except during a merge into the items. Then the buffer has
//! them, and it is copied back if the merge panics.
//!
//! No two threads access an item at the same time, since a merge finds out where to divide before it forks. So items
//! need not be `Sync`.

use crate::blocks::share_of;
use crate::fresh::{Start, vector};
use std::cmp::Ordering;
use std::mem::forget;
use std::ptr;
use std::slice;

/// The fewest items of a leaf. The standard library's sort inserts so few one by one.
const LEAST: usize = 16;

/// Sorts stably: equal items keep their order.
///
/// Where that does not matter, [`sort_unstable`](crate::sort_unstable) takes hardly any memory, and less time unless
/// long ranges of the items are in order already. Numbers are sorted fastest by [`radix_sort`](crate::radix_sort).
///
/// Work: O(n log n) comparisons. Span: O(n / P · log n + log³ n) on P workers. Memory: n items, if there are more than
/// 16, and up to a quarter of n items, which the sort of the standard library needs for leaves. On one worker it is
/// that sort.
///
/// ```
/// let mut items = [3, 1, 4, 1, 5];
/// filch_algorithms::sort(&mut items);
/// assert_eq!(items, [1, 1, 3, 4, 5]);
/// ```
///
/// # Panics
///
/// If a comparison panics, or finds that there is no total order. All items are there then, each once, in an
/// unspecified order.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// [`sort()`], in the order of `key`, which is called for each comparison.
///
/// ```
/// let mut words = ["three", "one", "four"];
/// filch_algorithms::sort_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["one", "four", "three"]);
/// ```
///
/// # Panics
///
/// As [`sort()`], and if `key` panics.
pub fn sort_by_key<T: Send, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Send + Sync) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// [`sort()`], in the order of `compare`.
///
/// # Panics
///
/// As [`sort()`], if `compare` panics.
pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Send + Sync) {
    filch::scope(|s, _| {
        let leaf = share_of(items.len(), LEAST);
        if filch::num_workers() == 1 || items.len() <= leaf || size_of::<T>() == 0 {
            return items.sort_by(compare);
        }
        let mut buffer = vector(items.len());
        let run = Run { items: items.as_mut_ptr(), buffer: buffer.as_mut_ptr(), len: items.len() };
        // SAFETY: the items and the buffer are that long, and no other thread accesses them meanwhile.
        unsafe { sort_run(s, run, To::Items, leaf, &compare) };
    });
}

/// A range of the items, and the same range of the buffer.
struct Run<T> {
    items: *mut T,
    buffer: *mut T,
    len: usize,
}

impl<T> Clone for Run<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Run<T> {}

// SAFETY: these are addresses. What is moved through them is `Send`, and no two threads access an item at once.
unsafe impl<T: Send> Send for Run<T> {}

impl<T> Run<T> {
    /// # Safety
    ///
    /// `at` is at most the length.
    unsafe fn split_at(self, at: usize) -> (Self, Self) {
        // SAFETY: guaranteed by the caller.
        let items = unsafe { self.items.add(at) };
        // SAFETY: as above.
        let buffer = unsafe { self.buffer.add(at) };
        (Run { len: at, ..self }, Run { items, buffer, len: self.len - at })
    }

    fn source_and_target(self, to: To) -> (*mut T, *mut T) {
        match to {
            To::Items => (self.buffer, self.items),
            To::Buffer => (self.items, self.buffer),
        }
    }
}

/// Where the sorted items are to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Items,
    Buffer,
}

impl To {
    fn other(self) -> Self {
        match self {
            To::Items => To::Buffer,
            To::Buffer => To::Items,
        }
    }
}

/// Sorts a run. However it ends, the items are complete. If it returns, those in `to` are sorted, and those in the
/// buffer are complete, too, if they are wanted there.
///
/// # Safety
///
/// The items are there, the buffer has room, and this call alone has the places of both.
unsafe fn sort_run<T: Send>(
    mut s: filch::Strand<'_>,
    run: Run<T>,
    to: To,
    leaf: usize,
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
) {
    if run.len <= leaf {
        // SAFETY: guaranteed by the caller.
        unsafe { slice::from_raw_parts_mut(run.items, run.len) }.sort_by(compare);
        if to == To::Buffer {
            // SAFETY: as above.
            unsafe { ptr::copy_nonoverlapping(run.items, run.buffer, run.len) };
        }
        return;
    }
    let half = run.len / 2;
    // SAFETY: it is less.
    let (left, right) = unsafe { run.split_at(half) };
    s.join(
        // SAFETY: the places are those of the caller, and the halves have none in common.
        move |s| unsafe { sort_run(s, left, to.other(), leaf, compare) },
        // SAFETY: as above.
        move |s| unsafe { sort_run(s, right, to.other(), leaf, compare) },
    );
    let (from, target) = run.source_and_target(to);
    /// Copies the buffer to the items, if a merge into them unwinds.
    struct Unwinding<T>(Run<T>);
    impl<T> Drop for Unwinding<T> {
        fn drop(&mut self) {
            // SAFETY: both halves are in the buffer, and the merge, which has ended, was the only one to have the run.
            unsafe { ptr::copy_nonoverlapping(self.0.buffer, self.0.items, self.0.len) };
        }
    }
    let unwinding = (to == To::Items).then(|| Unwinding(run));
    // SAFETY: both halves are sorted there.
    let right = unsafe { from.add(half) };
    let (left, right) = (Part { start: from, len: half }, Part { start: right, len: run.len - half });
    // SAFETY: the target has room for both, and this call alone has all these places.
    unsafe { merge(s, left, right, Start(target), leaf, compare) };
    forget(unwinding);
}

/// Sorted items that a merge reads.
struct Part<T> {
    start: *mut T,
    len: usize,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

// SAFETY: as for `Run`.
unsafe impl<T: Send> Send for Part<T> {}

impl<T> Part<T> {
    /// # Safety
    ///
    /// The items are there, and nobody changes them during `'a`.
    unsafe fn items<'a>(self) -> &'a [T] {
        // SAFETY: guaranteed by the caller.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    ///
    /// `at` is at most the length.
    unsafe fn split_at(self, at: usize) -> (Self, Self) {
        // SAFETY: guaranteed by the caller.
        let behind = unsafe { self.start.add(at) };
        (Part { len: at, ..self }, Part { start: behind, len: self.len - at })
    }
}

/// Copies the items of two sorted parts to `target`, in their order; those of `a` before equal ones of `b`. Each is
/// copied once, unless a comparison panics.
///
/// # Safety
///
/// The items are there, the target has room for them, and this call alone has these places.
unsafe fn merge<T: Send>(
    mut s: filch::Strand<'_>,
    a: Part<T>,
    b: Part<T>,
    target: Start<T>,
    leaf: usize,
    compare: &(impl Fn(&T, &T) -> Ordering + Sync),
) {
    if a.len + b.len <= leaf {
        // SAFETY: guaranteed by the caller.
        return unsafe { merge_serially(a, b, target.0, compare) };
    }
    // SAFETY: this call has both until it forks.
    let in_a = unsafe { a.items() };
    // SAFETY: as above.
    let in_b = unsafe { b.items() };
    // Where the longer part is halved, and what of the other one comes before that.
    let (from_a, from_b) = if a.len >= b.len {
        let middle = a.len / 2;
        (middle, in_b.partition_point(|item| compare(item, &in_a[middle]) == Ordering::Less))
    } else {
        let middle = b.len / 2;
        (in_a.partition_point(|item| compare(&in_b[middle], item) != Ordering::Less), middle)
    };
    // SAFETY: it is a place in the part.
    let (a, a_behind) = unsafe { a.split_at(from_a) };
    // SAFETY: as above.
    let (b, b_behind) = unsafe { b.split_at(from_b) };
    // SAFETY: the target has room for all.
    let behind = Start(unsafe { target.at(from_a + from_b) });
    s.join(
        // SAFETY: the parts and the targets have nothing in common.
        move |s| unsafe { merge(s, a, b, target, leaf, compare) },
        // SAFETY: as above.
        move |s| unsafe { merge(s, a_behind, b_behind, behind, leaf, compare) },
    );
}

/// # Safety
///
/// As for [`merge`].
unsafe fn merge_serially<T>(a: Part<T>, b: Part<T>, mut to: *mut T, compare: &impl Fn(&T, &T) -> Ordering) {
    // SAFETY: guaranteed by the caller.
    let in_a = unsafe { a.items() };
    // SAFETY: as above.
    let in_b = unsafe { b.items() };
    let (mut next_a, mut next_b) = (0, 0);
    while next_a < in_a.len() && next_b < in_b.len() {
        let (x, y) = (&in_a[next_a], &in_b[next_b]);
        // Not a branch, since it could not be predicted.
        let is_from_b = compare(y, x) == Ordering::Less;
        let next: *const T = if is_from_b { y } else { x };
        // SAFETY: the target has room for all items, of which this is the next one.
        unsafe { ptr::copy_nonoverlapping(next, to, 1) };
        // SAFETY: as above.
        to = unsafe { to.add(1) };
        next_a += usize::from(!is_from_b);
        next_b += usize::from(is_from_b);
    }
    for rest in [&in_a[next_a..], &in_b[next_b..]] {
        // SAFETY: as above.
        unsafe { ptr::copy_nonoverlapping(rest.as_ptr(), to, rest.len()) };
        // SAFETY: as above.
        to = unsafe { to.add(rest.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering as Memory};

    fn on(workers: usize, f: impl FnOnce() + Send) {
        filch::Pool::builder().workers(workers).build().expect("a pool").run(|_| f());
    }

    #[test]
    fn it_runs_on_the_surrounding_pool() {
        on(3, || {
            let mut items: Vec<u32> = (0..200).rev().collect();
            sort_by(&mut items, |a, b| {
                assert_eq!(filch::num_workers(), 3);
                a.cmp(b)
            });
        });
    }

    #[test]
    fn it_sorts_as_the_stable_sort_of_the_standard_library_does() {
        let most = if cfg!(miri) { 300 } else { 50_000 };
        for workers in [1, 2, 4] {
            on(workers, || {
                let mut random = fastrand::Rng::with_seed(3);
                for len in [0, 1, 2, 15, 16, 17, 33, 100, 257, most] {
                    for keys in [1, 3, u32::MAX] {
                        let items: Vec<(u32, usize)> = (0..len).map(|i| (random.u32(0..keys), i)).collect();
                        let (mut sorted, mut expected) = (items.clone(), items);
                        sort_by_key(&mut sorted, |item| item.0);
                        expected.sort_by_key(|item| item.0);
                        assert_eq!(sorted, expected);
                    }
                }
            });
        }
    }

    #[test]
    fn a_comparison_that_panics_or_has_no_order_loses_and_doubles_nothing() {
        let len = if cfg!(miri) { 60 } else { 2000 };
        let mut random = fastrand::Rng::with_seed(4);
        on(3, || {
            for round in 0..if cfg!(miri) { 4 } else { 100 } {
                // A box is freed twice if it is there twice, and leaks if it is lost.
                let mut items: Vec<Box<u32>> = (0..len).map(Box::new).collect();
                random.shuffle(&mut items);
                let (calls, last) = (AtomicUsize::new(0), random.usize(0..len as usize * 12));
                let sorted = catch_unwind(AssertUnwindSafe(|| {
                    sort_by(&mut items, |a, b| {
                        assert!(calls.fetch_add(1, Memory::Relaxed) != last, "the last comparison");
                        if round % 2 == 0 { a.cmp(b) } else { ((**a ^ **b) % 3).cmp(&1) }
                    });
                }));
                let mut found: Vec<u32> = items.iter().map(|item| **item).collect();
                assert!(sorted.is_err() || round % 2 == 1 || found.is_sorted());
                found.sort_unstable();
                assert!(found.into_iter().eq(0..len));
            }
        });
    }

    #[test]
    fn items_need_not_be_shared_between_threads() {
        on(2, || {
            let mut items: Vec<std::cell::Cell<u32>> = (0..500).map(|i| std::cell::Cell::new(i * 7 % 500)).collect();
            sort(&mut items);
            assert!(items.into_iter().map(|item| item.get()).eq(0..500));
        });
    }
}
