//! Merging of sorted sequences.

use crate::blocks::Blocks;
use crate::fresh::{Room, in_blocks, into_blocks, tabulated};
use std::cmp::Ordering;

/// The items of two sorted slices, sorted. Equal items keep their order, and those of the first slice come first.
///
/// If a slice is not sorted, the result has all items, in an unspecified order.
///
/// Work: O(n + c log n) comparisons and n clones, for n items in c blocks (16 KiB at most). Span: that of the largest
/// block, and O(c + log n).
///
/// ```
/// assert_eq!(filch_algorithms::merge(&[1, 3, 5], &[2, 3]), [1, 2, 3, 3, 5]);
/// ```
///
/// # Panics
///
/// If a comparison or a clone panics.
#[must_use]
pub fn merge<T: Ord + Clone + Send + Sync>(a: &[T], b: &[T]) -> Vec<T> {
    merge_by(a, b, T::cmp)
}

/// [`merge`], in the order of `compare`.
///
/// # Panics
///
/// If `compare` or a clone panics.
#[must_use]
pub fn merge_by<T, C>(a: &[T], b: &[T], compare: C) -> Vec<T>
where
    T: Clone + Send + Sync,
    C: Fn(&T, &T) -> Ordering + Send + Sync,
{
    let (blocks, starts) = divided(a, b, &compare);
    in_blocks(blocks, writes(a, b, blocks, &starts, &compare))
}

/// [`merge_by`], into a slice as long as both together.
///
/// ```
/// let mut merged = [0; 5];
/// filch_algorithms::merge_into(&[1, 3, 5], &[2, 3], &mut merged, i32::cmp);
/// assert_eq!(merged, [1, 2, 3, 3, 5]);
/// ```
///
/// # Panics
///
/// If it has another length, or if `compare`, a clone or the drop of an item that is replaced panics. Some items have
/// been replaced then.
pub fn merge_into<T, C>(a: &[T], b: &[T], out: &mut [T], compare: C)
where
    T: Clone + Send + Sync,
    C: Fn(&T, &T) -> Ordering + Send + Sync,
{
    let (blocks, starts) = divided(a, b, &compare);
    into_blocks(out, blocks, writes(a, b, blocks, &starts, &compare));
}

/// The blocks of the result, and where each begins in `a`. This is found once, so that the blocks fit together whatever
/// `compare` says.
fn divided<T: Sync>(a: &[T], b: &[T], compare: &(impl Fn(&T, &T) -> Ordering + Send + Sync)) -> (Blocks, Vec<usize>) {
    let is_less = |x: &T, y: &T| compare(x, y) == Ordering::Less;
    let blocks = Blocks::of::<T>(a.len().checked_add(b.len()).expect("capacity overflow"));
    let starts = tabulated(blocks.count(), |block| of_first(a, b, blocks.range(block).start, &is_less));
    (blocks, in_order(starts, blocks))
}

/// Merges a block.
fn writes<T: Clone + Send + Sync>(
    a: &[T],
    b: &[T],
    blocks: Blocks,
    starts: &[usize],
    compare: &(impl Fn(&T, &T) -> Ordering + Send + Sync),
) -> impl Fn(usize, &mut Room<'_, T>) + Send + Sync {
    move |block, room| {
        let (start, range) = (starts[block], blocks.range(block));
        let end = starts.get(block + 1).copied().unwrap_or(a.len());
        let (mut a, mut b) = (&a[start..end], &b[range.start - start..range.end - end]);
        while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
            if compare(y, x) == Ordering::Less {
                room.push(y.clone());
                b = rest_b;
            } else {
                room.push(x.clone());
                a = rest_a;
            }
        }
        room.extend(a.iter().chain(b).cloned());
    }
}

/// How many of the first `count` items of the merged sequence come from `a`.
fn of_first<T>(a: &[T], b: &[T], count: usize, is_less: &impl Fn(&T, &T) -> bool) -> usize {
    let (mut least, mut most) = (count.saturating_sub(b.len()), a.len().min(count));
    while least < most {
        let middle = least + (most - least) / 2;
        // Whether item `middle` of `a` comes before the last of the others, if all of these are from `b`.
        if is_less(&b[count - middle - 1], &a[middle]) { most = middle } else { least = middle + 1 }
    }
    least
}

/// The same, made consistent if no order is: blocks take what the earlier ones have left, and no more than they have.
fn in_order(mut from_a: Vec<usize>, blocks: Blocks) -> Vec<usize> {
    for block in 1..from_a.len() {
        let before = from_a[block - 1];
        from_a[block] = from_a[block].clamp(before, before + blocks.range(block - 1).len());
    }
    from_a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_merged_sequence_is_that_of_a_stable_sort() {
        let mut random = fastrand::Rng::with_seed(7);
        for (m, n) in [(0, 0), (1, 0), (0, 1), (3, 500), (500, 3), (256, 256), (4000, 7000), (60_000, 50_000)] {
            for keys in [1, 5, 1_000_000] {
                let mut run = |len: usize, origin: u8| {
                    let mut items: Vec<(u32, u8)> = (0..len).map(|_| (random.u32(0..keys), origin)).collect();
                    items.sort();
                    items
                };
                let (a, b) = (run(m, 0), run(n, 1));
                let mut expected = [&a[..], &b].concat();
                expected.sort_by_key(|item| item.0);
                assert_eq!(merge_by(&a, &b, |x, y| x.0.cmp(&y.0)), expected, "{m} and {n} items, {keys} keys");
                let mut out = vec![(0, 7); m + n];
                merge_into(&a, &b, &mut out, |x, y| x.0.cmp(&y.0));
                assert_eq!(out, expected);
            }
        }
    }

    #[test]
    fn without_an_order_nothing_is_lost_or_doubled() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..20 {
            let items: Vec<u32> = (0..random.u32(0..3000)).collect();
            let (a, b) = items.split_at(random.usize(0..=items.len()));
            let hash = |x: u32, y: u32| (x ^ y.rotate_left(7)).wrapping_mul(0x9E37_79B9) >> 30;
            let mut merged = merge_by(a, b, |&x, &y| hash(x, y).cmp(&1));
            merged.sort_unstable();
            assert_eq!(merged, items);
        }
    }
}
