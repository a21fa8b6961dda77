//! Calls: who is woken when there is something to do (`crates/filch/src/engine/calls.rs`,
//! `crates/filch/src/protocol/sleep`).

use super::Simulation;
use crate::decisions::Decisions;
use crate::worker::Does;
use filch_policy::calls_one;

impl<D: Decisions> Simulation<'_, D> {
    /// The run forks for the first time.
    pub(super) fn activate(&mut self) {
        self.sleepers.is_active = true;
        self.begin_beats();
        self.call_sentinel();
    }

    /// A worker has found something to run.
    pub(super) fn go_busy(&mut self, me: usize) {
        self.sleepers.idle -= 1;
        if self.workers[me].waits.is_some() {
            self.counts.helped += 1;
            return;
        }
        self.sleepers.give_up_role(me);
        if self.sleepers.is_active {
            self.call_sentinel();
        }
        if self.workers[me].look.calls_more() {
            self.call_for_more();
        }
    }

    /// Makes one more sleeper look as well.
    fn call_for_more(&mut self) {
        self.call_sentinel();
        self.wake_one();
    }

    /// Makes a thread look for work: the sentinel if it watches, or a sleeper if there is no sentinel.
    fn call_sentinel(&mut self) {
        match self.sleepers.sentinel {
            None => self.wake_one(),
            Some(thread) if self.sleepers.sentinel_watches => self.wake_announced(thread),
            Some(_) => {}
        }
    }

    /// Wakes the first sleeper. Whoever does looks at the beds before that one.
    fn wake_one(&mut self) {
        if let Some(thread) = self.sleepers.first() {
            self.charge_ns += thread as u64 * self.costs.look_ns;
            self.wake_announced(thread);
        }
    }

    fn wake_announced(&mut self, thread: usize) {
        if self.sleepers.retract(thread) {
            self.wake(thread);
        }
    }

    /// Wakes a thread that sleeps.
    pub(super) fn wake(&mut self, who: usize) {
        let Does::Sleeps { watches } = self.workers[who].does else { return };
        self.counts.calls += 1;
        self.charge_ns += self.costs.call_ns;
        let runs_ns = self.here_ns() + self.costs.wake_ns;
        self.does(who, Does::Wakes { watched: watches }, runs_ns);
    }

    /// Calls those that sleep and may have what a worker has to share, or is about to have.
    pub(super) fn call_for(&mut self, who: usize) {
        self.call_for_more();
        if self.watchers.is_empty() {
            return;
        }
        let is_any = self.decisions.rules().waits_for_any();
        let task = self.task_of(who);
        let is_needed = |&&watcher: &&usize| {
            let goal = self.workers[watcher].waits;
            is_any || goal.zip(task).is_some_and(|(goal, task)| self.claims.is_part(task, goal))
        };
        let needed: Vec<usize> = self.watchers.iter().filter(is_needed).copied().collect();
        needed.into_iter().for_each(|watcher| self.wake(watcher));
    }

    /// Calls a worker for what this one has left.
    pub(super) fn call_for_left(&mut self, me: usize) {
        if self.sleepers.watching > 0 {
            self.call_for(me);
        } else if calls_one(self.workers[me].shelf.kept(), self.sleepers.idle, self.sleepers.asleep()) {
            self.wake_one();
        }
    }

    /// Whether a thread wants to be called when a ladder gets another oldest frame.
    pub(super) fn has_watched_ladders(&self) -> bool {
        self.decisions.rules().shares_latent() && self.sleepers.watching > 0
    }

    /// Makes sure that watchers are called when the oldest frame of a ladder changes.
    pub(super) fn watch_all(&mut self) {
        if !self.has_watched_ladders() {
            return;
        }
        self.charge_ns += self.workers.len() as u64 * self.costs.look_ns;
        for who in 0..self.workers.len() {
            if self.workers[who].works() {
                self.catch_up(who);
                self.watch_again(who);
                self.plan(who);
            }
        }
    }
}
