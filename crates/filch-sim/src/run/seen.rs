//! What others see of a worker: whether it has work for them.

use super::{Seen, Simulation};
use crate::agenda::NEVER;
use crate::decisions::Decisions;
use crate::marks::Marks;
use std::ops::Range;

impl<D: Decisions> Simulation<'_, D> {
    /// Whether it has been seen that a worker's ladder has no frame now.
    pub(super) fn is_seen_empty(&self, who: usize) -> bool {
        let Seen { until_ns, has_frame } = self.seen[who];
        self.now_ns < until_ns && !has_frame
    }

    /// Whether a worker's ladder has a frame now.
    pub(super) fn has_frame(&mut self, who: usize) -> bool {
        if self.now_ns < self.seen[who].until_ns {
            return self.seen[who].has_frame;
        }
        self.catch_up(who);
        let course = &mut self.workers[who].course;
        let until_ns = course.next_change(self.program, self.costs.fork_ns);
        let has_frame = course.has_frame();
        self.seen[who] = Seen { until_ns, has_frame };
        if !has_frame && self.decisions.rules().shares_latent() {
            self.givers.set(who, !self.is_seen_empty(who));
            self.empty_until.set(who, until_ns);
        }
        has_frame
    }

    /// Brings `givers` up to the present.
    pub(super) fn find_givers(&mut self) {
        while let Some((who, _)) = self.empty_until.first().filter(|&(_, until_ns)| until_ns <= self.now_ns) {
            self.empty_until.set(who, NEVER);
            self.givers.set(who, !self.is_seen_empty(who));
        }
    }

    /// Whether another worker may get something from this one by asking or taking.
    pub(super) fn may_get_from(&mut self, who: usize) -> bool {
        if self.decisions.rules().shares_latent() {
            self.has_frame(who)
        } else {
            self.decisions.rules().asks() && self.workers[who].shelf.kept() > 0
        }
    }

    /// The first of some workers from which another one may get work.
    pub(super) fn first_giver(
        &mut self,
        among: Range<usize>,
        is_considered: impl Fn(&Self, usize) -> bool,
    ) -> Option<usize> {
        self.find_givers();
        let mut from = among.start;
        while let Some(who) = self.givers.first(from..among.end) {
            if is_considered(self, who) && self.may_get_from(who) {
                return Some(who);
            }
            from = who + 1;
        }
        None
    }

    /// Whether there is anything to share that a thread may run. The actor pays for its look.
    pub(super) fn has_work(&mut self, me: usize) -> bool {
        let mates = self.range_of_mates(me);
        self.charge_ns += (mates.len() as u64 + Marks::lines(&mates)) * self.costs.look_ns;
        let is_everyone = self.squad_of_work(me).is_none();
        if self.left > 0 && is_everyone || self.has_across(me) || self.sees_handed(None) {
            return true;
        }
        let mates = self.range_of_mates(me);
        let first_left = self.has_left.first(mates.clone());
        // A look goes from one worker to the next, and moves those courses that it passes.
        let before = mates.start..first_left.unwrap_or(mates.end);
        self.first_giver(before, |_, _| true).is_some() || first_left.is_some()
    }
}
