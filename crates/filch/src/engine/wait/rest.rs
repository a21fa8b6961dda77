//! What a waiting worker does that finds no work: it spins, and then sleeps, longer and longer.

use crate::engine::team::Worker;
use crate::protocol::sleep::Plan;
use crate::sync::clock;
use std::time::Duration;

/// How long a worker that has just had work, or was called, looks for more before it sleeps: about what a wake-up
/// costs, and longer than the period in which a victim gives but once. A waiting worker that slept before that was over
/// missed the next gift by the length of its sleep.
pub(crate) const SEARCH_NS: u64 = 50_000;
/// Longest pause of a spinning worker, in turns of the spin loop, as a power of two.
const MAX_PAUSE_LOG2: u32 = 6;
/// The shortest sleep; a wake-up costs 12 to 30 µs of CPU on a virtual machine (design, section 7).
const SHORTEST_SLEEP: Duration = Duration::from_micros(100);
/// The longest, of one who is called if there is something for it.
const LONGEST_SLEEP: Duration = Duration::from_secs(1);
/// In between, a sleep is this fraction of the time spent so far.
const SLEEPS_PER_WAIT: u32 = 8;
/// From so long on it pays to be called: that costs whoever calls some microseconds, once.
const WATCH_AFTER: Duration = Duration::from_millis(1);
/// How long somebody naps at most who sees something that it cannot have: a worker that never takes waits for an
/// answer.
const LONGEST_NAP: Duration = Duration::from_millis(10);

/// How to sleep after having had nothing to do for `idle`. `is_tempted`: there is something, but it cannot be had now.
pub(crate) fn plan(idle: Duration, is_tempted: bool) -> Plan {
    let time = idle / SLEEPS_PER_WAIT;
    if is_tempted || idle < WATCH_AFTER {
        Plan::Nap(time.clamp(SHORTEST_SLEEP, LONGEST_NAP))
    } else {
        Plan::Watch(time.clamp(SHORTEST_SLEEP, LONGEST_SLEEP))
    }
}

/// Pauses of growing length, for one who is about to look again.
pub(crate) struct Spin(u32);

impl Spin {
    pub(crate) fn new() -> Self {
        Spin(0)
    }

    /// Pauses; how often it has by now.
    pub(crate) fn pause(&mut self) -> u32 {
        self.0 += 1;
        for _ in 0..1 << self.0.min(MAX_PAUSE_LOG2) {
            std::hint::spin_loop();
        }
        self.0
    }
}

/// A time without work.
pub(crate) struct Rest<'a> {
    worker: &'a Worker,
    spin: Spin,
    since: u64,
    is_called: bool,
}

impl<'a> Rest<'a> {
    pub(crate) fn new(worker: &'a Worker) -> Self {
        worker.team().sleepers.begin_idle();
        Rest { worker, spin: Spin::new(), since: clock::now_ns(), is_called: false }
    }

    /// The worker that rests.
    pub(crate) fn worker(&self) -> &'a Worker {
        self.worker
    }

    /// Notes that `worker` has found work. It is not idle until the work is [over](Self::over).
    pub(crate) fn interrupt(worker: &Worker) {
        worker.counters.tasks_run_while_waiting.bump();
        worker.team().sleepers.end_idle();
    }

    /// Notes that the work which began at `begun_ns` is over, and begins a new rest. The old one is accounted for up to
    /// that time.
    pub(crate) fn over(&mut self, begun_ns: u64) {
        self.worker.team().sleepers.begin_idle();
        self.worker.counters.idle_ns.add(begun_ns.saturating_sub(self.since));
        self.since = clock::now_ns();
        self.spin = Spin::new();
        self.is_called = false;
    }

    /// Notes a call: work may be there in a moment.
    pub(crate) fn note_call(&mut self) {
        self.is_called = true;
    }

    /// How to sleep after having had nothing to do for `idle`: once for a moment after a [call](Self::note_call), for
    /// whoever calls does so just before it shows a frame, and may have been put aside for the one that it has
    /// woken.
    pub(crate) fn plan(&mut self, idle: Duration, is_tempted: bool) -> Plan {
        if std::mem::take(&mut self.is_called) { Plan::Nap(SHORTEST_SLEEP) } else { plan(idle, is_tempted) }
    }

    /// Pauses between two looks for work. Returns how long the worker has been idle, if it is time to sleep.
    pub(crate) fn pause(&mut self) -> Option<Duration> {
        self.spin.pause();
        let idle = clock::now_ns().saturating_sub(self.since);
        (idle > SEARCH_NS).then_some(Duration::from_nanos(idle))
    }
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.worker.team().sleepers.end_idle();
        self.worker.counters.idle_ns.add(clock::now_ns().saturating_sub(self.since));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::team::Team;
    use crate::scheduler::{Costs, Rules, Scheduler};

    #[test]
    fn work_between_two_rests_is_not_idle() {
        let scheduler = Scheduler::default();
        let rules = Rules::new(&scheduler, Costs::NONE, false);
        let team = Team::new(1, 4, scheduler, rules, None, None).expect("a small team");
        let worker = team.worker(0);
        let mut rest = Rest::new(worker);
        let begun = rest.since + 1_000;
        Rest::interrupt(worker);
        rest.over(begun);
        let idle_ns = worker.counters.idle_ns.get();
        assert_eq!(idle_ns, 1_000, "from the start of the rest to the start of the work, no more");
    }

    #[test]
    fn a_sleep_is_an_eighth_of_the_idle_time_within_bounds() {
        let us = Duration::from_micros;
        let plans = [0, 800, 8_000, 100_000_000].map(|idle| plan(us(idle), false));
        assert_eq!(plans, [Plan::Nap(us(100)), Plan::Nap(us(100)), Plan::Watch(us(1_000)), Plan::Watch(us(1_000_000))]);
        assert_eq!([8_000, 800_000].map(|idle| plan(us(idle), true)), [Plan::Nap(us(1_000)), Plan::Nap(us(10_000))]);
    }
}
