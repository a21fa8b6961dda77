//! The common prefixes of neighbours in a suffix array.

use crate::blocks::share_of;
use crate::sequences::tabulate;
use std::sync::atomic::{AtomicU32, Ordering};

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
