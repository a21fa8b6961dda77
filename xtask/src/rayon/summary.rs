//! Times of the original and of the drop-in, taken in turns.

/// The fewest rounds of which an interval is worth its name.
const ROUNDS: usize = 21;

/// The number behind `--rounds`, if that is the first word, and the other words.
pub(super) fn rounds_of<'a, 'w>(words: &'a [&'w str]) -> Result<(usize, &'a [&'w str]), String> {
    match words {
        ["--rounds", rounds, rest @ ..] => {
            let parsed = rounds.parse().ok().filter(|&rounds| rounds > 0);
            Ok((parsed.ok_or_else(|| format!("--rounds {rounds}: expected a number, at least 1"))?, rest))
        }
        ["--rounds"] => Err("--rounds: expected a number".to_owned()),
        rest => Ok((ROUNDS, rest)),
    }
}

/// A round takes the time of the original, of the drop-in, and of the original again, whose ratio to the first says how
/// far ratios can be trusted.
pub(super) struct Rounds {
    stock_ns: Summary,
    ratio: Summary,
    same: Summary,
}

impl Rounds {
    pub(super) const HEAD: &str = "                        stock, µs          drop-in / stock            stock / stock";

    pub(super) fn take(
        rounds: usize,
        mut stock_ns: impl FnMut() -> Result<f64, String>,
        mut patched_ns: impl FnMut() -> Result<f64, String>,
    ) -> Result<Self, String> {
        let (mut times, mut ratios, mut same) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let first = stock_ns()?;
            times.push(first);
            ratios.push(patched_ns()? / first);
            same.push(stock_ns()? / first);
        }
        Ok(Rounds { stock_ns: Summary::of(times), ratio: Summary::of(ratios), same: Summary::of(same) })
    }

    /// As a row below [`HEAD`](Self::HEAD).
    pub(super) fn row(&self, name: &str) -> String {
        let micros = self.stock_ns.median / 1e3;
        format!("{name:<20} {micros:>12.1} {:>24} {:>24}", self.ratio.told(), self.same.told())
    }
}

/// The median of some values, and an interval in which that of all values lies with a probability of 95 % or more: two
/// of the values, by the binomial distribution of how many of them are less than it.
struct Summary {
    low: f64,
    median: f64,
    high: f64,
}

impl Summary {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let below = values_below(values.len());
        Summary { low: values[below], median: values[values.len() / 2], high: values[values.len() - 1 - below] }
    }

    fn told(&self) -> String {
        format!("{:.2} [{:.2}, {:.2}]", self.median, self.low, self.high)
    }
}

/// How many values of `count` may be left out on either side: their probability is at most 2.5 %.
fn values_below(count: usize) -> usize {
    // The probability that exactly `below` of the values are less than the median, for `below` from 0 on.
    let mut exactly = 0.5_f64.powi(count.try_into().unwrap_or(i32::MAX));
    let (mut together, mut below) = (0.0, 0_usize);
    loop {
        together += exactly;
        if together > 0.025 {
            return below.saturating_sub(1);
        }
        exactly *= (count - below) as f64 / (below + 1) as f64;
        below += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the sign test: with 21 values, the 6th and the 16th.
    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        assert_eq!(values_below(21), 5);
        assert_eq!(values_below(10), 1);
        assert_eq!(values_below(1), 0);
        let summary = Summary::of((1..=21).rev().map(f64::from).collect());
        assert_eq!((summary.low, summary.median, summary.high), (6.0, 11.0, 16.0));
    }
}
