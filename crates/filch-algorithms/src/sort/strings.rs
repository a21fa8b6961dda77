//! Strings sorted by keys of their next bytes, which are kept beside them: so that most of the work accesses no string.

use super::{radix_sort_by_key, sort_by};
use crate::blocks::share_of;
use crate::fresh::{Start, vector};
use crate::sequences::{reduce, tabulate};
use std::ptr;

/// The bytes of a string in a key.
const BYTES: usize = 7;

/// The most strings that are sorted by comparisons at once, about as many as [`radix_sort_by_key`] would compare.
const FEW: usize = 32;

/// How often a group is divided before it is sorted by comparisons. This bounds the depth of the recursion.
const ROUNDS: u32 = 64;

/// Sorts strings stably by their bytes.
///
/// Items are [`String`], `&str`, `Vec<u8>`, `&[u8]`, and whatever else consists of bytes.
///
/// Work: O(n + d) for d bytes that tell the strings apart. Span: as [`radix_sort`](crate::radix_sort), up to 64 times,
/// each for seven bytes; and between them, that of comparing the bytes that a group of strings has in common. Memory:
/// 16 bytes for each item, and 16 more or another item, whichever is larger.
///
/// ```
/// let mut words = ["to", "be", "or", "not", "to", "be"];
/// filch_algorithms::sort_strings(&mut words);
/// assert_eq!(words, ["be", "be", "not", "or", "to", "to"]);
/// ```
///
/// # Panics
///
/// If `as_ref` panics. The items are in their old order then.
pub fn sort_strings<S: AsRef<[u8]> + Send + Sync>(items: &mut [S]) {
    let len = items.len();
    let mut keyed = tabulate(len, |index| Keyed { key: 0, index });
    sort_group(&mut keyed, items, 0, ROUNDS);
    let mut sorted = vector::<S>(len);
    let (from, to) = (Start(items.as_mut_ptr()), Start(sorted.as_mut_ptr()));
    filch::for_each((0_usize.., &keyed), |_, (place, keyed)| {
        // SAFETY: it is the index of an item.
        let item = unsafe { from.at(keyed.index) };
        // SAFETY: there is room for all items.
        let place = unsafe { to.at(place) };
        // SAFETY: no two keys have the same index, so each item is moved once.
        unsafe { ptr::copy_nonoverlapping(item, place, 1) };
    });
    let size = share_of(len, 1);
    let bring_back = |_: filch::Strand<'_>, part: usize| {
        let start = part * size;
        // SAFETY: the part begins with an item.
        let place = unsafe { from.at(start) };
        // SAFETY: as above.
        let sorted = unsafe { to.at(start) };
        // SAFETY: all items have been moved away, and this part has these places for itself.
        unsafe { ptr::copy_nonoverlapping(sorted, place, size.min(len - start)) };
    };
    // Not to be cancelled: while they come back, some items are there twice.
    filch::to_completion(|| filch::for_each(0..len.div_ceil(size), bring_back));
}

/// A string, by its index, and its next bytes.
#[derive(Clone, Copy)]
struct Keyed {
    /// Seven bytes, with zeros behind the end of the string; then how many bytes there are, at most eight. So keys are
    /// in the order of the strings, and equal ones belong to equal strings unless there are eight.
    key: u64,
    index: usize,
}

impl Keyed {
    fn is_longer(self) -> bool {
        self.key as u8 as usize > BYTES
    }
}

fn key_of(rest: &[u8]) -> u64 {
    let length = rest.len().min(BYTES + 1);
    let mut bytes = [0; BYTES + 1];
    bytes[..length].copy_from_slice(&rest[..length]);
    bytes[BYTES] = length as u8;
    u64::from_be_bytes(bytes)
}

/// The bytes of a string from `from` on.
fn rest_of<'a, S: AsRef<[u8]>>(items: &'a [S], keyed: &Keyed, from: usize) -> &'a [u8] {
    items[keyed.index].as_ref().get(from..).unwrap_or_default()
}

/// The number of bytes from `from` on that all strings of a group have in common. So that strings do not compare what
/// others do not have, up to twice as many are compared each time.
fn common_prefix<S: AsRef<[u8]> + Sync>(group: &[Keyed], items: &[S], from: usize) -> usize {
    let first = rest_of(items, &group[0], from);
    let mut most = BYTES;
    loop {
        most *= 2;
        let first = &first[..most.min(first.len())];
        let common = |keyed: &Keyed| {
            let rest = rest_of(items, keyed, from);
            if rest.starts_with(first) {
                first.len()
            } else {
                first.iter().zip(rest).take_while(|(a, b)| a == b).count()
            }
        };
        let common = reduce(group, || first.len(), common, usize::min);
        if common < most {
            return common;
        }
    }
}

/// Sorts strings whose first `from` bytes are equal.
fn sort_group<S: AsRef<[u8]> + Sync>(group: &mut [Keyed], items: &[S], mut from: usize, rounds: u32) {
    loop {
        if group.len() <= FEW {
            return group.sort_by(|a, b| rest_of(items, a, from).cmp(rest_of(items, b, from)));
        }
        if rounds == 0 {
            return sort_by(group, |a, b| rest_of(items, a, from).cmp(rest_of(items, b, from)));
        }
        filch::for_each(&mut *group, |_, keyed| keyed.key = key_of(rest_of(items, keyed, from)));
        radix_sort_by_key(group, |keyed| keyed.key);
        from += BYTES;
        // A longer common prefix is no round.
        if group[0].key != group[group.len() - 1].key {
            break;
        }
        if !group[0].is_longer() {
            return;
        }
        from += common_prefix(group, items, from);
    }
    let size = share_of(group.len(), FEW);
    let mut parts = Vec::new();
    let mut rest = group;
    while !rest.is_empty() {
        // A part ends where a group of equal keys does.
        let end = size.min(rest.len());
        let key = rest[end - 1].key;
        let end = end + rest[end..].partition_point(|keyed| keyed.key == key);
        parts.push(rest.split_off_mut(..end).expect("it is within the group"));
    }
    filch::for_each(&mut parts, |_, part| {
        for group in part.chunk_by_mut(|a, b| a.key == b.key) {
            if group.len() > 1 && group[0].is_longer() {
                sort_group(group, items, from, rounds - 1);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn strings_are_sorted_as_the_stable_sort_of_the_standard_library_does() {
        /// A string that can be told from an equal one.
        #[derive(Clone, PartialEq, Debug)]
        struct Numbered(Vec<u8>, usize);
        impl AsRef<[u8]> for Numbered {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
        let len = if cfg!(miri) { 150 } else { 20_000 };
        let mut random = fastrand::Rng::with_seed(15);
        // Few letters make long common prefixes; zeros look like the end of a string.
        for (letters, longest, prefix) in [(1, 40, 0), (2, 30, 0), (2, 9, 20), (255, 12, 0), (26, 5, 7), (3, 0, 0)] {
            for len in [0, 1, 40, len] {
                let mut string = || {
                    let rest = (0..random.usize(0..=longest)).map(|_| random.u8(0..letters)).collect::<Vec<_>>();
                    [vec![7; prefix], rest].concat()
                };
                let items: Vec<Numbered> = (0..len).map(|number| Numbered(string(), number)).collect();
                let (mut sorted, mut expected) = (items.clone(), items);
                sort_strings(&mut sorted);
                expected.sort_by(|a, b| a.0.cmp(&b.0));
                assert_eq!(sorted, expected, "{len} of {letters} letters");
            }
        }
    }

    #[test]
    fn all_suffixes_of_a_text_of_one_letter_are_sorted() {
        let text = "a".repeat(if cfg!(miri) { 100 } else { 5000 });
        let mut suffixes: Vec<&str> = (0..text.len()).map(|start| &text[start..]).collect();
        sort_strings(&mut suffixes);
        assert!(suffixes.iter().map(|suffix| suffix.len()).eq(1..=text.len()));
    }

    #[test]
    fn what_all_strings_have_in_common_takes_few_passes() {
        struct Counted<'a>(&'a [u8], &'a AtomicUsize);
        impl AsRef<[u8]> for Counted<'_> {
            fn as_ref(&self) -> &[u8] {
                self.1.fetch_add(1, Ordering::Relaxed);
                self.0
            }
        }
        const LEN: usize = 100;
        for common in [0, 20, 1000, 10_000] {
            for tails in [1, LEN] {
                let string = |number: usize| [vec![7; common], vec![(number % tails) as u8; 9]].concat();
                let strings: Vec<Vec<u8>> = (0..LEN).rev().map(string).collect();
                let calls = AtomicUsize::new(0);
                let mut items: Vec<Counted<'_>> = strings.iter().map(|string| Counted(string, &calls)).collect();
                sort_strings(&mut items);
                assert!(items.is_sorted_by_key(|item| item.0));
                let passes = 4 + (common / BYTES).max(1).ilog2() as usize;
                assert!(calls.into_inner() <= passes * (LEN + 1), "{common} common bytes, {tails} tails");
            }
        }
    }

    #[test]
    fn a_string_that_panics_or_changes_loses_and_doubles_nothing() {
        struct Changing<'a>(Box<u32>, &'a AtomicUsize, usize);
        impl AsRef<[u8]> for Changing<'_> {
            fn as_ref(&self) -> &[u8] {
                let call = self.1.fetch_add(1, Ordering::Relaxed);
                assert_ne!(call, self.2);
                &b"abcdefghijklmnopqrstuvwxyz"[call % 23..]
            }
        }
        for last in [0, 50, 300, usize::MAX] {
            let calls = AtomicUsize::new(0);
            let mut items: Vec<_> = (0..200).map(|number| Changing(Box::new(number), &calls, last)).collect();
            _ = catch_unwind(AssertUnwindSafe(|| sort_strings(&mut items)));
            let mut found: Vec<u32> = items.iter().map(|item| *item.0).collect();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..200));
        }
    }
}
