//! What a waiting worker does when it finds no work: it spins, and then sleeps, longer and longer.

use crate::engine::team::Occupied;
use crate::engine::team::Worker;
use crate::sync::clock;
use filch_policy::{self as policy, Plan};
use std::time::Duration;

/// Pauses for this many turns of the spin loop.
pub(crate) fn pause(turns: u32) {
    (0..turns).for_each(|_| std::hint::spin_loop());
}

/// A time without work.
pub(crate) struct Resting<'a> {
    at: Occupied<'a>,
    rest: policy::Rest,
}

impl<'a> Resting<'a> {
    pub(crate) fn new(at: Occupied<'a>) -> Self {
        at.owner().team().sleepers.begin_idle();
        at.spawned().share();
        Resting { at, rest: policy::Rest::begin(clock::now_ns()) }
    }

    /// The worker that rests.
    pub(crate) fn worker(&self) -> &'a Worker {
        self.at.owner()
    }

    /// Notes that `worker` has found work. It is not idle until the work is [over](Self::over).
    pub(crate) fn interrupt(worker: &Worker) {
        worker.counters.tasks_run_while_waiting.bump();
        worker.team().sleepers.end_idle();
    }

    /// Notes that the work which began at `begun_ns` is over, and begins a new rest. The old one is accounted for up to
    /// that time.
    pub(crate) fn over(&mut self, begun_ns: u64) {
        self.worker().team().sleepers.begin_idle();
        self.at.spawned().share();
        self.worker().counters.idle_ns.add(begun_ns.saturating_sub(self.rest.since_ns()));
        self.rest = policy::Rest::begin(clock::now_ns());
    }

    /// Notes a call: work may be there in a moment.
    pub(crate) fn note_call(&mut self) {
        self.rest.note_call();
    }

    /// How to sleep after having had nothing to do for `idle`.
    pub(crate) fn plan(&mut self, idle: Duration, is_tempted: bool) -> Plan {
        self.rest.plan(idle, is_tempted)
    }

    /// Pauses between two looks for work. Returns how long the worker has been idle, if it is time to sleep.
    pub(crate) fn pause(&mut self) -> Option<Duration> {
        pause(self.rest.next_turns());
        self.rest.tires(clock::now_ns())
    }
}

impl Drop for Resting<'_> {
    fn drop(&mut self) {
        self.worker().team().sleepers.end_idle();
        self.worker().counters.idle_ns.add(clock::now_ns().saturating_sub(self.rest.since_ns()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::team::lifetime::small_team;

    #[test]
    fn work_between_two_rests_is_not_idle() {
        let team = small_team(1);
        let worker = team.worker(0);
        // SAFETY: this thread alone uses the team.
        let mut rest = Resting::new(unsafe { Occupied::at(team.ladder(0).first()) });
        let begun = rest.rest.since_ns() + 1_000;
        Resting::interrupt(worker);
        rest.over(begun);
        let idle_ns = worker.counters.idle_ns.get();
        assert_eq!(idle_ns, 1_000, "from the start of the rest to the start of the work, no more");
    }
}
