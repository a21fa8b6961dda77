//! Suffix arrays by prefix doubling (Manber and Myers 1993), in which only the suffixes that are not yet in their place
//! are sorted again (Larsson and Sadakane 2007).
//!
//! After the round for a length h, suffixes are in the order of their first h bytes. The *rank* of a suffix is the
//! place of the first suffix with the same h bytes. The order of two of them by 2h bytes is that of their ranks, and
//! then that of the ranks of what lies h bytes behind each. A group of one is in its place; every other group is sorted
//! by the second rank alone, since the first one is the same.

use crate::blocks::share_of;
use crate::sequences::{find_first, pack_indices, tabulate};
use crate::sort::radix_sort_by_key;
use std::sync::atomic::{AtomicU32, Ordering};

/// The bytes that the first round looks at.
const FIRST: usize = 7;

/// The starts of all suffixes of `text`, in the order of the suffixes.
///
/// Work: O(n log n) for most texts; O(n log² n) at worst. Span: that of sorting the largest group, and O(g) for g
/// groups, in each of O(log n) rounds. Memory: up to 64 bytes for each byte of text.
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
    let len =
        u32::try_from(text.len()).ok().filter(|&len| len < u32::MAX).expect("a text has fewer than 2^32 - 1 bytes");
    // One is added to each byte, so that the end of the text, 0, comes before all bytes: nine bits each.
    let first_bytes = |start: usize| {
        let bytes = text[start..].iter().map(|&byte| u64::from(byte) + 1).chain(std::iter::repeat(0));
        bytes.take(FIRST).fold(0, |key, byte| key << 9 | byte)
    };
    let mut suffixes = tabulate(text.len(), |start| (first_bytes(start), start as u32));
    radix_sort_by_key(&mut suffixes, |suffix| suffix.0);
    let ranks: Vec<AtomicU32> = tabulate(text.len(), |_| AtomicU32::new(0));
    let mut groups = groups_of(&suffixes, 0..len, &ranks);
    let mut array = tabulate(text.len(), |place| suffixes[place].1);
    drop(suffixes);
    let mut length = FIRST;
    while !groups.is_empty() {
        // All are sorted by the ranks of the round before, which are read before any is changed.
        let sorted = tabulate(groups.len(), |number| {
            let group = groups[number].clone();
            let members = &array[group.start as usize..group.end as usize];
            let behind = |start: u32| {
                let place = start as usize + length;
                ranks.get(place).map_or(0, |rank| u64::from(rank.load(Ordering::Relaxed)) + 1)
            };
            let mut suffixes: Vec<(u64, u32)> = members.iter().map(|&start| (behind(start), start)).collect();
            crate::sort::sort_by_key(&mut suffixes, |suffix| suffix.0);
            suffixes
        });
        let next = tabulate(groups.len(), |number| groups_of(&sorted[number], groups[number].clone(), &ranks));
        for (group, sorted) in groups.iter().zip(&sorted) {
            let members = &mut array[group.start as usize..group.end as usize];
            filch::for_each((members, &sorted[..]), |_, (place, suffix)| *place = suffix.1);
        }
        groups = crate::sequences::concat(&next);
        length *= 2;
    }
    array
}

/// Gives suffixes with equal keys equal ranks: the place of the first of them. `places` are those of all. Returns the
/// places of keys that several have.
fn groups_of(suffixes: &[(u64, u32)], places: std::ops::Range<u32>, ranks: &[AtomicU32]) -> Vec<std::ops::Range<u32>> {
    let starts = pack_indices(suffixes.len(), |place| place == 0 || suffixes[place].0 != suffixes[place - 1].0);
    let end = |group: usize| starts.get(group + 1).copied().unwrap_or(suffixes.len());
    filch::for_each((0_usize.., &starts[..]), |_, (group, &start)| {
        for (_, suffix) in &suffixes[start..end(group)] {
            ranks[*suffix as usize].store(places.start + start as u32, Ordering::Relaxed);
        }
    });
    let several = pack_indices(starts.len(), |group| end(group) - starts[group] > 1);
    tabulate(several.len(), |number| {
        let group = several[number];
        places.start + starts[group] as u32..places.start + end(group) as u32
    })
}

/// For each place of the suffix array but the first, how many bytes its suffix has in common with the one before; 0 for
/// the first (Kasai, Lee, Arimura, Arikawa and Park 2001).
///
/// Work: O(n) on one worker; on P workers each begins anew, which adds O(P · l) for the longest common prefix l.
///
/// ```
/// let array = filch_algorithms::suffix_array(b"banana");
/// assert_eq!(filch_algorithms::longest_common_prefixes(b"banana", &array), [0, 1, 3, 0, 0, 2]);
/// ```
///
/// # Panics
///
/// If `array` has a place that the text has not, or another length.
#[must_use]
pub fn longest_common_prefixes(text: &[u8], array: &[u32]) -> Vec<u32> {
    assert_eq!(text.len(), array.len(), "a suffix for each byte");
    let place: Vec<AtomicU32> = tabulate(array.len(), |_| AtomicU32::new(0));
    filch::for_each((0_u32.., array), |_, (number, &start)| place[start as usize].store(number, Ordering::Relaxed));
    // In the order of the text, a prefix is at most one byte shorter than that before it.
    let size = share_of(text.len(), 1);
    let lengths: Vec<AtomicU32> = tabulate(array.len(), |_| AtomicU32::new(0));
    filch::for_each(0..text.len().div_ceil(size), |_, chunk| {
        let mut common = 0;
        for start in chunk * size..text.len().min((chunk + 1) * size) {
            let number = place[start].load(Ordering::Relaxed) as usize;
            let Some(before) = number.checked_sub(1).map(|before| array[before] as usize) else {
                common = 0;
                continue;
            };
            let (a, b) = (&text[start..], &text[before..]);
            let begin = common.min(a.len()).min(b.len());
            common = begin + a[begin..].iter().zip(&b[begin..]).take_while(|(a, b)| a == b).count();
            lengths[number].store(common as u32, Ordering::Relaxed);
            common = common.saturating_sub(1);
        }
    });
    tabulate(lengths.len(), |number| lengths[number].load(Ordering::Relaxed))
}

/// The Burrows-Wheeler transform of `text` and an end that comes before all bytes (Burrows and Wheeler 1994): the bytes
/// before each suffix, in the order of the suffixes, the end itself left out; and the place where it was.
///
/// Work and memory: as [`suffix_array`].
///
/// ```
/// assert_eq!(filch_algorithms::burrows_wheeler(b"banana"), (b"annbaa".to_vec(), 4));
/// ```
///
/// # Panics
///
/// As [`suffix_array`].
#[must_use]
pub fn burrows_wheeler(text: &[u8]) -> (Vec<u8>, usize) {
    let array = suffix_array(text);
    let Some(&last) = text.last() else { return (Vec::new(), 0) };
    let whole = find_first(&array, |&start| start == 0).expect("the whole text is a suffix");
    let before = |number: usize| text[(array[number] as usize).wrapping_sub(1)];
    // The suffix of the end alone comes first, and the byte before it is the last one.
    let bytes = tabulate(text.len(), |place| match place {
        0 => last,
        place if place <= whole => before(place - 1),
        place => before(place),
    });
    (bytes, whole + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Vec<Vec<u8>> {
        let mut random = fastrand::Rng::with_seed(6);
        let mut texts = vec![vec![], vec![7], vec![0; 300], b"abab".repeat(200), (0..=255).rev().collect()];
        for (len, letters) in [(10, 2), (1000, 1), (1000, 2), (5000, 4), (20_000, 255)] {
            texts.push((0..len).map(|_| random.u8(0..letters)).collect());
        }
        // Fibonacci's words have many repetitions.
        let (mut a, mut b) = (vec![b'a'], vec![b'a', b'b']);
        for _ in 0..14 {
            (a, b) = (b.clone(), [&b[..], &a].concat());
        }
        texts.push(a);
        texts
    }

    #[test]
    fn suffixes_and_their_common_prefixes_are_those_of_sorted_suffixes() {
        for text in texts() {
            let mut expected: Vec<u32> = (0..text.len() as u32).collect();
            expected.sort_by_key(|&start| &text[start as usize..]);
            let array = suffix_array(&text);
            assert_eq!(array, expected);
            let common = |pair: &[u32]| {
                let [a, b] = [pair[0], pair[1]].map(|start| &text[start as usize..]);
                a.iter().zip(b).take_while(|(a, b)| a == b).count() as u32
            };
            let first = if text.is_empty() { vec![] } else { vec![0] };
            let expected = [first, array.windows(2).map(common).collect()].concat();
            assert_eq!(longest_common_prefixes(&text, &array), expected);
        }
    }

    #[test]
    fn a_transform_can_be_undone() {
        for text in texts() {
            let (bytes, end) = burrows_wheeler(&text);
            // With the end as 0, so one is added to each byte.
            let mut last: Vec<u16> = bytes.iter().map(|&byte| u16::from(byte) + 1).collect();
            last.insert(end.min(last.len()), 0);
            let mut order: Vec<usize> = (0..last.len()).collect();
            order.sort_by_key(|&place| last[place]);
            let mut place = order[0];
            let undone: Vec<u8> = (0..text.len())
                .map(|_| {
                    place = order[place];
                    (last[place] - 1) as u8
                })
                .collect();
            assert_eq!(undone, text);
        }
    }
}
