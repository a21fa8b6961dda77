//! How soon work is shared: the time from an ask to its reply, and the time of a take.
//!
//! The victim runs `fib`, which does nothing but fork. It returns from a branch every few nanoseconds, so the protocol
//! is measured and not the program. Each shared fork is worth half of the remaining work, so few forks are shared in
//! one long run; therefore there are many short runs. The two workers are bound to cores of their own. Otherwise, a
//! busy system may keep both on one core for seconds, and a victim that is asked never runs.
//!
//! The runtime itself measures the times (`filch::Latencies`), for asks that were granted and takes that succeeded.
//! Asks that are withdrawn because the asker ran out of patience have no time, so their number is shown too.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use filch::{Counters, Latencies, Pool, PoolBuilder, Scheduler};
use filch_bench::failure::Failure;
use filch_bench::measure::median::FEWEST_FOR_CONFIDENCE;
use filch_bench::show::numbers::seconds;
use filch_bench::show::progress::line::announce;
use filch_kernels::fib::{fib, fib_by_doubling};
use filch_kernels::runtime::Filch;

use super::row::row;

/// One victim and one thief.
const WORKERS: usize = 2;

/// A run takes one or two milliseconds, in which about ten forks are shared.
const N: u64 = 27;

/// With this many samples, the interval of the median is a few per cent wide.
const ENOUGH: usize = 1000;

/// The longest time for either measurement.
const LONGEST: Duration = Duration::from_millis(1500);

/// Measures and shows both.
pub(super) fn show(out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "How soon work is shared: {WORKERS} workers, fib {N} repeatedly; medians [95 % interval]")?;
    let are_bound = can_be_bound();
    if !are_bound {
        writeln!(out, "(workers cannot be bound to cores here and may share one)")?;
    }
    announce("running asks");
    let workers = |scheduler| Pool::builder().workers(WORKERS).pin_callers(are_bound).scheduler(scheduler);
    let asks = Sharing::measure(workers(Scheduler::default()), |latencies| &latencies.asks, LONGEST)?;
    asks.show(out, "ask to reply, scheduler default")?;
    let Counters { asks: asked, refusals, withdrawals, .. } = asks.counters;
    let granted = asked.saturating_sub(refusals + withdrawals);
    writeln!(
        out,
        "  (of {asked} asks {granted} were granted, {refusals} refused, {withdrawals} withdrawn unanswered)"
    )?;
    if withdrawals > asked / 2 {
        writeln!(out, "  (most victims did not run when asked: other programs may keep their cores busy)")?;
    }
    if !asks.can_take {
        writeln!(out, "take: not possible on this system")?;
        return Ok(());
    }
    announce("running takes");
    let takes = Sharing::measure(workers(Scheduler::cilk5()), |latencies| &latencies.takes, LONGEST)?;
    takes.show(out, "take, scheduler cilk5")?;
    let Counters { forks_taken, failed_takes, .. } = takes.counters;
    writeln!(out, "  ({forks_taken} forks were taken; {failed_takes} takes came too late)")?;
    Ok(())
}

/// Whether two workers can be bound to two cores.
fn can_be_bound() -> bool {
    let has_cores = thread::available_parallelism().is_ok_and(|cores| cores.get() >= WORKERS);
    has_cores && Pool::builder().workers(WORKERS).pin_callers(true).build().is_ok()
}

/// Selects asks or takes.
type Pick = fn(&Latencies) -> &[Duration];

/// The measurements under one scheduler.
struct Sharing {
    /// The latest times, in seconds.
    times: Vec<f64>,
    counters: Counters,
    /// How long the measurement took.
    lasted: Duration,
    /// Whether a thief can take on this system.
    can_take: bool,
}

impl Sharing {
    /// Runs until there are enough times of the kind that `pick` selects, or until the time is up.
    fn measure(workers: PoolBuilder, pick: Pick, longest: Duration) -> Result<Self, Failure> {
        let pool = workers.build().map_err(Failure::usage)?;
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
                let (counters, can_take) = (pool.counters(), pool.capabilities().taking());
                return Ok(Self { times, counters, lasted, can_take });
            }
        }
    }

    fn show(&self, out: &mut dyn Write, name: &str) -> Result<(), Failure> {
        row(out, name, self.times.clone())?;
        let n = self.times.len();
        if n < ENOUGH {
            let lasted = seconds(self.lasted.as_secs_f64());
            let range = if n < FEWEST_FOR_CONFIDENCE { "; too few for a 95 % interval" } else { "" };
            writeln!(out, "  (only {n} samples in {lasted} instead of {ENOUGH}{range})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_latencies_are_said_to_be_too_few() {
        let sharing = Sharing { times: vec![1e-6; 3], counters: Counters::default(), lasted: LONGEST, can_take: true };
        let mut shown = Vec::new();
        sharing.show(&mut shown, "ask to reply").unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.contains("only 3 samples in 1.50 s instead of 1000; too few for a 95 % interval"), "{shown}");
    }

    #[test]
    fn measuring_ends_when_its_time_is_up() {
        // Under this scheduler no worker takes, so the measurement would never have enough samples.
        let never = Scheduler::default().with_patience(None);
        let workers = Pool::builder().workers(WORKERS).scheduler(never);
        let sharing = Sharing::measure(workers, |latencies| &latencies.takes, Duration::ZERO).unwrap();
        assert!(sharing.times.is_empty());
    }
}
