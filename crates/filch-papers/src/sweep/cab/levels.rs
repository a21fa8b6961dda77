//! The boundary levels of a sweep.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The lowest and the highest boundary level of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    low: u32,
    high: u32,
}

/// Level 21 has a million tasks, which is far beyond what any program here forks at useful sizes.
const HIGHEST: u32 = 20;

/// The number of levels beyond that of equation 4, to show whether more levels would be faster.
const BEYOND: u32 = 2;

impl Levels {
    /// All levels from 0 to some beyond `by_equation`, which equation 4 gives.
    pub fn around(by_equation: u32) -> Self {
        Self { low: 0, high: (by_equation + BEYOND).min(HIGHEST) }
    }

    /// From the lowest to the highest.
    pub fn all(&self) -> RangeInclusive<u32> {
        self.low..=self.high
    }
}

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected two levels from 0 to {HIGHEST}, the lower one first, as in 0..4");
        let (low, high) = text.split_once("..").ok_or_else(expected)?;
        match (low.parse(), high.parse()) {
            (Ok(low), Ok(high)) if low <= high && high <= HIGHEST => Ok(Self { low, high }),
            _ => Err(expected()),
        }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_among_the_levels_and_so_is_that_of_the_equation() {
        let all = |text: &str| text.parse::<Levels>().unwrap().all().collect::<Vec<_>>();
        assert_eq!((all("0..3"), all("2..2")), (vec![0, 1, 2, 3], vec![2]));
        assert!((0..60).all(|level| Levels::around(level).all().contains(&level.min(HIGHEST))));
    }

    #[test]
    fn what_is_no_range_is_refused_with_what_is_expected() {
        for text in ["", "3", "..", "3..2", "-1..2", "0..21", "a..b"] {
            let message = text.parse::<Levels>().unwrap_err();
            assert!(message.contains("as in 0..4"), "{text}: {message}");
        }
    }
}
