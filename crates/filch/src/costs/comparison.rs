//! The protocol by which the cost of a gift and that of a promotion are measured (Acar, Charguéraud, Guatto, Rainey and
//! Sieczkowski 2018, section 5.1).
//!
//! A program is run with nothing shared, and with as much shared as possible. The cost is the difference of the times,
//! divided by how often something was shared. The paper does this on a quiet machine. Here other processes may run, so
//! times are those that the worker has had a processor. What still disturbs it, such as caches that others have filled,
//! only makes a run longer: so the time with nothing shared is the shortest one, and the lower quartile of several
//! rounds counts. Several [programs](super::programs) have to agree; the middle one counts.

use super::measured::{Measured, lower_quartile};
use super::programs::{DEPTH, PROGRAMS, Program, TIMES_COUNT};
use crate::constructs::Strand;
use crate::engine::cancel::region::Around;
use crate::engine::schedulers;
use crate::engine::team::Team;
use crate::engine::team::threads::Threads;
use crate::sync::{boxed, clock, timer};
use filch_policy::{Costs, Rules, Scheduler};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Rounds of the protocol with each program.
const ROUNDS: usize = 9;
/// How many there must be at least, where the machine is so busy that the time is up before that.
const FEWEST: usize = 3;
/// How long to try. On a quiet machine it takes a twentieth of this.
const LONGEST: Duration = Duration::from_secs(1);
/// How long to sleep after a round that does not count. The other thread may be waiting for the processor of
/// this one. Sleeping frees that processor, and a thread that wakes up is put on an idle one.
const AWAY: Duration = Duration::from_millis(1);

/// Two teams that run the programs, and how to count what the second one shares.
pub(super) struct Comparison<'a> {
    /// The team that shares nothing.
    pub(super) quiet: &'a Team,
    /// The team that shares as much as it can.
    pub(super) sharing: &'a Team,
    /// What its programs call again and again.
    pub(super) tick: fn(&Team),
    pub(super) count: fn(&Team) -> u64,
    /// A round counts if it has shared this often.
    pub(super) enough: u64,
    /// How often a round runs the program at most until that is so. The longer a round, the more it is disturbed.
    pub(super) runs: u32,
    /// The least possible cost, in case the clock says less.
    pub(super) least: Duration,
}

impl Comparison<'_> {
    /// Measures what one act of sharing costs. `None` if too few rounds count.
    pub(super) fn measure(&self) -> Option<Measured> {
        self.by_programs(&PROGRAMS)
    }

    /// Has `helper` live as a thread of the sharing team meanwhile. `None` also if the thread cannot be started.
    pub(super) fn measure_with(&self, helper: impl FnOnce() + Send) -> Option<Measured> {
        thread::scope(|scope| {
            thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, boxed(helper)).ok()?;
            let _end = Dismiss(self.sharing);
            self.measure()
        })
    }

    /// The programs take turns, so that what disturbs for a while disturbs all of them alike.
    fn by_programs(&self, programs: &[Program]) -> Option<Measured> {
        let begin_ns = clock::now_ns();
        let mut series: Vec<Series> = programs.iter().map(|_| Series::default()).collect();
        loop {
            for (&program, series) in programs.iter().zip(&mut series) {
                if series.quiet < ROUNDS {
                    series.quiet += 1;
                    series.quiet_for = series.quiet_for.min(time(self.quiet, program, |_| ()));
                }
                if series.rounds.len() < ROUNDS {
                    series.add(self.round(program), self.enough);
                }
            }
            let elapsed = Duration::from_nanos(clock::now_ns() - begin_ns);
            if series.iter().all(Series::is_complete) || elapsed >= LONGEST || !TIMES_COUNT {
                let costs = series.iter().filter_map(|series| Some(series.cost()?.max(self.least)));
                return Measured::by_programs(costs.collect());
            }
        }
    }

    /// Runs the program until enough has been shared, unless nothing is.
    fn round(&self, program: Program) -> Round {
        let before = (self.count)(self.sharing);
        let mut round = Round { time: Duration::ZERO, runs: 0, shared: 0 };
        loop {
            round.time += time(self.sharing, program, self.tick);
            round.runs += 1;
            round.shared = (self.count)(self.sharing) - before;
            if round.shared == 0 || round.shared >= self.enough || round.runs == self.runs {
                return round;
            }
        }
    }
}

/// The rounds of one program.
struct Series {
    /// The shortest of so many times with nothing shared.
    quiet_for: Duration,
    quiet: usize,
    rounds: Vec<Round>,
}

impl Default for Series {
    fn default() -> Self {
        Series { quiet_for: Duration::MAX, quiet: 0, rounds: Vec::with_capacity(ROUNDS) }
    }
}

impl Series {
    fn add(&mut self, round: Round, enough: u64) {
        if round.shared >= enough {
            self.rounds.push(round);
        } else {
            thread::sleep(AWAY);
        }
    }

    fn is_complete(&self) -> bool {
        self.quiet >= ROUNDS && self.rounds.len() >= ROUNDS
    }

    fn cost(&self) -> Option<Duration> {
        let mut costs: Vec<Duration> = self.rounds.iter().map(|round| round.cost(self.quiet_for)).collect();
        costs.sort_unstable();
        (costs.len() >= FEWEST).then(|| lower_quartile(&costs))
    }
}

/// Some runs of a program in which something was shared.
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

/// A team for the programs. It can share, but does not take.
pub(super) fn team(workers: usize, scheduler: &Scheduler) -> Option<Arc<Team>> {
    let rules = Rules::new(scheduler, Costs::NONE, false);
    Team::new(
        workers,
        DEPTH,
        scheduler.clone(),
        rules,
        schedulers::of(&rules),
        crate::engine::team::lifetime::Layout::default(),
        Threads::default(),
    )
}

/// How long the program has a processor.
fn time(team: &Team, program: Program, tick: fn(&Team)) -> Duration {
    let mut used = Duration::ZERO;
    team.run_from_outside(Around::NONE, &mut |top| {
        let begin = timer::used_by_this_thread();
        program(Strand::of(top), &|| tick(team));
        used = timer::used_by_this_thread().saturating_sub(begin);
    });
    used
}

/// Ends the threads of a team, for which a scope waits.
struct Dismiss<'a>(&'a Team);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static SHARED: Cell<u64> = const { Cell::new(0) };
    }

    #[test]
    #[cfg_attr(miri, ignore = "programs that other tests run there, too")]
    fn a_round_repeats_a_program_that_is_too_short_for_enough() {
        let team = team(1, &Scheduler::default()).expect("a small team");
        let count = |_: &Team| SHARED.replace(SHARED.get() + 10);
        let least = Duration::from_nanos(1);
        let comparison = Comparison { quiet: &team, sharing: &team, tick: |_| (), count, enough: 45, runs: 9, least };
        // So short that the time is not up on the slowest machine, an emulated one.
        let program: Program = |mut s, _| _ = s.join(|_| (), |_| ());
        let round = comparison.round(program);
        assert_eq!((round.runs, round.shared), (5, 50));
        assert_eq!(comparison.by_programs(&[program]).is_some(), TIMES_COUNT);
        let none = Comparison { count: |_| 0, ..comparison };
        assert_eq!((none.round(program).runs, none.by_programs(&[program])), (1, None));
    }

    #[test]
    fn what_the_program_costs_by_itself_does_not_count() {
        let round = Round { time: Duration::from_micros(5_100), runs: 5, shared: 50 };
        assert_eq!(round.cost(Duration::from_micros(1_000)), Duration::from_micros(2));
        assert_eq!(round.cost(Duration::from_micros(2_000)), Duration::ZERO);
    }

    #[test]
    fn a_program_with_too_few_rounds_has_no_say() {
        let round = |micros| Round { time: Duration::from_micros(micros), runs: 1, shared: 10 };
        let mut series = Series { quiet_for: Duration::from_micros(100), ..Series::default() };
        for (micros, cost) in [(900, None), (200, None), (300, Some(10)), (400, Some(20))] {
            series.add(round(micros), 10);
            assert_eq!(series.cost(), cost.map(Duration::from_micros));
        }
        series.add(Round { shared: 9, ..round(100) }, 10);
        assert_eq!(series.rounds.len(), 4, "a round that has not shared enough does not count");
    }
}
