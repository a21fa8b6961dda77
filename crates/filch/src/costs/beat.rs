//! τ of heartbeat scheduling: what one promotion costs a worker, and what a beat costs the thread that beats.
//!
//! One worker runs the [programs](super::programs), without a beat, and with one before each of their repetitions. No
//! other worker exists, so each promoted frame comes back to its owner.
//!
//! The paper measures on one processor, where the worker also pays for the beat itself. Here a thread beats, which may
//! have a processor of its own, but not where every processor has a worker. So the processor time that it spends on
//! each sleep counts, too. It is the larger part: a sleep that ends takes several microseconds. It is measured by
//! itself, and the worker above gives itself its beats: a thread that wakes on the processor of the worker costs that
//! as much as the sleep, and the system puts it there at some times and not at others. One beat reaches all workers,
//! so each processor of a pool pays its share of it ([`Costs::on`](super::Costs::on)).

use super::comparison::{Comparison, team};
use super::measured::Measured;
use super::programs::TIMES_COUNT;
use crate::engine::schedulers::heartbeat;
use crate::sync::{boxed, clock, timer};
use filch_policy::Scheduler;
use std::thread;
use std::time::Duration;

/// A program has more repetitions.
const ENOUGH: u64 = if TIMES_COUNT { 40 } else { 1 };
/// A promotion takes two locks.
const LEAST: Duration = Duration::from_nanos(50);
/// How long a sleep is to be.
const SLEEP: Duration = Duration::from_micros(10);
/// How many sleeps are timed. Together they take some milliseconds.
const SLEEPS: usize = if TIMES_COUNT { 64 } else { 2 };

/// Measures what a promotion costs. `None` if there is no memory, or if there were too few promotions.
pub(crate) fn promotion() -> Option<Measured> {
    // A beat is always due.
    let heartbeat = |period| team(1, &Scheduler::heartbeat().with_period(period));
    let quiet = heartbeat(Duration::MAX)?;
    let beaten = heartbeat(Duration::ZERO)?;
    let comparison = Comparison {
        quiet: &quiet,
        sharing: &beaten,
        tick: |team| {
            let beat = team.rules().beat().expect("heartbeat scheduling has beats");
            heartbeat::give(team.ladder(0), beat, clock::now_ns());
        },
        count: |team| team.counters().promotions,
        enough: ENOUGH,
        runs: 1,
        least: LEAST,
    };
    comparison.measure()
}

/// Measures what a sleep costs a thread that does nothing else. `None` if the system refuses the thread.
pub(crate) fn sleep() -> Option<Measured> {
    let mut samples = Vec::new();
    let sleeps = || {
        timer::be_punctual();
        samples.extend((0..SLEEPS).map(|_| {
            let begin = timer::used_by_this_thread();
            thread::sleep(SLEEP);
            timer::used_by_this_thread().saturating_sub(begin)
        }));
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("filch-calibration".to_owned());
        thread.spawn_scoped(scope, boxed(sleeps)).ok()?.join().ok()
    })?;
    Measured::by_samples(samples)
}
