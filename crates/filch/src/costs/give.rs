//! τ, what giving one fork away costs its owner.
//!
//! By the protocol of heartbeat.txt, section 5.1: a program is run once with nothing shared (N very large) and once
//! with as much as can be (N = 0); τ is the difference of the times over the number of tasks created. The paper does so
//! on one core, where creating a task costs what it costs its creator; here most of that is the traffic between two
//! processors, so the second run has a thread that asks, and τ is what the asked one loses. The program is so small
//! that what the asker does for it hardly counts.

use crate::constructs::Strand;
use crate::engine::life;
use crate::engine::team::Team;
use filch_policy::{Costs, Rules, Scheduler};
use std::thread;
use std::time::{Duration, Instant};

/// Rounds of the protocol.
const ROUNDS: usize = 9;
/// Where a checker runs the program, times mean nothing. Once through the code is enough.
const TIMES_COUNT: bool = !cfg!(any(miri, filch_sanitizer = "thread"));
/// Rounds tried, until so many of them count.
const ATTEMPTS: usize = if TIMES_COUNT { 40 } else { 1 };
/// How long to stay out of the way of a thread that does not run.
const AWAY: Duration = Duration::from_millis(1);
/// The program: so many times fib of so much.
const REPEATS: u32 = if TIMES_COUNT { 5_000 } else { 2 };
const FIB: u64 = 8;
/// Tasks that a round must have created to count: the asker was running.
const ENOUGH: u64 = 200;
/// No gift is cheaper, whatever the clock says: it takes a lock and a handful of locked instructions.
const LEAST: Duration = Duration::from_nanos(50);

/// τ. `None` where there was nobody to ask often enough.
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
                // The asker may be waiting for the processor that this thread is on. Who sleeps is woken on an idle
                // one.
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
        // The lower quartile: what else disturbs a run makes it longer.
        costs.get(ROUNDS / 4).filter(|_| costs.len() == ROUNDS).map(|&cost| cost.max(LEAST))
    })
}

/// Ends the asker, whose end the scope awaits.
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
            // SAFETY: `run_from_outside` has made this thread the occupant, with `rung` on top, until this returns.
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
