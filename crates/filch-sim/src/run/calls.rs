//! Calls: which thread is woken when there is work (`crates/filch/src/engine/team/calls.rs`,
//! `crates/filch/src/protocol/sleep`).

use super::Simulation;
use crate::decisions::Decisions;
use crate::marks::Marks;
use crate::squads::Squads;
use crate::worker::Does;
use filch_policy::{Call, Called, Moment, Occasion, Sentinel, called_at, calls_one};

impl<D: Decisions> Simulation<'_, D> {
    /// The run forks for the first time.
    pub(super) fn activate(&mut self) {
        self.sleepers.is_active = true;
        self.begin_beats();
        self.call_at(Moment::RunBegins);
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
            self.call_at(Moment::WorkFound);
        }
        if self.workers[me].look.calls_more() {
            self.call(Occasion::More, self.squad_of_work(me));
        }
    }

    /// Calls the workers that the policy names, or those of `squad` if only they may run the work.
    pub(super) fn call(&mut self, occasion: Occasion, squad: Option<usize>) {
        if occasion.calls_sentinel() && squad.is_none() {
            self.call_at(Moment::MoreToShare);
        }
        (0..occasion.sleepers()).for_each(|_| self.wake_one(squad));
    }

    /// Calls the threads that the policy names at this moment, so that one looks for work.
    fn call_at(&mut self, moment: Moment) {
        match called_at(moment, self.squads.is_some()) {
            Called::Nobody => {}
            Called::Sentinel => self.call_sentinel(),
            Called::OneOfEachSquad => {
                let squads = self.squads.as_ref().map_or(0, Squads::count);
                (0..squads).for_each(|squad| self.wake_one(Some(squad)));
            }
            Called::Everyone => (0..self.workers.len()).for_each(|thread| self.wake_announced(thread)),
        }
    }

    /// Makes sure that at least one thread looks for work, if one can look on behalf of all.
    fn call_sentinel(&mut self) {
        let sentinel = match self.sleepers.sentinel {
            None => Sentinel::Nobody,
            Some(_) if self.sleepers.sentinel_watches => Sentinel::Watches,
            Some(_) => Sentinel::Looks,
        };
        match sentinel.call() {
            Call::Nobody => {}
            Call::Sleeper => self.wake_one(None),
            Call::Sentinel => self.sleepers.sentinel.into_iter().for_each(|thread| self.wake_announced(thread)),
        }
    }

    /// Wakes the first sleeper, or the first one of a squad. The caller reads the marks of the sleepers up to that one.
    fn wake_one(&mut self, squad: Option<usize>) {
        let seats = squad.and_then(|squad| Some(self.squads.as_ref()?.workers(squad)));
        let begin = seats.map_or(0, |seats| seats[0]);
        let first = match seats {
            None => self.sleepers.first(),
            Some(seats) => self.sleepers.first_of(seats[0]..=seats[seats.len() - 1]),
        };
        if let Some(thread) = first {
            self.charge_ns += Marks::lines(&(begin..thread + 1)) * self.costs.look_ns;
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
        let runs_ns = self.here_ns() + self.costs.wake_ns;
        self.charge_ns += self.costs.call_ns;
        self.does(who, Does::Wakes { watched: watches }, runs_ns);
    }

    /// Calls sleeping workers that may have the frames of a worker, or its next frame.
    pub(super) fn call_for(&mut self, who: usize) {
        self.call(Occasion::More, self.squad_of_work(who));
        self.call_watchers(who);
    }

    /// Calls sleeping workers that may have the inter-socket task which this worker has just forked.
    pub(super) fn call_for_any(&mut self, who: usize) {
        self.call(Occasion::More, None);
        self.call_watchers(who);
    }

    fn call_watchers(&mut self, who: usize) {
        if self.watchers.is_empty() {
            return;
        }
        let rules = self.decisions.rules();
        let task = self.task_of(who);
        let is_needed = |&&watcher: &&usize| {
            let goal = self.workers[watcher].waits;
            rules.helps_with(|| goal.zip(task).is_some_and(|(goal, task)| self.claims.is_part(task, goal)))
        };
        let needed: Vec<usize> = self.watchers.iter().filter(is_needed).copied().collect();
        needed.into_iter().for_each(|watcher| self.wake(watcher));
    }

    /// Calls a worker for what this one has left.
    pub(super) fn call_for_left(&mut self, me: usize) {
        if self.sleepers.watching > 0 {
            self.call_for(me);
        } else if calls_one(self.workers[me].shelf.kept(), self.sleepers.idle, self.sleepers.asleep()) {
            self.wake_one(self.squad_of_work(me));
        }
    }

    /// Whether a thread wants to be called when a ladder gets another oldest frame.
    pub(super) fn has_watched_ladders(&self) -> bool {
        self.decisions.rules().shares_latent() && self.sleepers.watching > 0
    }

    /// Makes sure that a watcher is called when the oldest frame of a ladder from which it may get work changes.
    pub(super) fn watch_all(&mut self, me: usize) {
        if !self.has_watched_ladders() {
            return;
        }
        self.charge_ns += self.mates(me) as u64 * self.costs.look_ns;
        for who in 0..self.workers.len() {
            if self.workers[who].works() && self.are_mates(me, who) {
                self.catch_up(who);
                self.watch_again(who);
                self.plan(who);
            }
        }
    }
}
