//! When to stop.

use std::time::{Duration, Instant};

use super::args::StressArgs;
use crate::stress::totals::Totals;

/// The goal of `filch stress`.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// Run for this time.
    Time(Duration),
    /// Run this many cases.
    Cases(u64),
    /// Run until this many tasks have been given or taken.
    Tasks(u64),
}

impl Goal {
    /// The goal that the user asks for.
    pub fn of(args: &StressArgs) -> Self {
        match (args.cases, args.tasks) {
            (Some(cases), _) => Goal::Cases(cases),
            (None, Some(tasks)) => Goal::Tasks(tasks),
            (None, None) => Goal::Time(Duration::from_secs(args.seconds)),
        }
    }

    /// The size of the goal, in a unit of its own.
    pub fn size(self) -> u64 {
        match self {
            // Times that do not fit into a u64 are practically infinite.
            Goal::Time(time) => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            Goal::Cases(goal) | Goal::Tasks(goal) => goal,
        }
    }

    /// How much of the goal has been reached, in the same unit.
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

    /// Truncated to a u64, this number of milliseconds would be 384.
    #[test]
    fn a_time_of_centuries_is_not_a_short_one() {
        let ages = Duration::from_secs(18_446_744_073_709_552);
        assert_eq!(Goal::Time(ages).size(), u64::MAX);
    }
}
