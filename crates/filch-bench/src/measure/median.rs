//! Medians and their confidence intervals.

use std::f64::consts::LN_2;
use std::fmt;

use serde::Serialize;

use crate::show::numbers::decimals;

/// The confidence of intervals, if there are enough values for it.
const CONFIDENCE: f64 = 0.95;

/// With fewer values than this, no interval has that confidence. All six of six values lie on one side of the median
/// with probability 2/64, all five of five with probability 2/32.
pub const FEWEST_FOR_CONFIDENCE: usize = 6;

/// A note for the explanation of a table, if there are too few runs for a confidence interval.
pub fn note_on_few(runs: usize) -> Option<String> {
    (runs < FEWEST_FOR_CONFIDENCE)
        .then(|| format!("(with fewer than {FEWEST_FOR_CONFIDENCE} runs, the interval is the range of the ratios)"))
}

/// A median and the interval that contains the median of the population with 95 % confidence.
///
/// The interval makes no assumption about the distribution. It lies between two order statistics: the number of values
/// below the population's median is binomial with p = 1/2. The interval of fewer than [`FEWEST_FOR_CONFIDENCE`] values
/// is their range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Median {
    /// The middle value, or the mean of the two middle values.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Median {
    /// The median of these values.
    ///
    /// # Panics
    ///
    /// If there are no values.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let cut = values_cut_off(n);
        Self { value: values[(n - 1) / 2].midpoint(values[n / 2]), low: values[cut], high: values[n - 1 - cut] }
    }

    /// The median of values that come in blocks of this length, of which only the blocks are independent: the medians
    /// of the blocks are the values that count.
    ///
    /// # Panics
    ///
    /// If there are no values, or if a block has none.
    pub fn of_blocks(values: &[f64], per_block: usize) -> Self {
        Self::of(values.chunks(per_block).map(|block| Self::of(block.to_vec()).value).collect())
    }

    /// The median of `ours[i] / theirs[i]`. The two values of a pair were measured at about the same time, so that a
    /// machine that slows down for a while slows down both.
    pub fn of_paired_ratios(ours: &[f64], theirs: &[f64]) -> Self {
        let ratios = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs);
        Self::of(ratios.collect())
    }
}

impl fmt::Display for Median {
    /// The widest number determines the number of digits, so that columns keep their width.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, low, high } = self;
        let digits = decimals(high.abs().max(low.abs()));
        write!(f, "{value:.digits$} [{low:.digits$}, {high:.digits$}]")
    }
}

/// The number of values outside of the interval on each side: the largest number that leaves a confidence of at least
/// 95 %.
fn values_cut_off(n: usize) -> usize {
    // The number of values below the population's median is k with probability C(n, k) / 2^n. A logarithm, because that
    // is less than any floating-point number if there are many values.
    let mut log = -(n as f64) * LN_2;
    let mut at_most = 0.0;
    // The population's median lies below the value with index k if at most k of n values lie below the median.
    let outside = (0..n / 2).map(|k| {
        at_most += log.exp();
        log += ((n - k) as f64 / (k + 1) as f64).ln();
        2.0 * at_most
    });
    outside.take_while(|&outside| outside <= 1.0 - CONFIDENCE).count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(n: usize) -> (f64, f64) {
        let median = Median::of((1..=n).map(|i| i as f64).collect());
        (median.low, median.high)
    }

    /// Ranks from tables of the sign test, as in (Conover 1999, "Practical Nonparametric Statistics").
    #[test]
    fn the_interval_has_the_ranks_of_the_sign_test_table() {
        assert_eq!(ranks(6), (1.0, 6.0));
        assert_eq!(ranks(9), (2.0, 8.0));
        assert_eq!(ranks(10), (2.0, 9.0));
        assert_eq!(ranks(12), (3.0, 10.0));
        assert_eq!(ranks(21), (6.0, 16.0));
        assert_eq!(ranks(25), (8.0, 18.0));
        assert_eq!(ranks(100), (40.0, 61.0));
    }

    /// Enumerates all 2^n cases of n values lying above or below the median.
    #[test]
    fn the_interval_covers_95_percent_and_the_next_narrower_one_does_not() {
        fn coverage(n: u32, cut: u32) -> f64 {
            let inside = |signs: &u32| {
                let below = signs.count_ones();
                cut < below && below < n - cut
            };
            (0..1_u32 << n).filter(inside).count() as f64 / f64::from(1_u32 << n)
        }
        for n in 6..=16 {
            let cut = values_cut_off(n) as u32;
            let n = n as u32;
            assert!(coverage(n, cut) >= 0.95, "{n} values");
            assert!(coverage(n, cut + 1) < 0.95, "{n} values");
        }
    }

    #[test]
    fn the_interval_of_very_few_values_is_their_range() {
        assert_eq!(ranks(1), (1.0, 1.0));
        assert_eq!(ranks(2), (1.0, 2.0));
        assert_eq!(ranks(FEWEST_FOR_CONFIDENCE - 1), (1.0, 5.0));
        assert_eq!(values_cut_off(FEWEST_FOR_CONFIDENCE), 0);
    }

    #[test]
    fn the_median_of_an_even_number_of_values_is_halfway() {
        assert_eq!(Median::of(vec![4.0, 1.0, 3.0, 2.0]).value, 2.5);
        assert_eq!(Median::of(vec![3.0, 1.0, 2.0]).value, 2.0);
    }

    #[test]
    fn ratios_are_taken_pair_by_pair() {
        let ours = [2.0, 20.0, 200.0];
        let theirs = [1.0, 10.0, 100.0];
        let ratio = Median::of_paired_ratios(&ours, &theirs);
        assert_eq!((ratio.low, ratio.value, ratio.high), (2.0, 2.0, 2.0));
    }

    /// Of this many comparisons of two runners that are alike, so many had an interval without 1, for which `interval`
    /// is asked. On a loaded machine a pool is slower than another one for as long as both live, because of where its
    /// threads happen to run; beside that, every round is noisy, with outliers.
    fn alike_but_different(comparisons: usize, rounds: usize, per_pool: usize, interval: fn(&[f64]) -> Median) -> f64 {
        let mut random = fastrand::Rng::with_seed(29);
        let mut noise = |scale: f64| {
            let sum: f64 = (0..6).map(|_| random.f64() - 0.5).sum();
            let outlier = if random.f64() < 0.1 { 6.0 } else { 1.0 };
            (scale * outlier * sum).exp()
        };
        let excluded = (0..comparisons).filter(|_| {
            let mut of_pools = 1.0;
            let ratio = |round: usize| {
                if round.is_multiple_of(per_pool) {
                    of_pools = noise(0.3) / noise(0.3);
                }
                of_pools * noise(0.1) / noise(0.1)
            };
            let ratios: Vec<f64> = (0..rounds).map(ratio).collect();
            let Median { low, high, .. } = interval(&ratios);
            !(low..=high).contains(&1.0)
        });
        excluded.count() as f64 / comparisons as f64
    }

    /// 5 % of 4,000 comparisons, with three standard deviations, are 6.1 %.
    #[test]
    fn intervals_of_blocks_are_honest_where_pools_differ_and_intervals_of_rounds_are_not() {
        let of_rounds = |ratios: &[f64]| Median::of(ratios.to_vec());
        for rounds in [21, 30, 51, 100] {
            let of_blocks = |ratios: &[f64]| Median::of_blocks(ratios, 3);
            let honest = alike_but_different(4000, rounds, 3, of_blocks);
            assert!(honest <= 0.061, "{rounds} rounds: {honest}");
            let one_pool = alike_but_different(4000, rounds, rounds, of_rounds);
            assert!(one_pool > 0.3, "{rounds} rounds of the same pools: {one_pool}");
            let not_in_blocks = alike_but_different(4000, rounds, 3, of_rounds);
            assert!(not_in_blocks > honest, "{rounds} rounds: {not_in_blocks}");
        }
        // On a quiet machine, where pools do not differ, rounds are enough.
        let quiet = alike_but_different(4000, 21, 1, of_rounds);
        assert!(quiet <= 0.061, "{quiet}");
    }

    #[test]
    fn a_block_counts_once_however_many_rounds_it_has() {
        let Median { value, low, high } = Median::of_blocks(&[1.0, 1.0, 9.0, 2.0, 2.0, 2.0, 3.0], 3);
        assert_eq!((value, low, high), (2.0, 1.0, 3.0), "of 1, 2 and 3");
    }
}
