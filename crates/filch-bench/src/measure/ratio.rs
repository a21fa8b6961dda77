//! Ratios of times.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::median::Median;

/// The median of the paired ratios of the own time to that of another runner, with its 95 % interval.
#[derive(Debug, Deserialize, Serialize)]
pub struct Ratio {
    /// The other runner's name.
    pub against: String,
    /// The median.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Ratio {
    /// The median of `ours[i] / theirs[i]`, where `theirs` are the times of `against`.
    pub fn of(against: &str, ours: &[f64], theirs: &[f64]) -> Self {
        Self::of_blocks(against, ours, theirs, 1)
    }

    /// The same of rounds in blocks of this length, of which only the blocks are independent.
    pub fn of_blocks(against: &str, ours: &[f64], theirs: &[f64], per_block: usize) -> Self {
        let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
        let Median { value, low, high } = Median::of_blocks(&ratios, per_block);
        Self { against: against.to_owned(), median: value, low, high }
    }

    /// How far the interval reaches from 1.
    pub fn distance(&self) -> f64 {
        (self.high - 1.0).max(1.0 - self.low)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median, low, high, .. } = *self;
        Median { value: median, low, high }.fmt(f)
    }
}
