//! The transform of Burrows and Wheeler, and its inverse.

use super::suffix_array;
use crate::sequences::{find_first, tabulate};

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
