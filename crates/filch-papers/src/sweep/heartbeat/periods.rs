//! The periods of a sweep.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use filch_sim::program::work::parse_time;

/// The shortest and the longest period of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periods {
    low: Duration,
    high: Duration,
}

/// The longest period: with a longer one no run would promote anything.
const LONGEST: Duration = Duration::from_secs(100);

impl Periods {
    /// The powers of ten, their doubles and their quintuples in the range, and its ends.
    pub fn all(&self) -> Vec<Duration> {
        let decades = (0..).map(|exponent| 10_u64.pow(exponent)).take_while(|&ns| ns <= LONGEST.as_nanos() as u64);
        let grid = decades.flat_map(|ns| [1, 2, 5].map(|digit| Duration::from_nanos(digit * ns)));
        let mut all: Vec<Duration> = grid.filter(|period| (self.low..self.high).contains(period)).collect();
        all.extend([self.low, self.high]);
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl FromStr for Periods {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected two times, as in 1us..10ms";
        let (low, high) = text.split_once("..").ok_or(expected)?;
        let time =
            |text: &str| parse_time(text).map(Duration::from_nanos).map_err(|error| format!("{error}; {expected}"));
        let (low, high) = (time(low)?, time(high)?);
        if low.is_zero() || low > high || high > LONGEST {
            let longest = humantime::format_duration(LONGEST);
            return Err(format!("the shorter time must come first, be more than 0, and the longer at most {longest}"));
        }
        Ok(Self { low, high })
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", humantime::format_duration(self.low), humantime::format_duration(self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_has_three_periods_and_the_ends_are_among_them() {
        let all = |text: &str| -> Vec<u128> {
            text.parse::<Periods>().unwrap().all().iter().map(Duration::as_micros).collect()
        };
        assert_eq!(all("1us..10ms"), [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]);
        assert_eq!(all("30us..120us"), [30, 50, 100, 120]);
        assert_eq!(all("30us..30us"), [30]);
        assert_eq!(all("1.5 \u{b5}s..0.003ms"), [1, 2, 3], "1.5, in whole microseconds");
    }

    #[test]
    fn a_range_that_is_none_is_refused_with_what_is_allowed() {
        for text in ["", "1us", "1us..", "1..2", "0us..1ms", "2ms..1ms", "1us..200s"] {
            let message = text.parse::<Periods>().unwrap_err();
            assert!(message.contains("1us..10ms") || message.contains("first"), "{text}: {message}");
        }
    }
}
