//! Random orders.

use super::radix_sort_by_key;
use crate::sequences::tabulate;

/// A random permutation of the numbers below `len`. The same seed gives the same one, on any machine and number of
/// workers.
///
/// The numbers are sorted by pseudo-random keys of 64 bits, which are all different.
///
/// Work: O(n). Span: as [`radix_sort`](crate::radix_sort). Memory: twice that of n pairs of 16 bytes.
///
/// ```
/// let mut permutation = filch_algorithms::random_permutation(100, 42);
/// assert_ne!(permutation[..3], [0, 1, 2]);
/// filch_algorithms::sort(&mut permutation);
/// assert!(permutation.into_iter().eq(0..100));
/// ```
#[must_use]
pub fn random_permutation(len: usize, seed: u64) -> Vec<usize> {
    let mut keyed = tabulate(len, |number| (mixed(mixed(seed).wrapping_add(number as u64)), number));
    radix_sort_by_key(&mut keyed, |pair| pair.0);
    tabulate(len, |place| keyed[place].1)
}

/// The number that a generator with this state gives (SplitMix64: Steele, Lea and Flood 2014). Different for different
/// states.
pub(super) fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_three_is_about_as_frequent() {
        let mut counts = [0; 27];
        for seed in 0..6000 {
            let order = random_permutation(3, seed);
            counts[order[0] * 9 + order[1] * 3 + order[2]] += 1;
        }
        let found: Vec<i32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(found.len(), 6);
        // The standard deviation is 29.
        assert!(found.iter().all(|count| (850..1150).contains(count)), "{found:?}");
    }
}
