//! When to stop.

use std::time::{Duration, Instant};

use super::totals::Totals;
use crate::cli::StressArgs;

/// What a user wants to have run.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// Whatever there is time for.
    Time(Duration),
    /// So many cases.
    Cases(u64),
    /// Cases until so many tasks have changed hands.
    Tasks(u64),
}

impl Goal {
    /// The one that was asked for.
    pub fn of(args: &StressArgs) -> Self {
        match (args.cases, args.tasks) {
            (Some(cases), _) => Goal::Cases(cases),
            (None, Some(tasks)) => Goal::Tasks(tasks),
            (None, None) => Goal::Time(Duration::from_secs(args.seconds)),
        }
    }

    /// How much it is, in a unit of its own.
    pub fn size(self) -> u64 {
        match self {
            // Longer than a u64 of them is for ever.
            Goal::Time(time) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            Goal::Cases(goal) | Goal::Tasks(goal) => goal,
        }
    }

    /// How much of it is reached.
    pub fn reached(self, begin: Instant, cases: u64, totals: &Totals) -> u64 {
        match self {
            Goal::Time(_) => begin.elapsed().as_millis() as u64,
            Goal::Cases(_) => cases,
            Goal::Tasks(_) => totals.tasks(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In milliseconds, cut off to a u64, it would be 384.
    #[test]
    fn a_time_of_centuries_is_not_a_short_one() {
        let ages = Duration::from_secs(18_446_744_073_709_552);
        assert_eq!(Goal::Time(ages).size(), u64::MAX);
    }
}
