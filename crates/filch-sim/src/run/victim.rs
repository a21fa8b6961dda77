//! A busy worker notices at a return that others want its work (`crates/filch/src/engine/share/at_return.rs`,
//! `crates/filch/src/engine/schedulers/`).

use super::Simulation;
use crate::claims::{ClaimId, Place};
use crate::course::Mark;
use crate::decisions::Decisions;
use crate::program::Node;
use crate::steps::StepKind;
use crate::worker::{Answer, AskWord, Does};
use filch_policy::{self as policy, Gift, Gifts};

impl<D: Decisions> Simulation<'_, D> {
    /// A return finds E raised.
    pub(super) fn attend(&mut self, me: usize) {
        self.counts.attends += 1;
        self.charge_ns += self.costs.poll_ns;
        let course = &mut self.workers[me].course;
        (course.is_raised, course.is_guarded) = (false, false);
        if let AskWord::Asked { asker } = self.workers[me].ask_word {
            self.workers[me].ask_word = AskWord::Open;
            self.answer(me, asker);
        }
        if self.takes_beat(me) {
            match self.workers[me].course.oldest_but_last() {
                Some(oldest) => {
                    let cost_ns = self.cost_of_gift();
                    let claim = self.claim(me, oldest, Place::Shelf(me), cost_ns);
                    self.leave(me, claim);
                }
                None => self.counts.empty_beats += 1,
            }
        }
        if self.at_shelf(me, |shelf, _| shelf.poll()) {
            self.call_for_left(me);
        }
        self.workers[me].course.resume();
        self.watch_again(me);
    }

    /// Answers an ask that has been accepted.
    fn answer(&mut self, me: usize, asker: usize) {
        let wants = self.workers[asker].wants;
        match self.gift(me, asker, wants) {
            Some(claim) => {
                self.charge_ns += self.between(me, asker, self.costs.give_ns);
                self.reply(me, asker, Answer::Frame(claim));
            }
            None => {
                self.charge_ns += self.miss_ns(me, asker);
                self.refuse(me, asker);
            }
        }
    }

    /// What a worker gives to one that has asked.
    fn gift(&mut self, me: usize, asker: usize, wants: Option<ClaimId>) -> Option<ClaimId> {
        if !self.decisions.rules().shares_latent() {
            return self.hand_over(me, asker, wants);
        }
        if policy::leaves_alone(wants, !self.workers[me].shelf.is_empty()) || !self.may_give_again(me) {
            return None;
        }
        let holder = self.task_of(me);
        let oldest = self.workers[me].course.oldest_but_last();
        // The program's loops are trees of joins, so no part of a frame is given.
        let gifts = Gifts { oldest: oldest.map(|_| holder), popped: None };
        if self.decisions.gift(gifts, wants) != Gift::Oldest {
            return None;
        }
        let course = &self.workers[me].course;
        let last = course.entries.len() - 1;
        let frames: Vec<usize> = course.frames().filter(|&place| place < last).collect();
        let place = frames[self.decisions.oldest_of(frames.len())];
        self.counts.gifts += 1;
        self.workers[me].tally.gifts += 1;
        let cost_ns = self.between(me, asker, self.costs.give_ns);
        let claim = self.claim(me, place, Place::Mailbox(asker), cost_ns);
        self.tell(me, self.now_ns, StepKind::Gives(claim.number()));
        Some(claim)
    }

    /// Gives a frame that the worker has promoted and kept.
    fn hand_over(&mut self, me: usize, asker: usize, wants: Option<ClaimId>) -> Option<ClaimId> {
        let found = self
            .at_shelf(me, |shelf, claims| shelf.hand_over(|claim| policy::is_wanted(wants, claims.get(claim).parent)));
        let claim = found?;
        self.claims.get_mut(claim).place = Place::Mailbox(asker);
        Some(claim)
    }

    /// Claims a frame of a worker's ladder. Its path begins where the worker's own is now, plus a delay.
    pub(super) fn claim(&mut self, owner: usize, frame: usize, place: Place, cost_ns: u64) -> ClaimId {
        let parent = self.task_of(owner);
        let course = &mut self.workers[owner].course;
        course.done.path_ns += cost_ns;
        let path_ns = course.done.path_ns;
        let claim = self.claims.add(Node::default(), owner, parent, place, path_ns);
        self.claims.get_mut(claim).node = self.workers[owner].course.remove(frame, claim);
        claim
    }

    pub(super) fn refuse(&mut self, me: usize, asker: usize) {
        self.reply(me, asker, Answer::Nothing);
    }

    fn reply(&mut self, me: usize, asker: usize, answered: Answer) {
        let at_ns = self.here_ns() + self.message(me, asker);
        let Does::Asks { answer, .. } = &mut self.workers[asker].does else {
            unreachable!("an asker awaits its answer")
        };
        *answer = Some(answered);
        self.agenda.set(asker, at_ns);
    }

    /// Makes a busy worker's course stop at the next return.
    pub(super) fn raise(&mut self, who: usize) {
        self.catch_up(who);
        self.workers[who].course.is_raised = true;
        self.plan(who);
    }

    /// Prepares a busy worker's ladder for those that watch, if there are any.
    pub(super) fn watch_again(&mut self, who: usize) {
        if self.has_watched_ladders() {
            let course = &mut self.workers[who].course;
            course.is_guarded = true;
            if !course.has_frame() {
                course.mark.get_or_insert(Mark::Watched);
            }
        }
    }
}
