//! Suffix arrays, first by letters and then by ranks.
//!
//! Suffixes are brought together by their first bits, and each bucket, which fits a cache, is sorted by [keys](Packed)
//! of many letters. Suffixes with the same key are sorted by the next one, a few times. What is still equal then repeats
//! far, and goes on by [doubling], which takes a logarithmic number of rounds.

use super::doubling;
use super::packed::Packed;
use crate::blocks::share_of;
use crate::scatter::scatter;
use crate::sequences::{flatten, map, tabulate};
use crate::sort::radix_sort_by_key;
use std::ops::Range;

/// The bits by which suffixes are brought together, at most: counts for all values fit a second-level cache.
const MOST_BITS: u32 = 15;

/// The suffixes of a bucket, at least, if the letters are random.
const LEAST_OF_BUCKET: usize = 16;

/// The keys that are compared before ranks are. A key is one access to the text, as a rank is to the ranks, which are
/// written for all suffixes first: so many keys take about as long.
const KEYS: usize = 4;

/// The starts of all suffixes of `text`, in the order of the suffixes.
///
/// Work: O(n log n) for most texts; O(n log² n) at worst. Span: that of sorting the largest group of suffixes that are
/// equal so far, and O(g) for g groups, in each of O(log n) rounds. Memory: up to 30 bytes for each byte of text.
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
    let (array, groups) = by_keys(&packed, text.len());
    doubling::sort(array, groups, KEYS * packed.letters())
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
        sort_bucket(packed, bucket, *start, 0, large, groups);
    });
    (map(&keyed.items, |suffix| suffix.1), flatten(groups))
}

/// Sorts suffixes that have all keys before `round` in common, and have that one. Appends the groups that remain.
fn sort_bucket(
    packed: &Packed,
    suffixes: &mut [Keyed],
    start: u32,
    round: usize,
    large: usize,
    groups: &mut Vec<Range<u32>>,
) {
    if suffixes.len() > large {
        radix_sort_by_key(suffixes, |suffix| suffix.0);
    } else {
        suffixes.sort_unstable_by_key(|suffix| suffix.0);
    }
    let mut from = 0;
    while from < suffixes.len() {
        let key = suffixes[from].0;
        let equal = suffixes[from..].iter().take_while(|suffix| suffix.0 == key).count();
        let group = &mut suffixes[from..from + equal];
        let place = start + from as u32;
        from += equal;
        if equal == 1 {
            continue;
        }
        if round + 1 == KEYS {
            groups.push(place..place + equal as u32);
            continue;
        }
        let letters = (round + 1) * packed.letters();
        let next = |suffix: &mut Keyed| suffix.0 = packed.key(suffix.1 as usize + letters);
        if equal > large {
            filch::for_each(&mut *group, |_, suffix| next(suffix));
        } else {
            group.iter_mut().for_each(next);
        }
        sort_bucket(packed, group, place, round + 1, large, groups);
    }
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
