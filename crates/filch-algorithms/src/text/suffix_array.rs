//! Suffix arrays, first by letters and then by ranks.
//!
//! Suffixes are brought together by their first bits, and each bucket, which fits a cache, is sorted by [keys](Packed)
//! of many letters. Suffixes with the same key are sorted by the next one, a few times. What is still equal then
//! repeats far, and is sorted by the ranks of a [sample](super::cover), which come from
//! [prefix doubling](super::doubling).

use super::cover::{PERIOD, sort_groups};
use super::packed::{LARGEST_WIDTH, Packed};
use crate::blocks::share_of;
use crate::scatter::scatter;
use crate::sequences::{flatten, map, tabulate};
use crate::sort::radix_sort_by_key;
use std::iter;
use std::ops::Range;

/// The bits by which suffixes are brought together, at most: counts for all values fit a second-level cache.
const MOST_BITS: u32 = 15;

/// The suffixes of a bucket, at least, if the letters are random.
const LEAST_OF_BUCKET: usize = 16;

/// The keys that are compared before ranks are: a period of letters, also if all bytes occur.
const KEYS: usize = PERIOD.div_ceil((u64::BITS / LARGEST_WIDTH) as usize);

/// The starts of all suffixes of `text`, in the order of the suffixes.
///
/// Work: O(n log n) for most texts; O(n log² n) at worst. Span: that of sorting the largest group of suffixes that are
/// equal so far, and O(g) for g groups, in each of O(log n) rounds. Memory: up to 33 bytes for each byte of text.
///
/// ```
/// assert_eq!(filch_algorithms::suffix_array(b"banana"), [5, 3, 1, 0, 4, 2]);
/// ```
///
/// # Panics
///
/// If the text has 2³² − 1 bytes or more.
#[must_use]
pub fn suffix_array(text: &[u8]) -> Vec<u32> {
    assert!(
        u32::try_from(text.len()).is_ok_and(|len| len < u32::MAX),
        "a text has fewer than 2^32 - 1 bytes, and this one has {}",
        text.len()
    );
    let packed = Packed::new(text);
    let (mut array, groups) = by_keys(&packed, text.len());
    sort_groups(&mut array, &groups, KEYS * packed.letters());
    array
}

/// A suffix, and the letters by which it is sorted next.
type Keyed = (u64, u32);

/// All suffixes in the order of their first [`KEYS`] keys, and the places of those that have equal ones.
fn by_keys(packed: &Packed, len: usize) -> (Vec<u32>, Vec<Range<u32>>) {
    let bits = (len / LEAST_OF_BUCKET).max(2).ilog2().min(MOST_BITS);
    let mut keyed = scatter(len, 1 << bits, |places| {
        places.map(|place| {
            let key = packed.key(place);
            ((key >> (u64::BITS - bits)) as usize, (key, place as u32))
        })
    });
    let large = share_of(len, 1);
    let mut start = 0;
    let mut buckets: Vec<(u32, &mut [Keyed])> = Vec::new();
    for bucket in keyed.buckets() {
        buckets.push((start, bucket));
        start += buckets.last().map_or(0, |(_, bucket)| bucket.len() as u32);
    }
    let mut groups: Vec<Vec<Range<u32>>> = tabulate(buckets.len(), |_| Vec::new());
    filch::for_each((&mut buckets, &mut groups), |_, ((start, bucket), groups)| {
        *groups = sort_bucket(packed, bucket, large);
        groups.iter_mut().for_each(|group| *group = group.start + *start..group.end + *start);
    });
    (map(&keyed.items, |suffix| suffix.1), flatten(groups))
}

/// Sorts suffixes that have their first key by all keys. Returns the places of those that have the same ones.
fn sort_bucket(packed: &Packed, suffixes: &mut [Keyed], large: usize) -> Vec<Range<u32>> {
    let mut groups: Vec<Range<u32>> = iter::once(0..suffixes.len() as u32).collect();
    for key in 1..=KEYS {
        let mut equal = Vec::new();
        for group in groups {
            let members = &mut suffixes[group.start as usize..group.end as usize];
            if members.len() > large {
                radix_sort_by_key(members, |suffix| suffix.0);
            } else {
                members.sort_unstable_by_key(|suffix| suffix.0);
            }
            let mut end = group.start;
            for same in members.chunk_by(|a, b| a.0 == b.0) {
                let start = end;
                end += same.len() as u32;
                if same.len() > 1 {
                    equal.push(start..end);
                }
            }
        }
        groups = equal;
        if key < KEYS {
            // For all groups before any is sorted, so that accesses to the text overlap.
            for group in &groups {
                let members = &mut suffixes[group.start as usize..group.end as usize];
                let next = |suffix: &mut Keyed| suffix.0 = packed.key(suffix.1 as usize + key * packed.letters());
                if members.len() > large {
                    filch::for_each(members, |_, suffix| next(suffix));
                } else {
                    members.iter_mut().for_each(next);
                }
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::texts;

    #[test]
    fn suffixes_are_in_their_order() {
        for text in texts() {
            let mut expected: Vec<u32> = (0..text.len() as u32).collect();
            expected.sort_by_key(|&start| &text[start as usize..]);
            assert_eq!(suffix_array(&text), expected);
        }
    }
}
