//! The protocol by which the cost of a gift and that of a promotion are measured (Acar, Charguéraud, Guatto, Rainey and
//! Sieczkowski 2018, section 5.1), and its program.
//!
//! The program is run with nothing shared, and with as much shared as possible. The cost is the difference of the
//! times, divided by how often something was shared. Disturbances only make a run longer. So the time with nothing
//! shared is the shortest one, and the result is the lower quartile of several rounds.

use crate::constructs::Strand;
use crate::engine::crew::Crew;
use crate::engine::team::Team;
use filch_policy::{Costs, Rules, Scheduler};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Rounds of the protocol.
const ROUNDS: usize = 9;
/// Under a checker such as Miri, times mean nothing, and one pass through the code is enough.
const TIMES_COUNT: bool = !cfg!(any(miri, filch_sanitizer = "thread"));
/// How many rounds to try at most to get [`ROUNDS`] that count.
const ATTEMPTS: usize = if TIMES_COUNT { 40 } else { 1 };
/// The program: this many repetitions of fib([`FIB`]).
const REPEATS: u32 = if TIMES_COUNT { 5_000 } else { 2 };
const FIB: u64 = 8;
/// How long to sleep after a round that does not count. The other thread may be waiting for the processor of
/// this one. Sleeping frees that processor, and a thread that wakes up is put on an idle one.
const AWAY: Duration = Duration::from_millis(1);

/// Two teams that run the program, and how to count what the second one shares.
pub(super) struct Comparison<'a> {
    /// The team that shares nothing.
    pub(super) quiet: &'a Team,
    /// The team that shares as much as it can.
    pub(super) sharing: &'a Team,
    pub(super) count: fn(&Team) -> u64,
    /// A round counts if it has shared this often.
    pub(super) enough: u64,
    /// How often a round runs the program at most until that is so. The longer a round, the more it is disturbed.
    pub(super) runs: u32,
    /// The least possible cost, in case the clock says less.
    pub(super) least: Duration,
}

impl Comparison<'_> {
    /// Has `helper` live as a thread of the sharing team, and measures what one act of sharing costs. `None` if too few
    /// rounds count, or if the thread cannot be started.
    pub(super) fn measure(&self, helper: impl FnOnce() + Send) -> Option<Duration> {
        thread::scope(|scope| {
            thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, helper).ok()?;
            let _end = Dismiss(self.sharing);
            self.rounds()
        })
    }

    fn rounds(&self) -> Option<Duration> {
        let mut quiet_for = Duration::MAX;
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ATTEMPTS {
            quiet_for = quiet_for.min(time(self.quiet));
            let round = self.round();
            if round.shared >= self.enough {
                rounds.push(round);
            } else {
                thread::sleep(AWAY);
            }
            if rounds.len() == ROUNDS {
                let mut costs: Vec<Duration> = rounds.iter().map(|round| round.cost(quiet_for)).collect();
                costs.sort_unstable();
                return Some(costs[ROUNDS / 4].max(self.least));
            }
        }
        None
    }

    /// Runs the program until enough has been shared, unless nothing is.
    fn round(&self) -> Round {
        let before = (self.count)(self.sharing);
        let mut round = Round { time: Duration::ZERO, runs: 0, shared: 0 };
        loop {
            round.time += time(self.sharing);
            round.runs += 1;
            round.shared = (self.count)(self.sharing) - before;
            if round.shared == 0 || round.shared >= self.enough || round.runs == self.runs {
                return round;
            }
        }
    }
}

/// Some runs of the program in which something was shared.
struct Round {
    time: Duration,
    runs: u32,
    shared: u64,
}

impl Round {
    fn cost(&self, quiet_for: Duration) -> Duration {
        self.time.saturating_sub(quiet_for * self.runs) / u32::try_from(self.shared).unwrap_or(u32::MAX)
    }
}

/// A team for the program. It can share, but does not take.
pub(super) fn team(workers: usize, scheduler: &Scheduler) -> Option<Arc<Team>> {
    let rules = Rules::new(scheduler, Costs::NONE, false);
    Team::new(workers, FIB as usize + 2, scheduler.clone(), rules, None, None, Crew::default())
}

/// How long the program takes.
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

/// Ends the threads of a team, for which a scope waits.
struct Dismiss<'a>(&'a Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

fn fib(mut s: Strand<'_>, n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static SHARED: Cell<u64> = const { Cell::new(0) };
    }

    #[test]
    fn a_round_repeats_a_program_that_is_too_short_for_enough() {
        let team = team(1, &Scheduler::default()).expect("a small team");
        let count = |_: &Team| SHARED.replace(SHARED.get() + 10);
        let least = Duration::from_nanos(1);
        let comparison = Comparison { quiet: &team, sharing: &team, count, enough: 45, runs: 9, least };
        let round = comparison.round();
        assert_eq!((round.runs, round.shared), (5, 50));
        assert_eq!(comparison.rounds().is_some(), TIMES_COUNT);
        let none = Comparison { count: |_| 0, ..comparison };
        assert_eq!((none.round().runs, none.rounds()), (1, None));
    }

    #[test]
    fn what_the_program_costs_by_itself_does_not_count() {
        let round = Round { time: Duration::from_micros(5_100), runs: 5, shared: 50 };
        assert_eq!(round.cost(Duration::from_micros(1_000)), Duration::from_micros(2));
        assert_eq!(round.cost(Duration::from_micros(2_000)), Duration::ZERO);
    }
}
