//! Prefix sums, in two passes over blocks: the totals of all blocks, and then each block, which begins with the total
//! of those before it.

use crate::blocks::Blocks;
use crate::fresh::{Room, assert_room, in_blocks, into_blocks, tabulated};
use std::mem::replace;

/// The inclusive scan: item i of the result combines the items 0 to i.
///
/// What is combined with what depends on the number of items alone: see [`reduce`](crate::reduce). `combine` must be
/// associative, and `identity` neutral.
///
/// Work: O(n), two calls for each item. Span: O(n / b + b) calls, with blocks of b items (16 KiB at most).
///
/// ```
/// assert_eq!(filch_algorithms::scan(&[3, 1, 4, 1], 0, |a, b| a + b), [3, 4, 8, 9]);
/// ```
///
/// # Panics
///
/// If `combine` or a clone panics.
#[must_use]
pub fn scan<T: Clone + Send + Sync>(items: &[T], identity: T, combine: impl Fn(&T, &T) -> T + Send + Sync) -> Vec<T> {
    let (before, _) = totals_before(items, identity, &combine);
    in_blocks(Blocks::of::<T>(items.len()), inclusive(items, &before, &combine))
}

/// [`scan`], into a slice of the same length.
///
/// ```
/// let mut sums = [0; 4];
/// filch_algorithms::scan_into(&[3, 1, 4, 1], &mut sums, 0, |a, b| a + b);
/// assert_eq!(sums, [3, 4, 8, 9]);
/// ```
///
/// # Panics
///
/// If the lengths differ, or `combine`, a clone or the drop of an item that is replaced panics. Some items have been
/// replaced then.
pub fn scan_into<T: Clone + Send + Sync>(
    items: &[T],
    out: &mut [T],
    identity: T,
    combine: impl Fn(&T, &T) -> T + Send + Sync,
) {
    assert_room(out.len(), items.len());
    let (before, _) = totals_before(items, identity, &combine);
    into_blocks(out, Blocks::of::<T>(items.len()), inclusive(items, &before, &combine));
}

/// The exclusive scan: item i of the result combines the items before i. Also returns the combination of all items.
///
/// Work, span and order: as [`scan`].
///
/// ```
/// let (starts, len) = filch_algorithms::scan_exclusive(&[3, 1, 4, 1], 0, |a, b| a + b);
/// assert_eq!((starts, len), (vec![0, 3, 4, 8], 9));
/// ```
///
/// # Panics
///
/// If `combine` or a clone panics.
#[must_use]
pub fn scan_exclusive<T: Clone + Send + Sync>(
    items: &[T],
    identity: T,
    combine: impl Fn(&T, &T) -> T + Send + Sync,
) -> (Vec<T>, T) {
    let (before, total) = totals_before(items, identity, &combine);
    (in_blocks(Blocks::of::<T>(items.len()), exclusive(items, &before, &combine)), total)
}

/// [`scan_exclusive`], into a slice of the same length. Returns the combination of all items.
///
/// ```
/// let mut starts = [0; 4];
/// assert_eq!(filch_algorithms::scan_exclusive_into(&[3, 1, 4, 1], &mut starts, 0, |a, b| a + b), 9);
/// assert_eq!(starts, [0, 3, 4, 8]);
/// ```
///
/// # Panics
///
/// As [`scan_into`].
pub fn scan_exclusive_into<T: Clone + Send + Sync>(
    items: &[T],
    out: &mut [T],
    identity: T,
    combine: impl Fn(&T, &T) -> T + Send + Sync,
) -> T {
    assert_room(out.len(), items.len());
    let (before, total) = totals_before(items, identity, &combine);
    into_blocks(out, Blocks::of::<T>(items.len()), exclusive(items, &before, &combine));
    total
}

/// Writes the inclusive scan of a block.
fn inclusive<T: Clone + Send + Sync>(
    items: &[T],
    before: &[T],
    combine: &(impl Fn(&T, &T) -> T + Send + Sync),
) -> impl Fn(usize, &mut Room<'_, T>) + Send + Sync {
    step_by_step(items, before, |so_far, item| {
        *so_far = combine(so_far, item);
        so_far.clone()
    })
}

/// Writes the exclusive scan of a block.
fn exclusive<T: Clone + Send + Sync>(
    items: &[T],
    before: &[T],
    combine: &(impl Fn(&T, &T) -> T + Send + Sync),
) -> impl Fn(usize, &mut Room<'_, T>) + Send + Sync {
    step_by_step(items, before, |so_far, item| {
        let next = combine(so_far, item);
        replace(so_far, next)
    })
}

/// Writes a block: for each item what `step` makes of it and of what is combined so far, which it brings up to date.
fn step_by_step<T: Clone + Send + Sync>(
    items: &[T],
    before: &[T],
    step: impl Fn(&mut T, &T) -> T + Send + Sync,
) -> impl Fn(usize, &mut Room<'_, T>) + Send + Sync {
    let blocks = Blocks::of::<T>(items.len());
    move |block, room| {
        let mut so_far = before[block].clone();
        room.extend(items[blocks.range(block)].iter().map(|item| step(&mut so_far, item)));
    }
}

/// [`scan`] in place.
///
/// ```
/// let mut items = [3, 1, 4, 1];
/// filch_algorithms::scan_in_place(&mut items, 0, |a, b| a + b);
/// assert_eq!(items, [3, 4, 8, 9]);
/// ```
///
/// # Panics
///
/// If `combine` or a clone panics. Then some items have been scanned and others have not.
pub fn scan_in_place<T: Clone + Send + Sync>(
    items: &mut [T],
    identity: T,
    combine: impl Fn(&T, &T) -> T + Send + Sync,
) {
    in_place(items, identity, &combine, |so_far, item| {
        *so_far = combine(so_far, item);
        *item = so_far.clone();
    });
}

/// [`scan_exclusive`] in place. Returns the combination of all items.
///
/// ```
/// let mut counts = [3, 1, 4, 1];
/// assert_eq!(filch_algorithms::scan_exclusive_in_place(&mut counts, 0, |a, b| a + b), 9);
/// assert_eq!(counts, [0, 3, 4, 8]);
/// ```
///
/// # Panics
///
/// As [`scan_in_place`].
pub fn scan_exclusive_in_place<T: Clone + Send + Sync>(
    items: &mut [T],
    identity: T,
    combine: impl Fn(&T, &T) -> T + Send + Sync,
) -> T {
    in_place(items, identity, &combine, |so_far, item| {
        let next = combine(so_far, item);
        *item = replace(so_far, next);
    })
}

/// Scans each block by `step`, which gets what has been combined so far and the next item. Returns the total.
fn in_place<T: Clone + Send + Sync>(
    items: &mut [T],
    identity: T,
    combine: &(impl Fn(&T, &T) -> T + Send + Sync),
    step: impl Fn(&mut T, &mut T) + Send + Sync,
) -> T {
    let size = Blocks::of::<T>(items.len()).range(0).len().max(1);
    let scan_block = |block: &mut [T], mut so_far: T| block.iter_mut().for_each(|item| step(&mut so_far, item));
    if filch::scope(|_, _| filch::num_workers()) == 1 {
        // The same combinations, while a block is in a cache.
        return items.chunks_mut(size).fold(identity, |so_far, block| {
            let next = combine(&so_far, &total(block, combine));
            scan_block(block, so_far);
            next
        });
    }
    let (before, total) = totals_before(items, identity, combine);
    filch::for_each((filch::chunks_mut(items, size), &before), |_, (block, before)| scan_block(block, before.clone()));
    total
}

/// For each block, what the items before it combine to; and the total.
fn totals_before<T: Clone + Send + Sync>(
    items: &[T],
    identity: T,
    combine: &(impl Fn(&T, &T) -> T + Send + Sync),
) -> (Vec<T>, T) {
    let blocks = Blocks::of::<T>(items.len());
    let mut totals = tabulated(blocks.count(), |block| total(&items[blocks.range(block)], combine));
    let mut so_far = identity;
    for total in &mut totals {
        let next = combine(&so_far, total);
        *total = replace(&mut so_far, next);
    }
    (totals, so_far)
}

/// What the items of a block combine to.
fn total<T: Clone>(block: &[T], combine: &impl Fn(&T, &T) -> T) -> T {
    let (first, rest) = block.split_first().expect("a block has items");
    rest.iter().fold(first.clone(), |so_far, item| combine(&so_far, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_are_those_of_the_loop_for_all_lengths() {
        for len in [0, 1, 2, 255, 256, 257, 3000, 100_000] {
            let items: Vec<u64> = (0..len).map(|i| i * i % 1013).collect();
            let mut sum: u64 = 0;
            let exclusive: Vec<u64> = {
                let before = |item| {
                    let next = sum + item;
                    replace(&mut sum, next)
                };
                items.iter().map(before).collect()
            };
            let inclusive: Vec<u64> = items.iter().zip(&exclusive).map(|(item, before)| item + before).collect();
            let add = |a: &u64, b: &u64| a + b;
            assert_eq!(scan(&items, 0, add), inclusive);
            assert_eq!(scan_exclusive(&items, 0, add), (exclusive.clone(), sum));
            let mut out = vec![7; items.len()];
            scan_into(&items, &mut out, 0, add);
            assert_eq!(out, inclusive);
            assert_eq!(scan_exclusive_into(&items, &mut out, 0, add), sum);
            assert_eq!(out, exclusive);
            let mut copy = items.clone();
            scan_in_place(&mut copy, 0, add);
            assert_eq!(copy, inclusive);
            let mut copy = items.clone();
            assert_eq!(scan_exclusive_in_place(&mut copy, 0, add), sum);
            assert_eq!(copy, exclusive);
        }
    }

    #[test]
    fn what_does_not_commute_stays_in_order() {
        let items: Vec<String> = (0..300).map(|i: u32| i.to_string()).collect();
        let scanned = scan(&items, String::new(), |a, b| a.clone() + b);
        assert_eq!(scanned[299], items.concat());
        assert_eq!(scanned[2], "012");
    }

    #[test]
    fn a_scan_of_floats_is_the_same_on_any_number_of_workers_and_in_place() {
        let mut random = fastrand::Rng::with_seed(2);
        let items: Vec<f64> = (0..100_000).map(|_| random.f64() * 10_f64.powi(random.i32(-9..9))).collect();
        let bits = |items: Vec<f64>| items.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        let add = |a: &f64, b: &f64| a + b;
        let expected = bits(scan(&items, 0.0, add));
        for workers in [1, 2, 3] {
            let pool = filch::Pool::builder().workers(workers).build().expect("a pool");
            let mut copy = items.clone();
            pool.run(|_| scan_in_place(&mut copy, 0.0, add));
            assert_eq!(bits(copy), expected, "{workers} workers");
            assert_eq!(bits(pool.run(|_| scan(&items, 0.0, add))), expected, "{workers} workers");
        }
    }
}
