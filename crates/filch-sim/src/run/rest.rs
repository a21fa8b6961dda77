//! A worker has found no work: it pauses, looks again, and then sleeps (`crates/filch/src/engine/life.rs`,
//! `wait/join_end.rs`, `wait/rest.rs`; `crates/filch/src/protocol/sleep`).

use super::Simulation;
use crate::decisions::Decisions;
use crate::worker::Does;
use filch_policy::{Plan, sleeps};
use std::time::Duration;

impl<D: Decisions> Simulation<'_, D> {
    /// A worker pauses after a look that has found nothing. Then it looks again, or sleeps.
    pub(super) fn pause(&mut self, me: usize) {
        let worker = &mut self.workers[me];
        let waits = worker.waits.is_some();
        let turns = if waits { worker.rest.next_turns() } else { worker.look.next_turns() };
        // It takes some time in any case; otherwise, a wait whose looks are free would never end.
        self.charge_ns += u64::from(turns) * self.costs.turn_ns.max(1);
        let at_ns = self.here_ns();
        let worker = &mut self.workers[me];
        if waits {
            match worker.rest.tires(at_ns) {
                None => self.does(me, Does::Looks, at_ns),
                Some(idle) => self.sleep_waiting(me, idle),
            }
        } else if worker.look.goes_on(|| at_ns) {
            self.does(me, Does::Looks, at_ns);
        } else {
            self.leave_seat(me);
            self.sleep(me);
        }
    }

    /// A worker that waits sleeps.
    fn sleep_waiting(&mut self, me: usize, idle: Duration) {
        self.counts.parks += 1;
        let is_tempted = self.sees_part(me);
        match self.workers[me].rest.plan(idle, is_tempted) {
            Plan::Nap(time) => self.sleep_for(me, time, false),
            Plan::Watch(time) => {
                self.sleepers.watching += 1;
                self.watchers.push(me);
                self.watch_all(me);
                if self.sees_part(me) { self.wake_at_once(me, true) } else { self.sleep_for(me, time, true) }
            }
        }
    }

    /// A thread without a task looks for work if it was called or sees some, and sleeps otherwise.
    fn live(&mut self, me: usize) {
        let searcher = self.workers[me].searcher;
        if searcher.looks(|| self.has_work(me)) {
            self.workers[me].look = searcher.look(self.here_ns());
            let at_ns = self.here_ns();
            self.does(me, Does::Looks, at_ns);
        } else {
            self.sleep(me);
        }
    }

    /// Such a thread sleeps.
    fn sleep(&mut self, me: usize) {
        self.counts.parks += 1;
        let searcher = self.workers[me].searcher;
        let is_tempted = self.has_work(me);
        let here_ns = self.here_ns();
        let plan = searcher.plan(here_ns, is_tempted);
        self.sleepers.announce(me);
        let is_sentinel = self.sleepers.claim_role(me);
        let has_squads = self.squads.is_some();
        match sleeps(plan, is_sentinel, has_squads, searcher.lingers(here_ns), || self.sleepers.is_active) {
            Some(Plan::Nap(time)) => self.sleep_for(me, time, false),
            Some(Plan::Watch(time)) => {
                self.sleepers.sentinel_watches = true;
                self.sleepers.watching += 1;
                self.watch_all(me);
                if self.has_work(me) {
                    self.sleepers.retract(me);
                    self.wake_at_once(me, true);
                } else {
                    self.sleep_for(me, time, true);
                }
            }
            None => {
                // No run is active if this thread has the role, and nothing changes within an event. So there is no
                // second look.
                self.sleepers.give_up_role(me);
                self.sleeps_until_called(me);
            }
        }
    }

    fn sleep_for(&mut self, me: usize, time: Duration, watches: bool) {
        let until_ns = self.here_ns() + time.as_nanos() as u64 + self.costs.wake_ns;
        self.does(me, Does::Sleeps { watches }, until_ns);
    }

    /// There is a reason not to sleep after all.
    fn wake_at_once(&mut self, me: usize, watched: bool) {
        let at_ns = self.here_ns();
        self.does(me, Does::Wakes { watched }, at_ns);
    }

    /// A sleep is over.
    pub(super) fn wake_up(&mut self, me: usize, watched: bool, is_called: bool) {
        if let Some(recorder) = &mut self.recorder {
            recorder.wakes(me, self.now_ns);
        }
        self.tell_woken(me);
        if watched {
            self.sleepers.watching -= 1;
        }
        if self.workers[me].waits.is_some() {
            if watched {
                self.watchers.retain(|&watcher| watcher != me);
                if is_called {
                    self.workers[me].rest.note_call();
                }
            }
            return self.look(me);
        }
        if watched {
            self.sleepers.sentinel_watches = false;
        }
        self.sleepers.retract(me);
        if is_called {
            self.workers[me].forget_refusals();
        }
        self.workers[me].searcher.note_woken(is_called, self.now_ns);
        self.live(me);
    }
}
