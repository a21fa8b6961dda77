//! Numbers.

use fastrand::Rng;

/// n integers, each below `bound`, which is at least 1.
pub(in crate::suite) fn uniform(n: u64, bound: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(1);
    (0..n).map(|_| random.u64(0..bound) as u32).collect()
}

/// n integers below n, half of which are among few: a range is drawn, of 1, 2, 4, ... up to 2 n numbers, and then one
/// of its numbers, which stands for a number below n.
pub(in crate::suite) fn exponential(n: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(2);
    // The same number of a range is always the same one below n.
    let stands_for = |number: u64| (Rng::with_seed(number).u64(..) % n.max(1)) as u32;
    let ranges = n.max(1).next_power_of_two().ilog2() + 1;
    (0..n)
        .map(|_| {
            let range = 1 << random.u32(0..ranges);
            stands_for(range + random.u64(0..range))
        })
        .collect()
}

/// n numbers in [0, 1).
pub(in crate::suite) fn fractions(n: u64) -> Vec<f64> {
    let mut random = Rng::with_seed(3);
    (0..n).map(|_| random.f64()).collect()
}

/// The numbers below n in their order, but for `swaps` pairs that have changed places.
pub(in crate::suite) fn almost_sorted(n: u64, swaps: u64) -> Vec<f64> {
    let mut random = Rng::with_seed(4);
    let mut numbers: Vec<f64> = (0..n).map(|i| i as f64).collect();
    if n > 0 {
        (0..swaps).for_each(|_| numbers.swap(random.usize(0..n as usize), random.usize(0..n as usize)));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const N: u64 = 100_000;

    #[test]
    fn uniform_numbers_have_the_mean_and_the_variance_of_their_range() {
        let numbers = fractions(N);
        let mean = numbers.iter().sum::<f64>() / N as f64;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / N as f64;
        // Six standard deviations.
        assert!((mean - 0.5).abs() < 6.0 * (1.0 / 12.0 / N as f64).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 6.0 * (1.0 / 180.0 / N as f64).sqrt(), "{variance}");
        let integers = uniform(N, 1 << 31);
        let mean = integers.iter().map(|&x| f64::from(x)).sum::<f64>() / N as f64 / (1_u64 << 31) as f64;
        assert!((mean - 0.5).abs() < 6.0 * (1.0 / 12.0 / N as f64).sqrt(), "{mean}");
    }

    /// One of 18 ranges has one number, the next two, and so on.
    #[test]
    fn the_most_frequent_exponential_numbers_have_the_shares_of_the_smallest_ranges() {
        let mut counts = HashMap::new();
        exponential(N).into_iter().for_each(|number| *counts.entry(number).or_insert(0_u64) += 1);
        let mut counts: Vec<u64> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let ranges = 18.0;
        for (place, share) in [(0, 1.0), (1, 0.5), (2, 0.5), (3, 0.25), (6, 0.25)] {
            let expected = N as f64 / ranges * share;
            let found = counts[place] as f64;
            assert!((found - expected).abs() < 6.0 * expected.sqrt() + 50.0, "{place}: {found}, {expected} expected");
        }
        assert!(counts.len() > N as usize / 10, "{} distinct", counts.len());
    }

    #[test]
    fn almost_sorted_numbers_are_sorted_but_for_the_swaps() {
        let numbers = almost_sorted(N, 100);
        let moved = numbers.iter().enumerate().filter(|&(i, &x)| i as f64 != x).count();
        assert!((150..=200).contains(&moved), "{moved}");
        assert_eq!(numbers.iter().sum::<f64>(), (N * (N - 1) / 2) as f64);
    }
}
