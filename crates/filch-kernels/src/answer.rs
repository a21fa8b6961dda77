//! The results of repeated calls, kept until they are checked.

use std::fmt::Debug;

/// The results of the calls since the last check: a value, and the first value that differed from it.
///
/// A sample may consist of hundreds of calls, and a wrong result among them must not be overwritten by the right
/// results after it.
#[derive(Debug)]
pub struct Answer<T> {
    first: Option<T>,
    deviant: Option<T>,
}

/// A result that is not what the checker expects.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// No call was made since the last check.
    #[error("nothing was computed")]
    Nothing,
    /// A call computed something else.
    #[error("found {found}, expected {expected}")]
    Wrong {
        /// The result of the call.
        found: String,
        /// The result according to the checker.
        expected: String,
    },
}

impl<T: PartialEq + Debug> Answer<T> {
    /// No results yet.
    pub const fn new() -> Self {
        Self { first: None, deviant: None }
    }

    /// Records the result of a call.
    pub fn record(&mut self, value: T) {
        match &self.first {
            None => self.first = Some(value),
            Some(first) if *first != value && self.deviant.is_none() => {
                self.deviant = Some(value);
            }
            Some(_) => {}
        }
    }

    /// Compares every result recorded since the last check with the expected one.
    pub fn check(&mut self, expected: &T) -> Result<(), Mismatch> {
        let first = self.first.take().ok_or(Mismatch::Nothing)?;
        // Two results that differ cannot both be right.
        for found in [Some(first), self.deviant.take()].into_iter().flatten() {
            if found != *expected {
                return Err(Mismatch::Wrong { found: format!("{found:?}"), expected: format!("{expected:?}") });
            }
        }
        Ok(())
    }
}

impl<T: PartialEq + Debug> Default for Answer<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_result_is_found_wherever_it_stands_among_right_ones() {
        for position in 0..3 {
            let mut answer = Answer::new();
            for call in 0..3 {
                answer.record(if call == position { 41 } else { 42 });
            }
            let mismatch = answer.check(&42).unwrap_err();
            assert_eq!(mismatch.to_string(), "found 41, expected 42");
        }
    }

    #[test]
    fn a_check_forgets_what_it_has_checked() {
        let mut answer = Answer::new();
        answer.record(1);
        answer.record(2);
        assert!(answer.check(&1).is_err());
        answer.record(1);
        assert_eq!(answer.check(&1), Ok(()));
        assert_eq!(answer.check(&1), Err(Mismatch::Nothing));
    }
}
