//! The beat of heartbeat scheduling (`crates/filch/src/engine/team/beat.rs`, `beater.rs`). The thread that beats is one
//! more actor. It has a processor of its own.

use super::Simulation;
use crate::course::Mark;
use crate::decisions::Decisions;
use filch_policy::Beat;

impl<D: Decisions> Simulation<'_, D> {
    /// The thread that beats is woken.
    pub(super) fn begin_beats(&mut self) {
        if self.decisions.rules().beat().is_some() {
            let at_ns = self.here_ns() + self.costs.wake_ns;
            self.agenda.set(self.workers.len(), at_ns);
        }
    }

    /// A round: a worker with a frame must promote it, and a worker without one promotes its next frame.
    pub(super) fn beat(&mut self) {
        let Some(beat) = self.decisions.rules().beat() else { return };
        for who in 0..self.workers.len() {
            if !self.workers[who].works() {
                continue;
            }
            let has_frame = self.has_frame(who);
            let worker = &mut self.workers[who];
            if worker.beat_given_ns.is_some() || !beat.is_due(worker.last_beat_ns, self.now_ns) {
                continue;
            }
            if has_frame {
                (worker.last_beat_ns, worker.beat_given_ns) = (self.now_ns, Some(self.now_ns));
                self.counts.beats += 1;
                self.raise(who);
            } else {
                self.catch_up(who);
                self.workers[who].course.mark.get_or_insert(Mark::Eager);
                self.plan(who);
            }
        }
        self.agenda.set(self.workers.len(), self.now_ns + beat.round_ns());
    }

    /// Takes the beat for this worker, if there is one.
    pub(super) fn takes_beat(&mut self, me: usize) -> bool {
        let worker = &mut self.workers[me];
        let Some(given_ns) = worker.beat_given_ns.take() else { return false };
        // The next beat is due one period after this one was noticed.
        worker.last_beat_ns = self.now_ns;
        worker.tally.longest_poll_ns = worker.tally.longest_poll_ns.max(self.now_ns - given_ns);
        true
    }

    /// Takes the beat, or spends the one that is due.
    pub(super) fn spends_beat(&mut self, me: usize, beat: Beat) -> bool {
        if self.takes_beat(me) {
            return true;
        }
        let worker = &mut self.workers[me];
        let is_due = beat.is_due(worker.last_beat_ns, self.now_ns);
        if is_due {
            worker.last_beat_ns = self.now_ns;
            self.counts.beats += 1;
        }
        is_due
    }
}
