//! The times of leaves: a distribution in whole numbers, so that all machines draw the same times.

use std::fmt;
use std::str::FromStr;

/// How long leaves take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// All the same.
    Constant(u64),
    /// Any time between these two, evenly.
    Uniform(u64, u64),
    /// An exponential distribution with this mean, as the times between independent events have. At least 1 ns.
    Exponential(u64),
    /// The first time, or the second one for one in this many leaves.
    Mixed {
        /// Most leaves take this.
        usual_ns: u64,
        /// The others take this.
        rare_ns: u64,
        /// How many leaves have one of the others among them.
        one_in: u64,
    },
}

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014): neighbouring numbers get hashes that are far apart.
pub(crate) fn hash(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The number of fractional bits of [`minus_log`].
const LOG_BITS: u32 = 20;

/// −ln(`draw` / 2⁶⁴), in whole numbers, because the logarithm of floating-point numbers differs between machines. Each
/// squaring of the mantissa gives one bit of the binary logarithm behind the point.
fn minus_log(draw: u64) -> u64 {
    /// ln 2.
    const LN_2: u128 = (core::f64::consts::LN_2 * (1_u64 << LOG_BITS) as f64) as u128;
    // Zero would have no logarithm.
    let draw = draw | 1;
    let mut log = u64::from(draw.ilog2());
    let mut mantissa = draw << draw.leading_zeros();
    for _ in 0..LOG_BITS {
        let square = u128::from(mantissa) * u128::from(mantissa);
        let is_above_two = square >> 127 == 1;
        mantissa = (square >> if is_above_two { 64 } else { 63 }) as u64;
        log = 2 * log + u64::from(is_above_two);
    }
    let below_one = (64 << LOG_BITS) - log;
    ((u128::from(below_one) * LN_2) >> LOG_BITS) as u64
}

impl Work {
    /// What the leaf with this number takes.
    pub fn of(self, leaf: u64) -> u64 {
        match self {
            Work::Constant(ns) => ns,
            Work::Uniform(low, high) => low + hash(leaf) % (high - low + 1),
            Work::Exponential(mean_ns) => {
                let means = u128::from(minus_log(hash(leaf)));
                ((u128::from(mean_ns) * means) >> LOG_BITS).max(1) as u64
            }
            Work::Mixed { usual_ns, rare_ns, one_in } => {
                if hash(leaf).is_multiple_of(one_in) {
                    rare_ns
                } else {
                    usual_ns
                }
            }
        }
    }

    /// The shortest that a leaf takes.
    pub fn least_ns(self) -> u64 {
        match self {
            Work::Constant(ns) => ns,
            Work::Uniform(low, _) => low,
            Work::Exponential(_) => 1,
            Work::Mixed { usual_ns, rare_ns, .. } => usual_ns.min(rare_ns),
        }
    }

    /// What all leaves take, if that is the same.
    pub fn constant_ns(self) -> Option<u64> {
        match self {
            Work::Constant(ns) => Some(ns),
            _ => None,
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Work::Constant(ns) => write!(f, "{ns}ns"),
            Work::Uniform(low, high) => write!(f, "{low}ns..{high}ns"),
            Work::Exponential(mean_ns) => write!(f, "exp({mean_ns}ns)"),
            Work::Mixed { usual_ns, rare_ns, one_in } => write!(f, "{usual_ns}ns|{rare_ns}ns/{one_in}"),
        }
    }
}

/// Text that is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time; expected a number and a unit, such as 500ns, 10us, 2ms or 1s, up to 1000s")]
pub struct ParseTimeError(String);

/// The longest time that can be given, so that sums of many do not overflow.
const LONGEST_NS: u64 = 1_000_000_000_000;

/// A time in nanoseconds, such as `10us`. Zero is allowed here.
///
/// # Errors
///
/// If the text is not one.
pub fn parse_time(text: &str) -> Result<u64, ParseTimeError> {
    let ns = filch_policy::parse_time(text).and_then(|time| u64::try_from(time.as_nanos()).ok());
    ns.filter(|&ns| ns <= LONGEST_NS).ok_or_else(|| ParseTimeError(text.to_owned()))
}

/// Text that is not a distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseWorkError {
    /// A part of it is not a time.
    #[error(transparent)]
    Time(#[from] ParseTimeError),
    /// A leaf would take no time.
    #[error("`{0}`: a leaf takes at least 1ns")]
    Zero(String),
    /// A range that ends before it begins.
    #[error("`{0}`: the range ends before it begins")]
    Range(String),
    /// A share that is not a number.
    #[error("`{0}`: expected how many leaves have a rare one among them, from 1 up, as in 1us|1ms/100")]
    Share(String),
}

impl FromStr for Work {
    type Err = ParseWorkError;

    /// `10us`, `1us..20us`, `exp(10us)` or `1us|1ms/100`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = |part: &str| match parse_time(part)? {
            0 => Err(ParseWorkError::Zero(text.to_owned())),
            ns => Ok(ns),
        };
        if let Some(mean) = text.strip_prefix("exp(").and_then(|text| text.strip_suffix(')')) {
            return time(mean).map(Work::Exponential);
        }
        if let Some((low, high)) = text.split_once("..") {
            let (low, high) = (time(low)?, time(high)?);
            return if low <= high {
                Ok(Work::Uniform(low, high))
            } else {
                Err(ParseWorkError::Range(text.to_owned()))
            };
        }
        if let Some((usual, rare)) = text.split_once('|') {
            let share = || ParseWorkError::Share(text.to_owned());
            let (rare, one_in) = rare.split_once('/').ok_or_else(share)?;
            let one_in = one_in.parse().ok().filter(|&one_in| one_in > 0).ok_or_else(share)?;
            return Ok(Work::Mixed { usual_ns: time(usual)?, rare_ns: time(rare)?, one_in });
        }
        time(text).map(Work::Constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_survives_its_text_and_stays_within_its_bounds() {
        for (text, least, most) in
            [("10us", 10_000, 10_000), ("1us..20us", 1_000, 20_000), ("5ns|1ms/10", 5, 1_000_000)]
        {
            let work: Work = text.parse().expect("a distribution");
            assert_eq!(work.to_string().parse(), Ok(work));
            let drawn: Vec<u64> = (0..1_000).map(|leaf| work.of(leaf)).collect();
            assert!(drawn.iter().all(|ns| (least..=most).contains(ns)), "{text}");
            assert_eq!(work.least_ns(), least);
            assert!(drawn.iter().max() > Some(&(most * 9 / 10)), "{text}");
        }
        let rare =
            (0..10_000).filter(|&leaf| Work::Mixed { usual_ns: 1, rare_ns: 2, one_in: 10 }.of(leaf) == 2).count();
        assert!((850..1_150).contains(&rare), "{rare} of 10,000");
    }

    #[test]
    fn exponential_times_have_their_mean_their_median_and_a_long_tail() {
        let work: Work = "exp(10us)".parse().expect("a distribution");
        assert_eq!(work.to_string().parse(), Ok(work));
        let drawn: Vec<u64> = (0..100_000).map(|leaf| work.of(leaf)).collect();
        let share = |least: u64| drawn.iter().filter(|&&ns| ns >= least).count() as f64 / drawn.len() as f64;
        let mean = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        // Three standard errors of the mean are 1 %, of the shares less than half a percent.
        assert!((mean / 10_000.0 - 1.0).abs() < 0.01, "{mean}");
        for means in [0.1, 0.693, 1.0, 2.0, 4.0] {
            let expected = f64::exp(-means);
            assert!((share((means * 10_000.0) as u64) - expected).abs() < 0.005, "{means}");
        }
        assert!(drawn.iter().all(|&ns| ns >= work.least_ns()));
    }

    #[test]
    fn the_logarithm_in_whole_numbers_is_the_logarithm() {
        for draw in [1, 2, 3, 1 << 31, (1 << 40) + 12_345, u64::MAX / 3, 1 << 63, u64::MAX] {
            let expected = -(((draw | 1) as f64).ln() - 64.0 * core::f64::consts::LN_2);
            let found = minus_log(draw) as f64 / f64::from(1 << LOG_BITS);
            assert!((found - expected).abs() < 1e-4, "{draw}: {found}, expected {expected}");
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused_with_the_reason() {
        let refused = |text: &str| text.parse::<Work>().expect_err(text).to_string();
        assert!(refused("10").contains("not a time") && refused("10h").contains("500ns"));
        assert!(refused("0us").contains("at least 1ns"));
        assert!(refused("2us..1us").contains("ends before"));
        assert!(refused("1us|2us").contains("from 1 up") && refused("1us|2us/0").contains("from 1 up"));
        assert!(refused("exp(10)").contains("not a time") && refused("exp(0us)").contains("at least 1ns"));
        assert!(refused("99999999999s").contains("1000s"));
    }
}
