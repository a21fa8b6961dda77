//! Each item by itself: made from its index, from an item, or from two.

use crate::blocks::Blocks;
use crate::fresh::{assert_room, mapped, tabulated, zipped};
use std::mem::swap;

/// The vector `[make(0), make(1), ..., make(len - 1)]`.
///
/// Work: that of the calls. Span: O(log `len`) and that of the longest call, or of the calls of the largest block (16
/// KiB at most) for a type that needs drop. The thread that makes an item is the first to touch its memory.
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

/// [`tabulate`], into a slice, as many items as it has.
///
/// ```
/// let mut squares = [0; 5];
/// filch_algorithms::tabulate_into(&mut squares, |i| i * i);
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
///
/// # Panics
///
/// If `make` panics, or the drop of an item that is replaced. Some items have been replaced then.
pub fn tabulate_into<T: Send>(out: &mut [T], make: impl Fn(usize) -> T + Send + Sync) {
    filch::for_each((0_usize.., out), |_, (index, place)| *place = make(index));
}

/// The results of `f` on each item.
///
/// Work and span: as [`tabulate`].
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
    mapped(items, f)
}

/// [`map`], into a slice of the same length.
///
/// ```
/// let mut lengths = [0; 3];
/// filch_algorithms::map_into(&["to", "be", "or"], &mut lengths, |word| word.len());
/// assert_eq!(lengths, [2, 2, 2]);
/// ```
///
/// # Panics
///
/// If the lengths differ. As [`tabulate_into`], if `f` panics.
pub fn map_into<T: Sync, U: Send>(items: &[T], out: &mut [U], f: impl Fn(&T) -> U + Send + Sync) {
    assert_room(out.len(), items.len());
    filch::for_each((items, out), |_, (item, place)| *place = f(item));
}

/// [`map`], in place.
///
/// ```
/// let mut items = [3, 1, 4];
/// filch_algorithms::map_in_place(&mut items, |item| item * 2);
/// assert_eq!(items, [6, 2, 8]);
/// ```
///
/// # Panics
///
/// As [`tabulate_into`], if `f` panics.
pub fn map_in_place<T: Send>(items: &mut [T], f: impl Fn(&T) -> T + Send + Sync) {
    filch::for_each(items, |_, item| *item = f(item));
}

/// The results of `f` on each pair of items with the same index, up to the end of the shorter slice.
///
/// Work and span: as [`tabulate`].
///
/// ```
/// assert_eq!(filch_algorithms::zip_with(&[3, 1, 4], &[10, 20, 30], |a, b| a + b), [13, 21, 34]);
/// ```
///
/// # Panics
///
/// If `f` panics. What it has made is dropped.
#[must_use]
pub fn zip_with<A: Sync, B: Sync, U: Send>(a: &[A], b: &[B], f: impl Fn(&A, &B) -> U + Send + Sync) -> Vec<U> {
    zipped(a, b, f)
}

/// [`zip_with`], into a slice as long as the shorter one.
///
/// ```
/// let mut sums = [0; 3];
/// filch_algorithms::zip_with_into(&[3, 1, 4], &[10, 20, 30], &mut sums, |a, b| a + b);
/// assert_eq!(sums, [13, 21, 34]);
/// ```
///
/// # Panics
///
/// If it has another length. As [`tabulate_into`], if `f` panics.
pub fn zip_with_into<A, B, U>(a: &[A], b: &[B], out: &mut [U], f: impl Fn(&A, &B) -> U + Send + Sync)
where
    A: Sync,
    B: Sync,
    U: Send,
{
    assert_room(out.len(), a.len().min(b.len()));
    filch::for_each((a, b, out), |_, (x, y, place)| *place = f(x, y));
}

/// Reverses the order of the items, in place.
///
/// Work: O(n). Span: O(n / b + b) for blocks of b items (16 KiB at most).
///
/// ```
/// let mut items = [3, 1, 4];
/// filch_algorithms::reverse(&mut items);
/// assert_eq!(items, [4, 1, 3]);
/// ```
pub fn reverse<T: Send>(items: &mut [T]) {
    let half = items.len() / 2;
    let size = Blocks::of::<T>(half).range(0).len().max(1);
    let (front, back) = items.split_at_mut(half);
    let middle = back.len() - half;
    let mut pairs: Vec<_> = front.chunks_mut(size).zip(back[middle..].rchunks_mut(size)).collect();
    filch::for_each(&mut pairs, |_, (front, back)| {
        front.iter_mut().zip(back.iter_mut().rev()).for_each(|(a, b)| swap(a, b));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_gives_what_the_iterator_gives() {
        for len in [0, 1, 255, 256, 257, 10_000] {
            let a: Vec<u32> = (0..len).collect();
            let b: Vec<u32> = a.iter().map(|x| x * 7 % 1000).chain([1, 2]).collect();
            let texts: Vec<String> = b.iter().map(u32::to_string).collect();
            assert_eq!(map(&b, u32::to_string), texts);
            let sums: Vec<u32> = a.iter().zip(&b).map(|(x, y)| x + y).collect();
            assert_eq!(zip_with(&a, &b, |x, y| x + y), sums);
            assert_eq!(zip_with(&b, &a, |x, y| x + y), sums);
            let mut out = vec![0; a.len()];
            zip_with_into(&a, &b, &mut out, |x, y| x + y);
            assert_eq!(out, sums);
            tabulate_into(&mut out, |index| b[index]);
            assert_eq!(out, b[..a.len()]);
            map_in_place(&mut out, |x| x + 1);
            let mut doubled = vec![String::from("old"); a.len()];
            map_into(&out, &mut doubled, |x| (x - 1).to_string());
            assert_eq!(doubled, texts[..a.len()]);
            reverse(&mut doubled);
            assert!(doubled.iter().rev().eq(&texts[..a.len()]));
        }
    }
}
