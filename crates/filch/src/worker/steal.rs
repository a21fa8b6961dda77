//! Getting work from another worker: ask for it, then take it. Cilk-5's scheduler only takes.

use super::execute::execute;
use super::frame::{Claim, Place};
use super::scope::Pool;
use super::task::{Goal, TaskId};
use super::{Header, Ladder, Rung, Team, Worker};
use crate::ask::{self, Ask, TaskPool};
use crate::ladder::Miss;
use crate::scheduler::{self, Approach, Credit, Victim};
use crate::sync::{Ordering, clock, process::PerProcess};
use std::cell::Cell;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

/// Looks at the mailbox between two looks at the clock.
const LOOKS_PER_CLOCK: u32 = 16;

/// How long an asker keeps its processor to itself.
const SPIN_NS: u64 = 50_000;

/// Somebody in search of work, at the top of its ladder.
pub(super) struct Thief<'t> {
    pub(super) team: &'t Team,
    /// Its own ladder.
    pub(super) ladder: &'t Ladder,
    pub(super) top: Rung,
    /// Whether there is something better to do than to wait for an answer.
    pub(super) is_called: &'t dyn Fn() -> bool,
    /// To be called before it runs what it has got.
    pub(super) going_busy: &'t dyn Fn(),
    /// Whether somebody has not answered.
    pub(super) is_met_with_silence: Cell<bool>,
}

/// After a quiet time barriers may come as fast as that many workers can be taken from, one after the other.
const BARRIERS_IN_A_ROW: u64 = 64;

/// The credit for barriers: each interrupts every running worker of the process, so it is the process's.
fn barriers() -> &'static Credit {
    static BARRIERS: PerProcess<OnceLock<Credit>> = PerProcess::new(OnceLock::new());
    BARRIERS.get().get_or_init(|| Credit::with_burst(BARRIERS_IN_A_ROW))
}

/// How an ask ended.
enum Asked {
    Given(NonNull<Header>),
    Refused,
    /// No answer; it has been withdrawn.
    Withdrawn,
}

impl Thief<'_> {
    fn worker(&self) -> &Worker {
        self.ladder.owner()
    }

    /// Gets the oldest frame of `victim`, if it belongs to its task `of` (or whatever it is, without `of`), and runs
    /// it. False if there was nothing to be had.
    ///
    /// # Safety
    ///
    /// The caller occupies `self.ladder`, whose top is `self.top`, and has room for a task. Its ask word is closed.
    pub(super) unsafe fn visit(&self, victim: &Ladder, of: Option<TaskId>) -> bool {
        // A look at what has been written about it first: the oldest slot's line is its owner's, if that has few
        // frames.
        let approach = self.approach(victim);
        if approach == Approach::Leave || !victim.has_frame() {
            return false;
        }
        self.worker().counters.steal_attempts.bump();
        // Whatever comes, it may be a part of a loop.
        self.worker().blank.make();
        if approach == Approach::Ask {
            match self.ask(victim, of) {
                // SAFETY: forwarded; it was given to this worker, which has removed it from its mailbox.
                Asked::Given(frame) => return unsafe { self.run_claimed(frame, victim) },
                Asked::Refused => return false,
                Asked::Withdrawn => self.note_silence(victim.owner()),
            }
        }
        let may_take = self.team.takes_now() && !self.leaves_alone(victim.owner(), of) && !(self.is_called)();
        // SAFETY: forwarded.
        may_take && unsafe { self.take(victim, of) }
    }

    /// Whether a victim's ladder is not to be touched, because what it has left is older.
    fn leaves_alone(&self, victim: &Worker, of: Option<TaskId>) -> bool {
        of.is_none() && !victim.shelf.is_empty()
    }

    fn approach(&self, victim: &Ladder) -> Approach {
        let (rules, worker) = (self.team.rules_now(), victim.owner());
        let word = match worker.ask_word.look() {
            ask::Word::Closed => scheduler::Word::Closed,
            ask::Word::Open => scheduler::Word::Open,
            ask::Word::Asked => scheduler::Word::Asked,
        };
        let seen = Victim {
            word,
            gives_from_ns: worker.gives.allowed_from(rules.give_period_ns),
            taken_from_ns: worker.takes.allowed_from(rules.take_period_ns),
            silent_until_ns: worker.silent_until_ns.load(Ordering::Relaxed),
            team_silent_until_ns: self.team.silent_until_ns.load(Ordering::Relaxed),
        };
        rules.approach(&seen, clock::now_ns())
    }

    /// Nobody answers: the other one is in a long leaf or not running, perhaps because this thread is in its place.
    /// Others are likely to be in the same kind of leaf.
    fn note_silence(&self, victim: &Worker) {
        let (rules, now_ns) = (self.team.rules(), clock::now_ns());
        victim.silent_until_ns.store(now_ns.saturating_add(rules.give_period_ns), Ordering::Relaxed);
        self.team.silent_until_ns.store(now_ns.saturating_add(rules.take_period_ns), Ordering::Relaxed);
        self.is_met_with_silence.set(true);
    }

    /// Somebody has answered.
    fn note_answer(&self) {
        let silent_until_ns = &self.team.silent_until_ns;
        if silent_until_ns.load(Ordering::Relaxed) != 0 {
            silent_until_ns.store(0, Ordering::Relaxed);
        }
    }

    fn ask(&self, victim: &Ladder, of: Option<TaskId>) -> Asked {
        let me = self.worker();
        let seq = me.asked.load(Ordering::Relaxed) + 1;
        me.asked.store(seq, Ordering::Relaxed);
        let ask = Ask { asker: me.index, seq };
        me.wants.set(of);
        me.mailbox.expect_reply();
        if !victim.owner().ask_word.post(ask) {
            me.mailbox.expect_nothing();
            return Asked::Refused;
        }
        let begin = clock::now_ns();
        victim.raise();
        me.counters.asks.bump();
        let mut can_withdraw = true;
        loop {
            for _ in 0..LOOKS_PER_CLOCK {
                if let Some(frame) = me.mailbox.get() {
                    me.ask_times.add(clock::now_ns() - begin);
                    self.note_answer();
                    return Asked::Given(frame);
                }
                if me.mailbox.is_refused() {
                    me.counters.refusals.bump();
                    self.note_answer();
                    return Asked::Refused;
                }
                std::hint::spin_loop();
            }
            let asked_for_ns = clock::now_ns() - begin;
            if asked_for_ns > SPIN_NS || !can_withdraw {
                // The reply is on its way, or late, from a thread that may not be running.
                std::thread::yield_now();
            }
            if can_withdraw && ((self.is_called)() || self.gives_up(victim, asked_for_ns)) {
                if victim.owner().ask_word.withdraw(ask) {
                    me.mailbox.expect_nothing();
                    me.counters.withdrawals.bump();
                    return Asked::Withdrawn;
                }
                can_withdraw = false;
            }
        }
    }

    /// Whether to take an ask back that has stood for so long.
    fn gives_up(&self, victim: &Ladder, asked_for_ns: u64) -> bool {
        let rules = self.team.rules_now();
        let may_take = victim.owner().takes.allowed_from(rules.take_period_ns) <= clock::now_ns();
        let others =
            || self.team.all_ladders().filter(|&other| !ptr::eq(other, victim) && !ptr::eq(other, self.ladder));
        rules.gives_up(asked_for_ns, may_take, || others().any(Ladder::has_frame) || self.team.has_left())
    }

    /// Runs a frame that `victim` has given to this worker, or that it has taken there. Always true.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit), and `frame` is this worker's to run.
    unsafe fn run_claimed(&self, frame: NonNull<Header>, victim: &Ladder) -> bool {
        // SAFETY: claimed, so it lives until it is done.
        let header = unsafe { frame.as_ref() };
        // SAFETY: claimed by this thread, or by a giver whose reply this thread has acquired.
        let waiter = unsafe { header.claim() }.waiter;
        (self.going_busy)();
        if victim.has_frame() || !victim.owner().shelf.is_empty() {
            self.team.call_for(victim);
        }
        // SAFETY: forwarded.
        unsafe { execute(self.ladder, self.top, frame, || self.team.worker(waiter.into()).parker.unpark()) };
        true
    }

    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    unsafe fn take(&self, victim: &Ladder, of: Option<TaskId>) -> bool {
        let me = self.worker();
        let from = victim.owner();
        let begin = clock::now_ns();
        let rules = self.team.rules();
        // All running workers of the process first: nothing is lost if the victim itself may not be disturbed yet.
        let may_disturb = || {
            rules.take_period_ns == 0
                || from.takes.allowed_from(rules.take_period_ns) <= begin
                    && barriers().spend(rules.barrier_period_ns, begin)
                    && from.takes.spend(rules.take_period_ns, begin)
        };
        let taken = victim.take(may_disturb, |frame| {
            // Asked under L, with a frame known to be there: now, and not before, does this tell whose it is.
            let holder = from.tasks.holder(victim.oldest());
            let may_take = (of.is_none() || of == holder) && !self.leaves_alone(from, of);
            // SAFETY: `take` calls this under L, before H moves; and nobody has an ask of this worker's.
            may_take.then(|| unsafe { me.claim(frame, Claim::new(frame, holder, from.index, Place::Nowhere)) })
        });
        // H has moved, or E has been lowered.
        if self.team.sleepers.is_watched() {
            victim.watch();
        }
        match taken {
            Ok(frame) => {
                me.take_times.add(clock::now_ns() - begin);
                me.counters.forks_taken.bump();
                // SAFETY: forwarded; claimed above.
                unsafe { self.run_claimed(frame, victim) }
            }
            Err(miss) => {
                if miss == Miss::Failed {
                    me.counters.failed_takes.bump();
                }
                false
            }
        }
    }

    /// Whether there is something for one who waits for `goal`.
    pub(super) fn sees_part_of(&self, goal: Goal) -> bool {
        let is_any = self.team.rules().waits_for_any;
        let has_part = |ladder: &Ladder| {
            let holder = ladder.owner().tasks.holder(ladder.oldest());
            ladder.has_frame() && (is_any || holder.is_some_and(|task| self.team.is_part(task, goal)))
        };
        let others = || self.team.all_ladders().filter(|&ladder| !ptr::eq(ladder, self.ladder));
        let is_left = |ladder: &Ladder| ladder.owner().shelf.has(|frame| is_any || self.is_left_for(frame, goal));
        let is_spawned = |pool: &Pool| if is_any { pool.has_any() } else { pool.has_inside(goal) };
        others().any(has_part) || self.team.all_ladders().any(is_left) || self.team.pools().any(is_spawned)
    }

    /// Runs a frame that somebody has left, if it is a part of `goal` (or whatever it is, without `goal`). False if
    /// there was none.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(super) unsafe fn visit_shelves(&self, goal: Option<Goal>) -> bool {
        let me = self.worker();
        let is_wanted = |frame| goal.is_none_or(|goal| self.is_left_for(frame, goal));
        let get = |ladder: &Ladder| Some((ladder.owner().shelf.get_if(is_wanted)?, ladder.owner().index));
        // Its own, too: who left it may be further down on this thread, and come to it late.
        let found = get(self.ladder).or_else(|| self.team.victims(me.index, &|n| me.random.below(n)).find_map(get));
        let Some((frame, victim)) = found else { return false };
        me.counters.steal_attempts.bump();
        // SAFETY: forwarded; removed by this thread.
        unsafe { self.run_claimed(frame, self.team.ladder(victim)) }
    }

    /// Whether a frame that lies on a shelf is a part of `goal`.
    fn is_left_for(&self, frame: NonNull<Header>, goal: Goal) -> bool {
        // SAFETY: it lives while it lies there, as the shelf's lock sees to.
        let header = unsafe { frame.as_ref() };
        // SAFETY: claimed before it was left.
        let origin = unsafe { header.claim() }.origin;
        // Its owner waits for it, or will; so what is above it is live.
        origin.goal == goal || origin.parent.is_some_and(|task| self.team.is_part(task, goal))
    }

    /// Runs a part of `goal`, whoever has one: what has been left first, because nobody is interrupted for that. False
    /// if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(super) unsafe fn visit_parts_of(&self, goal: Goal) -> bool {
        // SAFETY: forwarded.
        let found = unsafe { self.visit_pools_for(goal) }
            // SAFETY: forwarded.
            || unsafe { self.visit_shelves(Some(goal)) };
        if found {
            return true;
        }
        let me = self.worker();
        self.team.victims(me.index, &|n| me.random.below(n)).any(|victim| {
            let holder = victim.owner().tasks.holder(victim.oldest());
            let part = holder.filter(|&task| victim.has_frame() && self.team.is_part(task, goal));
            // SAFETY: forwarded.
            part.is_some() && unsafe { self.visit(victim, part) }
        })
    }

    /// Visits the other workers once, the nearest first, until there is something to run. False if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(super) unsafe fn visit_anybody(&self) -> bool {
        let me = self.worker();
        self.team.victims(me.index, &|n| me.random.below(n)).any(|victim| {
            // SAFETY: forwarded.
            unsafe { self.visit(victim, None) }
        })
    }
}
