//! τ, what it costs the owner of a fork to give it away.
//!
//! The protocol is that of Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1. A program is run once
//! with nothing shared (N very large) and once with as much shared as possible (N = 0). τ is the difference of the
//! times, divided by the number of tasks created. The paper does so on one core, where all of that cost falls on the
//! worker that creates a task. Here most of it is traffic between two processors. So the second run has a thread that
//! asks, and τ is what the asked thread loses. The program is so small that what the asker does for it hardly counts.

use crate::constructs::Strand;
use crate::engine::life;
use crate::engine::team::Team;
use filch_policy::{Costs, Rules, Scheduler};
use std::thread;
use std::time::{Duration, Instant};

/// Rounds of the protocol.
const ROUNDS: usize = 9;
/// Under a checker such as Miri, times mean nothing, and one pass through the code is enough.
const TIMES_COUNT: bool = !cfg!(any(miri, filch_sanitizer = "thread"));
/// How many rounds to try at most to get [`ROUNDS`] that count.
const ATTEMPTS: usize = if TIMES_COUNT { 40 } else { 1 };
/// How long to sleep if the asker does not run, to leave it the processor.
const AWAY: Duration = Duration::from_millis(1);
/// The program: this many repetitions of fib([`FIB`]).
const REPEATS: u32 = if TIMES_COUNT { 5_000 } else { 2 };
const FIB: u64 = 8;
/// A round counts if it has created this many tasks: then the asker was running.
const ENOUGH: u64 = 200;
/// The least possible cost, in case the clock says less: a gift takes a lock and a few locked instructions.
const LEAST: Duration = Duration::from_nanos(50);

/// Measures τ. `None` if too few rounds count.
pub(crate) fn measure() -> Option<Duration> {
    let team = |workers, period| {
        let scheduler = Scheduler::default().with_period(period).with_patience(None);
        let rules = Rules::new(&scheduler, Costs::NONE, false);
        Team::new(workers, FIB as usize + 2, scheduler, rules, None, None)
    };
    let alone = team(1, Duration::MAX)?;
    let asked = team(2, Duration::ZERO)?;
    thread::scope(|scope| {
        let asker = || life::live(&asked, 1, || ());
        thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, asker).ok()?;
        let _end = Dismiss(&asked);
        let mut alone_for = Duration::MAX;
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ATTEMPTS {
            alone_for = alone_for.min(time(&alone));
            let before = tasks(&asked);
            let asked_for = time(&asked);
            match tasks(&asked) - before {
                // The asker may be waiting for the processor of this thread. Sleeping frees that processor, and a
                // thread that wakes up is put on an idle one.
                ..ENOUGH => thread::sleep(AWAY),
                tasks => rounds.push((asked_for, u32::try_from(tasks).unwrap_or(u32::MAX))),
            }
            if rounds.len() == ROUNDS {
                break;
            }
        }
        let mut costs: Vec<_> =
            rounds.iter().map(|(asked_for, tasks)| asked_for.saturating_sub(alone_for) / *tasks).collect();
        costs.sort_unstable();
        // The lower quartile, because disturbances only make a run longer.
        costs.get(ROUNDS / 4).filter(|_| costs.len() == ROUNDS).map(|&cost| cost.max(LEAST))
    })
}

/// Ends the asker, for which the scope waits.
struct Dismiss<'a>(&'a Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

fn time(team: &Team) -> Duration {
    team.run_from_outside(|rung| {
        let begin = Instant::now();
        for _ in 0..REPEATS {
            // SAFETY: `run_from_outside` makes this thread the occupant of a ladder with `rung` as its top until this
            // closure returns.
            std::hint::black_box(fib(unsafe { Strand::at(rung) }, FIB));
        }
        begin.elapsed()
    })
}

fn tasks(team: &Team) -> u64 {
    let counters = team.counters();
    counters.forks_given - counters.forks_reclaimed
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}
