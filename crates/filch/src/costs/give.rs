//! τ, what it costs the owner of a fork to give it away.
//!
//! Acar et al. measure on one core, where all of that cost falls on the worker that creates a task. Here most of it is
//! traffic between two processors. So there is a second thread, which asks, and τ is what the asked thread loses. The
//! [programs](super::programs) are so small that what the asker does for them hardly counts.

use super::comparison::{Comparison, team};
use super::measured::Measured;
use crate::engine::life;
use crate::engine::team::Team;
use filch_policy::Scheduler;
use std::time::Duration;

/// With this many tasks the asker was running.
const ENOUGH: u64 = 100;
/// How often a program is run for that: on a busy machine the asker runs for a part of the time.
const RUNS: u32 = 4;
/// A gift takes a lock and a few locked instructions.
const LEAST: Duration = Duration::from_nanos(50);

/// Measures τ. `None` if the asker did not run often enough.
pub(crate) fn measure() -> Option<Measured> {
    let with_period = |workers, period| team(workers, &Scheduler::default().with_period(period).with_patience(None));
    let quiet = with_period(1, Duration::MAX)?;
    let asked = with_period(2, Duration::ZERO)?;
    let comparison = Comparison {
        quiet: &quiet,
        sharing: &asked,
        tick: |_| (),
        count: tasks,
        enough: ENOUGH,
        runs: RUNS,
        least: LEAST,
    };
    comparison.measure_with(|| life::live(&asked, 1, || ()))
}

fn tasks(team: &Team) -> u64 {
    let counters = team.counters();
    counters.forks_given - counters.forks_reclaimed
}
