//! How soon work is shared: from asking a worker to its reply, and from the decision to take to having the fork.
//!
//! The victim runs `fib`, which does nothing but fork: it passes a return every few nanoseconds, so what is measured is
//! the protocol and not the program. Within one long run few forks are shared, each worth half of what is left; so runs
//! are short, and there are many. The two workers are bound to cores of their own: a system that is busy otherwise may
//! leave both on one core for seconds, and then no victim ever runs while it is asked.
//!
//! The runtime itself takes the times (`filch::Latencies`), of asks that were granted and takes that succeeded. Asks
//! that went unanswered until the asker's patience was at its end are not among them, so their number is shown, too.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use core_affinity::CoreId;
use filch::{Counters, Latencies, Pool, Scheduler};
use filch_programs::fib::{fib, fib_by_doubling};
use filch_programs::runtime::Filch;

use super::row::{announce, row};
use crate::failure::Failure;
use crate::numbers::seconds;
use crate::stats::FEWEST_FOR_CONFIDENCE;

/// A victim and a thief.
const WORKERS: usize = 2;

/// A millisecond or two: some ten forks change hands in it.
const N: u64 = 27;

/// Enough that the interval of the median is a few per cent wide.
const ENOUGH: usize = 1000;

/// What each of the two may take.
const LONGEST: Duration = Duration::from_millis(1500);

/// Measures and shows both.
pub(super) fn show(out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "How soon work is shared: {WORKERS} workers, fib {N} again and again; medians [95 % interval]")?;
    if core_of_the_caller().is_none() {
        writeln!(out, "(workers cannot be bound to cores of their own here, and may share one)")?;
    }
    announce("asks");
    let asks = Sharing::measure(Scheduler::default(), |latencies| &latencies.asks, LONGEST)?;
    asks.show(out, "ask to reply, scheduler default")?;
    let Counters { asks, refusals, withdrawals, .. } = asks.counters;
    let granted = asks.saturating_sub(refusals + withdrawals);
    writeln!(out, "  (of {asks} asks {granted} were granted, {refusals} refused, {withdrawals} withdrawn unanswered)")?;
    if withdrawals > asks / 2 {
        writeln!(out, "  (so most victims did not run when asked: other programs may keep their cores busy)")?;
    }
    if !can_take()? {
        writeln!(out, "take: nobody can take here")?;
        return Ok(());
    }
    announce("takes");
    let takes = Sharing::measure(Scheduler::cilk5(), |latencies| &latencies.takes, LONGEST)?;
    takes.show(out, "take, scheduler cilk5")?;
    let Counters { forks_taken, failed_takes, .. } = takes.counters;
    writeln!(out, "  ({forks_taken} forks were taken; {failed_takes} takes came too late)")?;
    Ok(())
}

/// The core of worker 0, which a pool leaves to its caller; nothing where two threads cannot be bound to two cores.
fn core_of_the_caller() -> Option<CoreId> {
    let cores = core_affinity::get_core_ids()?;
    let first = *cores.first().filter(|_| cores.len() >= WORKERS)?;
    let binds = || core_affinity::set_for_current(first);
    thread::scope(|scope| scope.spawn(binds).join()).is_ok_and(|binds| binds).then_some(first)
}

/// Whether this system lets a thief take.
fn can_take() -> Result<bool, Failure> {
    let pool = Pool::builder().workers(1).build().map_err(Failure::usage)?;
    Ok(pool.capabilities().taking())
}

/// Which latencies.
type Pick = fn(&Latencies) -> &[Duration];

/// What was measured under one scheduler.
struct Sharing {
    /// The latest latencies, in seconds.
    times: Vec<f64>,
    counters: Counters,
    /// How long it went on.
    lasted: Duration,
}

impl Sharing {
    /// Runs until there are enough latencies of the kind that `pick` picks, or the time is up.
    fn measure(scheduler: Scheduler, pick: Pick, longest: Duration) -> Result<Self, Failure> {
        let pool = Pool::builder().workers(WORKERS).scheduler(scheduler).pin_threads(core_of_the_caller().is_some());
        let pool = pool.build().map_err(Failure::usage)?;
        // A thread of its own, so that the rest of the command stays where the system puts it.
        thread::scope(|scope| scope.spawn(|| Self::measure_on(&pool, pick, longest)).join())
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn measure_on(pool: &Pool, pick: Pick, longest: Duration) -> Result<Self, Failure> {
        core_of_the_caller().map(core_affinity::set_for_current);
        let begin = Instant::now();
        loop {
            let value = pool.run(|s| fib(Filch::token(s), N));
            let expected = fib_by_doubling(N);
            if value != expected {
                return Err(Failure::Failed(format!("fib {N}: found {value}, expected {expected}")));
            }
            let latencies = pool.latencies();
            let latest = pick(&latencies);
            let lasted = begin.elapsed();
            if latest.len() >= ENOUGH || lasted >= longest {
                let times = latest.iter().map(Duration::as_secs_f64).collect();
                return Ok(Self { times, counters: pool.counters(), lasted });
            }
        }
    }

    fn show(&self, out: &mut dyn Write, name: &str) -> Result<(), Failure> {
        row(out, name, self.times.clone())?;
        let n = self.times.len();
        if n < ENOUGH {
            let lasted = seconds(self.lasted.as_secs_f64());
            let range = if n < FEWEST_FOR_CONFIDENCE { "; too few for an interval" } else { "" };
            writeln!(out, "  (no more than these {n} in {lasted}; {ENOUGH} were wanted{range})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_latencies_are_said_to_be_too_few() {
        let sharing = Sharing { times: vec![1e-6; 3], counters: Counters::default(), lasted: LONGEST };
        let mut shown = Vec::new();
        sharing.show(&mut shown, "ask to reply").unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.contains("these 3 in 1.50 s; 1000 were wanted; too few for an interval"), "{shown}");
    }

    #[test]
    fn measuring_ends_when_its_time_is_up() {
        // Under this scheduler nobody takes, so the wait would be for ever.
        let never = Scheduler::default().with_patience(None);
        let sharing = Sharing::measure(never, |latencies| &latencies.takes, Duration::ZERO).unwrap();
        assert!(sharing.times.is_empty());
    }
}
