//! τ of heartbeat scheduling: what one promotion costs a worker, and what a beat costs the thread that beats.
//!
//! One worker runs the [program](super::program), with a period so long that there are no promotions, and with one so
//! short that they cost much. No other worker exists, so each promoted frame comes back to its owner.
//!
//! The paper measures on one processor, where the worker also pays for the beat itself. Here the thread that beats may
//! have a processor of its own during the measurement, but not where every processor has a worker. So the processor
//! time that it spends on each sleep counts, too. It is the larger part: a sleep that ends takes several microseconds.
//! One beat reaches all workers, so each processor of a pool pays its share of it ([`Costs::on`](super::Costs::on)).

use super::program::{Comparison, team};
use crate::engine::beater;
use crate::engine::team::Team;
use crate::sync::timer;
use filch_policy::{Costs, Scheduler};
use std::sync::OnceLock;
use std::time::Duration;

/// The short period. The system may make it longer.
const SHORT: Duration = Duration::from_micros(10);
/// A round is short, so that some are not disturbed.
const ENOUGH: u64 = 20;
/// Timers may be so coarse that there are few beats in a run.
const RUNS: u32 = 50;
/// A promotion takes two locks, and a sleep a call of the system.
const LEAST: Duration = Duration::from_nanos(100);

/// Measures what a promotion and what a beat costs. `None` if there were too few promotions.
pub(crate) fn measure() -> Option<(Duration, Duration)> {
    let heartbeat = |period| team(1, &Scheduler::heartbeat().with_period(period));
    let quiet = heartbeat(Duration::MAX)?;
    let beaten = heartbeat(SHORT)?;
    let beat = beaten.rules().beat()?;
    let count = |team: &Team| team.counters().promotions;
    let comparison = Comparison { quiet: &quiet, sharing: &beaten, count, enough: ENOUGH, runs: RUNS, least: LEAST };
    let sleep = OnceLock::new();
    let promotion = comparison.measure(|| {
        beater::live(&beaten, beat);
        _ = sleep.set(timer::cost_of_a_sleep());
    })?;
    Some((promotion, sleep.into_inner().flatten().unwrap_or(Costs::ASSUMED.beat).max(LEAST)))
}
