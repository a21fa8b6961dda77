//! The transform of Burrows and Wheeler, and its inverse.

use super::suffix_array;
use crate::scatter::scatter;
use crate::sequences::{find_first, tabulate};
use std::ops::Range;

/// The Burrows-Wheeler transform of `text` and an end that comes before all bytes (Burrows and Wheeler 1994): the bytes
/// before each suffix, in the order of the suffixes, the end itself left out; and the place where it was.
///
/// Work and memory: as [`suffix_array()`].
///
/// ```
/// assert_eq!(filch_algorithms::burrows_wheeler(b"banana"), (b"annbaa".to_vec(), 4));
/// ```
///
/// # Panics
///
/// As [`suffix_array()`].
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

/// The text whose [`burrows_wheeler`] transform is `bytes`, with its end at `end`.
///
/// Work: O(n). Span: O(n), since each byte says where the next one is. Memory: up to 9 bytes for each byte of text.
///
/// ```
/// assert_eq!(filch_algorithms::inverse_burrows_wheeler(b"annbaa", 4), b"banana");
/// ```
///
/// # Panics
///
/// If `bytes` and `end` are no transform of a text, or if there are 2³² − 1 bytes or more.
#[must_use]
pub fn inverse_burrows_wheeler(bytes: &[u8], end: usize) -> Vec<u8> {
    assert!(end <= bytes.len() && (end > 0 || bytes.is_empty()), "the end is at {end} of {} bytes", bytes.len());
    assert!(u32::try_from(bytes.len()).is_ok_and(|len| len < u32::MAX), "a text has fewer than 2^32 - 1 bytes");
    // Where the next byte of the text is: the places of equal bytes are in the order of what follows, as suffixes are.
    let place = |index: usize| (index + usize::from(index >= end)) as u32;
    let next = scatter(bytes.len(), 1 << u8::BITS, |indices: Range<usize>| {
        indices.map(|index| (usize::from(bytes[index]), place(index)))
    });
    let byte_at = |place: usize| bytes[place - usize::from(place > end)];
    let mut place = end;
    (0..bytes.len())
        .map(|_| {
            // The first suffix is the end alone.
            let suffix = place.checked_sub(1).expect("the transform of a text does not end before all bytes");
            place = next.items[suffix] as usize;
            byte_at(place)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::texts;

    #[test]
    fn a_transform_can_be_undone() {
        for text in texts() {
            let (bytes, end) = burrows_wheeler(&text);
            assert_eq!(inverse_burrows_wheeler(&bytes, end), text);
        }
    }

    #[test]
    fn a_transform_has_the_bytes_before_the_sorted_suffixes() {
        for text in texts().into_iter().filter(|text| !text.is_empty()) {
            let mut suffixes: Vec<&[u8]> = (0..=text.len()).map(|start| &text[start..]).collect();
            suffixes.sort();
            let before = |suffix: &&[u8]| text.len().checked_sub(suffix.len() + 1).map(|before| text[before]);
            let expected: Vec<Option<u8>> = suffixes.iter().map(before).collect();
            let (bytes, end) = burrows_wheeler(&text);
            let mut found: Vec<Option<u8>> = bytes.into_iter().map(Some).collect();
            found.insert(end, None);
            assert_eq!(found, expected);
        }
    }

    #[test]
    #[should_panic(expected = "the end is at 7 of 6 bytes")]
    fn an_end_behind_all_bytes_is_refused() {
        _ = inverse_burrows_wheeler(b"annbaa", 7);
    }
}
