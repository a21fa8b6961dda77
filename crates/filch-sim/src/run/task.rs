//! A worker begins a task, forks, returns to a frame that is not its own any more, and ends the task
//! (`crates/filch/src/engine/share/execute.rs`, `share/at_fork.rs`, `share/shelf.rs`, `wait/join_end.rs`).

use super::Simulation;
use super::affinity::Halved;
use crate::claims::{Claim, ClaimId, Place};
use crate::course::{Cursor, Entry, Mark};
use crate::decisions::Decisions;
use crate::steps::{Activity, StepKind};
use crate::worker::{AskWord, Does};
use filch_policy::{Fork, Rest, Tier, Wish, becomes_patient, begins_eager};

impl<D: Decisions> Simulation<'_, D> {
    /// Begins a claimed frame at `at_ns`.
    pub(super) fn begin_task(&mut self, me: usize, claim: ClaimId, at_ns: u64) {
        let Claim { node, path_ns, across, .. } = *self.claims.get(claim);
        let begun = self.claims.get_mut(claim);
        (begun.place, begun.runner) = (Place::Running(me), me);
        self.become_busy(me, at_ns);
        self.stacks += usize::from(self.workers[me].tasks.is_empty());
        self.most_stacks = self.most_stacks.max(self.stacks);
        let worker = &mut self.workers[me];
        if let Some(goal) = worker.waits.take() {
            let path_ns = worker.course.done.path_ns;
            worker.course.entries.push(Entry::Waits(goal, path_ns));
            worker.helps += 1;
        }
        self.tell_task(me, claim, at_ns);
        let worker = &mut self.workers[me];
        worker.tasks.push(claim);
        worker.tiers.push(worker.tier);
        worker.tier = across.map_or(Tier::INTRA, |across| across.tier);
        worker.course.begin(claim, node, path_ns, at_ns);
        if !worker.has_worked {
            worker.has_worked = true;
            self.have_worked += 1;
            if self.have_worked * 10 >= self.workers.len() * 9 {
                self.ramp_ns.get_or_insert(at_ns);
            }
        }
        self.watch_again(me);
        // If some worker is idle, the first fork of the task is shared immediately.
        if begins_eager(self.would_leave(me), self.forks_across(me)) {
            self.workers[me].course.mark = Some(Mark::Eager);
        }
        self.plan(me);
    }

    /// Opens the ask word and the other signs that a worker is busy.
    fn become_busy(&mut self, me: usize, at_ns: u64) {
        let asks = self.decisions.rules().asks();
        self.publish(me, false);
        let barriers = self.barriers;
        let worker = &mut self.workers[me];
        worker.does = Does::Works;
        worker.busy_since_ns = at_ns;
        worker.barriers_seen = barriers;
        if asks {
            worker.ask_word = AskWord::Open;
        }
    }

    /// The opposite. Refuses a pending ask. The actor's course has been moved to its clock.
    pub(super) fn become_free(&mut self, me: usize) {
        if self.publish(me, true) {
            self.call_for_left(me);
        }
        self.note_run(me, self.workers[me].course.clock_ns);
        self.leaves_ladder(me);
        let worker = &mut self.workers[me];
        worker.does = Does::Looks;
        if let AskWord::Asked { asker } = std::mem::replace(&mut worker.ask_word, AskWord::Closed) {
            self.refuse(me, asker);
        }
    }

    /// Opens a worker's shelf because it is not busy, or closes it. Returns whether more is open.
    fn publish(&mut self, me: usize, is_public: bool) -> bool {
        self.at_shelf(me, |shelf, _| shelf.set_public(is_public))
    }

    /// A fork has found a mark.
    pub(super) fn fork(&mut self, me: usize) {
        let Cursor::AtFork(first, second) = self.workers[me].course.cursor else { unreachable!("it is at a fork") };
        let Halved { first, second, to } = self.halve(me, first, second);
        if let Some(to) = to.filter(|_| !self.forks_across(me)) {
            return self.hand(me, first, second, to);
        }
        if self.workers[me].course.is_unmarked() {
            return self.workers[me].course.enter(first, second);
        }
        let mark = self.workers[me].course.mark.take().expect("a fork stops at a mark only");
        self.charge_ns += self.costs.poll_ns;
        let is_watched = self.has_watched_ladders();
        let across = self.forks_across(me);
        let mut at_mark = |wish| Fork::at_mark(wish, across, || self.may_leave(me), || is_watched);
        let fork = match mark {
            Mark::Closed => {
                self.activate();
                Fork::at_first(across, || self.may_leave(me))
            }
            Mark::Watched => at_mark(Wish::Tell),
            Mark::Eager => at_mark(Wish::Share),
        };
        if fork == Fork::Shares && across {
            self.descend(me, first, second, to);
        } else if fork == Fork::Shares {
            let parent = self.task_of(me);
            let path_ns = self.workers[me].course.done.path_ns + self.cost_of_gift();
            self.workers[me].course.done.path_ns = path_ns;
            let claim = self.claims.add(second, me, parent, Place::Shelf(me), path_ns);
            self.workers[me].course.enter_shared(first, claim);
            self.leave(me, claim);
            self.workers[me].course.mark = Some(Mark::Eager);
        } else {
            self.workers[me].course.enter(first, second);
            if fork == Fork::Tells {
                self.call_for(me);
            }
        }
    }

    /// The cost of a frame that a worker gives without being asked.
    pub(super) fn cost_of_gift(&self) -> u64 {
        if self.decisions.rules().beat().is_some() { self.costs.promotion_ns } else { self.costs.give_ns }
    }

    /// Puts a claimed frame on the shelf, and calls a worker for it.
    pub(super) fn leave(&mut self, me: usize, claim: ClaimId) {
        self.charge_ns += self.cost_of_gift();
        self.counts.gifts += 1;
        self.tell(me, self.now_ns, StepKind::Gives(claim.number()));
        let has_beats = self.decisions.rules().beat().is_some();
        self.counts.promotions += u64::from(has_beats);
        let worker = &mut self.workers[me];
        worker.tally.promotions += u64::from(has_beats);
        worker.tally.gifts += 1;
        self.at_shelf(me, |shelf, _| shelf.put(claim));
        self.call_for_left(me);
    }

    /// Whether a worker would leave something for others at a fork if its credit allowed it.
    fn would_leave(&self, me: usize) -> bool {
        match self.decisions.rules().beat() {
            Some(beat) => beat.is_due(self.workers[me].last_beat_ns, self.now_ns),
            None => self.decisions.leaves(self.is_anybody_idle()),
        }
    }

    /// Whether it does.
    fn may_leave(&mut self, me: usize) -> bool {
        match self.decisions.rules().beat() {
            Some(beat) => self.spends_beat(me, beat),
            None => self.decisions.leaves(self.is_anybody_idle()) && self.may_give_again(me),
        }
    }

    /// Whether a worker's credit allows it to give now. Spends the credit if so.
    pub(super) fn may_give_again(&mut self, me: usize) -> bool {
        let worker = &mut self.workers[me];
        let paid = self.decisions.spend_gift(worker.gives_paid_ns, self.now_ns);
        paid.inspect(|&paid_ns| worker.gives_paid_ns = paid_ns).is_some()
    }

    /// A worker returns to a frame that is not its own.
    pub(super) fn come_back(&mut self, me: usize) {
        match self.workers[me].course.entries.last() {
            Some(&Entry::Gone(claim)) => self.join(me, claim),
            Some(&Entry::Base(claim)) => self.end_task(me, claim),
            Some(&Entry::Rise(above, path_ns)) => self.rise(me, above, path_ns),
            entry => unreachable!("a course ends at what is gone, or at its task: {entry:?}"),
        }
    }

    /// A worker comes back to a frame that has left.
    fn join(&mut self, me: usize, claim: ClaimId) {
        self.workers[me].course.pop_foreign();
        match self.claims.get(claim).place {
            Place::Shelf(at) => {
                self.at_shelf(at, |shelf, _| shelf.hand_over(|other| other == claim));
                self.take_back(me, claim);
            }
            Place::Squad(_) | Place::Handed(_) if !self.may_take_back(me, claim) => self.wait_for(me, claim),
            Place::Handed(to) => {
                let affinity = self.affinity.as_mut().expect("it was handed to a worker");
                affinity.get(to..to + 1, |other| other == claim);
                self.take_back(me, claim);
            }
            Place::Squad(squad) => {
                let squads = self.squads.as_mut().expect("it lies in the pool of one");
                squads.pool(squad).hand_over(|other| other == claim);
                self.take_back(me, claim);
            }
            Place::Mailbox(asker) => {
                if let Does::Asks { answer, .. } = &mut self.workers[asker].does {
                    *answer = Some(crate::worker::Answer::Nothing);
                }
                self.take_back(me, claim);
            }
            Place::Done => {
                let runner = self.claims.get(claim).runner;
                self.charge_ns += self.message(runner, me);
                self.absorb(me, claim);
                self.spend_charge(me);
                self.plan(me);
            }
            Place::Running(_) => self.wait_for(me, claim),
        }
    }

    /// The owner waits for a frame.
    fn wait_for(&mut self, me: usize, claim: ClaimId) {
        self.become_free(me);
        let at_ns = self.here_ns();
        self.workers[me].rest = Rest::begin(at_ns);
        self.sleepers.idle += 1;
        self.tell(me, at_ns, StepKind::Begins(Activity::Wait, None));
        self.begin_wait(me, claim);
        self.agenda.set(me, at_ns);
    }

    /// The owner takes back a frame that no worker has begun.
    fn take_back(&mut self, me: usize, claim: ClaimId) {
        self.counts.reclaimed += 1;
        self.tell(me, self.here_ns(), StepKind::TakesBack(claim.number()));
        self.charge_ns += self.costs.poll_ns;
        let Claim { node, path_ns, across, .. } = self.claims.end(claim);
        let becomes_patient = becomes_patient(self.forks_across(me));
        let course = &mut self.workers[me].course;
        if becomes_patient && course.mark == Some(Mark::Eager) {
            course.mark = None;
        }
        match across {
            Some(across) => course.enter_across(node, across.above, course.done.path_ns),
            None => {
                course.entries.push(Entry::Join(course.done.path_ns));
                course.cursor = Cursor::Begin(node);
            }
        }
        course.done.path_ns = path_ns;
        self.spend_charge(me);
        self.plan(me);
    }

    /// The owner has run both branches of an inter-socket fork.
    fn rise(&mut self, me: usize, above: Tier, path_ns: u64) {
        let course = &mut self.workers[me].course;
        course.pop_foreign();
        course.done.path_ns = course.done.path_ns.max(path_ns);
        self.go_to(me, above);
        self.plan(me);
    }

    /// The owner has what comes of a frame.
    fn absorb(&mut self, me: usize, claim: ClaimId) {
        let Claim { path_ns, across, .. } = self.claims.end(claim);
        let course = &mut self.workers[me].course;
        course.done.path_ns = course.done.path_ns.max(path_ns);
        self.ascend(me, across);
    }

    /// A worker has run a task to its end.
    fn end_task(&mut self, me: usize, claim: ClaimId) {
        let worker = &mut self.workers[me];
        worker.course.pop_foreign();
        worker.tasks.pop();
        self.stacks -= usize::from(worker.tasks.is_empty());
        worker.tier = worker.tiers.pop().expect("each task has noted the tier below");
        let path_ns = worker.course.done.path_ns;
        let ended = self.claims.get_mut(claim);
        (ended.place, ended.path_ns) = (Place::Done, path_ns);
        let (owner, across) = (ended.owner, ended.across);
        if me == 0 && self.workers[me].tasks.is_empty() {
            // The caller runs nothing but its own run, and parts of it while it waits.
            self.is_over = true;
            return;
        }
        self.tell(me, self.workers[me].course.clock_ns, StepKind::Ends);
        self.become_free(me);
        self.tell_owner(owner, claim);
        self.end_got(me, across);
        let at_ns = self.here_ns();
        self.sleepers.idle += 1;
        let worker = &mut self.workers[me];
        if let Some(&Entry::Waits(goal, path_ns)) = worker.course.entries.last() {
            worker.course.pop_foreign();
            worker.course.done.path_ns = path_ns;
            (worker.waits, worker.rest) = (Some(goal), Rest::begin(at_ns));
            worker.helps -= 1;
        } else {
            worker.searcher.note_work(at_ns);
            worker.look.note_work(at_ns);
        }
        self.tell_rest(me, at_ns);
        self.agenda.set(me, at_ns);
    }

    /// The owner of a frame that is done continues, if it waits for that frame.
    fn tell_owner(&mut self, owner: usize, claim: ClaimId) {
        if self.workers[owner].works() || self.workers[owner].waits != Some(claim) {
            return;
        }
        match self.workers[owner].does {
            Does::Sleeps { .. } => self.wake(owner),
            Does::Looks | Does::Visits { .. } | Does::Asks { .. } => {
                // It polls the frame, and pays for the message when it continues.
                let at_ns = self.agenda.time(owner).min(self.here_ns());
                self.agenda.set(owner, at_ns);
            }
            Does::Works | Does::Takes { .. } | Does::Wakes { .. } => {}
        }
    }

    /// Ends a wait, if it is over.
    pub(super) fn ends_wait(&mut self, me: usize) -> bool {
        let Some(claim) = self.workers[me].waits else { return false };
        if self.claims.get(claim).place != Place::Done {
            return false;
        }
        self.end_wait(me, claim);
        self.sleepers.idle -= 1;
        let runner = self.claims.get(claim).runner;
        let at_ns = self.now_ns + self.message(runner, me);
        self.become_busy(me, at_ns);
        self.tell_rest(me, at_ns);
        self.tell(me, at_ns, StepKind::Ends);
        self.absorb(me, claim);
        self.workers[me].course.clock_ns = at_ns;
        if self.forks_across(me) {
            self.workers[me].course.mark = Some(Mark::Eager);
        }
        self.watch_again(me);
        self.plan(me);
        true
    }
}
