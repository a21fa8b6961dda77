//! A worker without work asks another one, and then takes (`crates/filch/src/engine/share/thief.rs`).

use super::Simulation;
use crate::claims::{ClaimId, Place};
use crate::decisions::Decisions;
use crate::steps::StepKind;
use crate::worker::{Answer, AskWord, Does};
use filch_policy::{self as policy, Approach, LOOKS_PER_CLOCK, Paid, Victim, Word};

impl<D: Decisions> Simulation<'_, D> {
    /// What a thief does about a worker.
    pub(super) fn approach(&self, me: usize, victim: usize) -> Approach {
        let from = &self.workers[victim];
        let word = match from.ask_word {
            AskWord::Closed => Word::Closed,
            AskWord::Open => Word::Open,
            AskWord::Asked { .. } => Word::Asked,
        };
        let seen = Victim {
            word,
            gives_paid_ns: from.gives_paid_ns,
            takes_paid: self.takes_paid(victim),
            silent_until_ns: from.silent_until_ns,
            team_silent_until_ns: self.team_silent_until_ns,
        };
        self.decisions.approach(&seen, self.workers[me].asks_again_ns, self.now_ns)
    }

    /// The times up to which interruptions are paid for: those of a victim, and the barriers.
    fn takes_paid(&self, victim: usize) -> Paid {
        Paid { victim_ns: self.workers[victim].takes_paid_ns, barriers_ns: self.barriers_paid_ns }
    }

    /// A worker has come to a victim.
    pub(super) fn visit(&mut self, me: usize, victim: usize) {
        if self.ends_wait(me) {
            return;
        }
        let wants = self.wanted_of(me, victim);
        let approach = if self.may_get_from(victim) { self.approach(me, victim) } else { Approach::Leave };
        match (approach, wants) {
            (Approach::Leave, _) | (_, None) => self.scan(me),
            (Approach::Ask, Some(wants)) => {
                self.counts.attempts += 1;
                self.ask(me, victim, wants);
            }
            (Approach::Take, Some(wants)) => {
                self.counts.attempts += 1;
                self.workers[me].wants = wants;
                self.take(me, victim);
            }
        }
    }

    /// What a worker wants from a victim: anything, or a part of a task. `None` if the victim has nothing for it.
    pub(super) fn wanted_of(&self, me: usize, victim: usize) -> Option<Option<ClaimId>> {
        let Some(goal) = self.workers[me].waits else { return Some(None) };
        let rules = self.decisions.rules();
        let is_part = |task: &ClaimId| self.claims.is_part(*task, goal);
        let part = if rules.shares_latent() {
            self.task_of(victim).filter(is_part)
        } else {
            // A frame that the victim has kept, and the task that it belongs to.
            let kept = self.workers[victim].shelf.frames().find(is_part);
            kept.and_then(|claim| self.claims.get(claim).parent)
        };
        part.map(Some).or(rules.waits_for_any().then_some(None))
    }

    fn ask(&mut self, me: usize, victim: usize, wants: Option<ClaimId>) {
        self.workers[me].wants = wants;
        if self.workers[victim].ask_word != AskWord::Open {
            // It can be asked no longer.
            return self.scan(me);
        }
        self.counts.asks += 1;
        self.workers[victim].ask_word = AskWord::Asked { asker: me };
        self.raise(victim);
        self.note_message(me, victim);
        let since_ns = self.now_ns;
        self.does(me, Does::Asks { victim, since_ns, answer: None }, since_ns + self.decisions.rules().patience_ns());
    }

    /// An asker looks at its mailbox.
    pub(super) fn await_answer(&mut self, me: usize, victim: usize, since_ns: u64, answer: Option<Answer>) {
        match answer {
            Some(Answer::Frame(claim)) => {
                self.workers[me].forget_refusals();
                self.note_answer();
                self.run_claimed(me, claim, victim);
            }
            Some(Answer::Nothing) => {
                self.counts.refusals += 1;
                let worker = &mut self.workers[me];
                worker.refusals += 1;
                let wait_ns = self.decisions.back_off_ns(worker.refusals);
                if wait_ns > 0 {
                    worker.asks_again_ns = self.now_ns + wait_ns;
                }
                self.note_answer();
                if !self.ends_wait(me) {
                    self.scan(me);
                }
            }
            None if self.is_called(me) || self.gives_up(me, victim, since_ns) => self.withdraw(me, victim),
            None => {
                let looks_again_ns = self.now_ns + u64::from(LOOKS_PER_CLOCK) * self.costs.turn_ns.max(1);
                self.agenda.set(me, looks_again_ns);
            }
        }
    }

    fn note_answer(&mut self) {
        self.team_silent_until_ns = 0;
    }

    /// Whether a worker waits for something that is done.
    fn is_called(&self, me: usize) -> bool {
        self.workers[me].waits.is_some_and(|goal| self.claims.get(goal).place == Place::Done)
    }

    fn gives_up(&mut self, me: usize, victim: usize, since_ns: u64) -> bool {
        let waited_ns = self.now_ns - since_ns.min(self.now_ns);
        let paid = self.takes_paid(victim);
        if !self.decisions.gives_up(waited_ns, paid, self.now_ns, || true) {
            return false;
        }
        let is_other = |_: &Self, who| who != victim && who != me;
        let has_others = self.left > 0 || self.first_giver(0..self.workers.len(), is_other).is_some();
        self.decisions.gives_up(waited_ns, paid, self.now_ns, || has_others)
    }

    fn withdraw(&mut self, me: usize, victim: usize) {
        self.counts.withdrawals += 1;
        self.workers[victim].ask_word = AskWord::Open;
        let silence = self.decisions.silence(self.now_ns);
        self.workers[victim].silent_until_ns = silence.victim_until_ns;
        self.team_silent_until_ns = silence.team_until_ns;
        if self.ends_wait(me) {
            return;
        }
        let wants = self.workers[me].wants;
        let leaves_alone = policy::leaves_alone(wants, !self.workers[victim].shelf.is_empty());
        if self.decisions.rules().takes() && !leaves_alone { self.take(me, victim) } else { self.scan(me) }
    }

    /// Begins to take the oldest frame of `victim`.
    fn take(&mut self, me: usize, victim: usize) {
        if self.workers[victim].locked_until_ns > self.now_ns || !self.has_frame(victim) {
            return self.scan(me);
        }
        let paid = self.decisions.interrupt(self.takes_paid(victim), self.now_ns);
        let Some(paid) = paid else { return self.scan(me) };
        (self.workers[victim].takes_paid_ns, self.barriers_paid_ns) = (paid.victim_ns, paid.barriers_ns);
        let end_ns = self.now_ns + self.between(me, victim, self.costs.take_ns);
        self.catch_up(victim);
        self.barriers += 1;
        let from = &mut self.workers[victim];
        from.course.is_guarded = true;
        from.locked_until_ns = end_ns + 1;
        self.plan(victim);
        self.does(me, Does::Takes { victim }, end_ns);
    }

    /// A take comes to its end.
    pub(super) fn end_take(&mut self, me: usize, victim: usize) {
        self.workers[victim].locked_until_ns = 0;
        let wants = self.workers[me].wants;
        let works = self.workers[victim].works();
        if works {
            self.catch_up(victim);
        }
        let holder = self.task_of(victim);
        let leaves_alone = policy::leaves_alone(wants, !self.workers[victim].shelf.is_empty());
        let is_there = works && self.workers[victim].course.takeable();
        if !is_there || !policy::is_wanted(wants, holder) || leaves_alone {
            self.counts.failed_takes += u64::from(!is_there);
            if works {
                self.workers[victim].course.is_guarded = false;
                self.watch_again(victim);
                self.plan(victim);
            }
            if !self.ends_wait(me) {
                self.scan(me);
            }
            return;
        }
        let course = &self.workers[victim].course;
        let frames: Vec<usize> = course.frames().collect();
        let place = frames[self.decisions.oldest_of(frames.len())];
        let claim = self.claim(victim, place, Place::Running(me), 0);
        self.watch_again(victim);
        self.plan(victim);
        self.counts.takes += 1;
        self.tell(victim, self.now_ns, StepKind::Loses(claim.number()));
        self.run_claimed(me, claim, victim);
    }

    /// Runs a frame that `victim` has given or left, or that was taken from it.
    pub(super) fn run_claimed(&mut self, me: usize, claim: ClaimId, victim: usize) {
        self.counts.moved += 1;
        self.counts.moved_far += u64::from(!self.sockets.are_near(me, victim));
        self.claims.get_mut(claim).place = Place::Running(me);
        self.go_busy(me);
        if self.may_get_from(victim) || !self.workers[victim].shelf.is_empty() {
            self.call_for(victim);
        }
        let at_ns = self.here_ns() + self.message(victim, me);
        self.begin_task(me, claim, at_ns);
    }
}
