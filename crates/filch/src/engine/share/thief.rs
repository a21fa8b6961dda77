//! The thief's side of sharing: a worker without work asks another one, and then takes.
//!
//! This is the third file of the story of a join. What happened before: a fork (`constructs/join/fork.rs`) has pushed
//! its frame. The worker here has found a victim with a frame (`visits.rs`), because it has no work, or because it
//! waits and the frame is a part of what it waits for.
//!
//! A [`visit`](Thief::visit) first looks at what the victim shows without being disturbed: its ask word and its
//! credits. Then it asks, and the victim answers at its next return (`engine/share/at_return.rs`; Yasugi, Hiraishi,
//! Umatani and Yuasa 2012, section 2.2). If no answer comes in time, or if the victim cannot be asked, the thief takes
//! the victim's oldest frame (Frigo, Leiserson and Randall 1998, section 5). The scheduler of Cilk-5 only takes.
//!
//! What comes next: the thief runs the frame to its end (`execute.rs`). Meanwhile the owner of the frame reaches its
//! join and waits (`engine/wait/join_end.rs`).

use crate::engine::frame::ready::Ready;
use crate::engine::frame::task::TaskId;
use crate::engine::frame::{Claim, Place, Unbegun};
use crate::engine::meters::account::Account;
use crate::engine::meters::activity::Activity;
use crate::engine::scopes::bound;
use crate::engine::seats::held_seats;
use crate::engine::share::execute::execute;
use crate::engine::team::Top;
use crate::engine::team::{Ladder, Team, Worker};
use crate::protocol::ask;
use crate::protocol::ask::Ask;
use crate::protocol::ladder::{Miss, Verdict};
use crate::sync::process::PerProcess;
use crate::sync::{Ordering, clock};
use filch_policy::{self as policy, Approach, LOOKS_PER_CLOCK, Paid, Victim};
use std::cell::Cell;
use std::ptr;

/// A worker that looks for work, at the top of its ladder.
pub(crate) struct Thief<'t> {
    pub(crate) team: &'t Team,
    /// Where the thief runs what it gets. Its worker has room for a task, and its ask word is closed.
    pub(crate) top: Top<'t>,
    /// Whether the thief has something better to do than to wait for an answer.
    pub(crate) is_called: &'t dyn Fn() -> bool,
    /// Called before the thief runs what it has got.
    pub(crate) going_busy: &'t dyn Fn(),
    /// Called before the thief naps on the parker of its worker. Arranges that it is woken when it is called; false if
    /// it is called now, or cannot be.
    pub(crate) may_nap: &'t dyn Fn() -> bool,
    /// Whether a victim has not answered.
    pub(crate) is_met_with_silence: Cell<bool>,
}

/// The account of the barriers of this process. Each barrier interrupts all running workers of the process, in all
/// teams.
static BARRIERS: PerProcess<Account> = PerProcess::new(Account::new());

/// The end of an ask.
enum Asked {
    Given(Unbegun),
    Refused,
    /// There was no answer, and the thief has withdrawn the ask.
    Withdrawn,
}

/// Up to when interruptions of `victim`, and the barriers of the process, are paid for. A hint: other threads may be
/// paying.
fn takes_paid(victim: &Worker) -> Paid {
    Paid { victim_ns: victim.takes.paid_ns(), barriers_ns: BARRIERS.get().paid_ns() }
}

/// Whether the thief must not touch the victim's ladder, because the victim has left older work for others.
fn leaves_alone(victim: &Worker, of: Option<TaskId>) -> bool {
    policy::leaves_alone(of, !victim.shelf.is_empty())
}

impl Worker {
    /// Forgets that asks of this worker have been refused.
    pub(crate) fn forget_refusals(&self) {
        self.refusals.store(0, Ordering::Relaxed);
        self.asks_again_ns.store(0, Ordering::Relaxed);
    }
}

impl Thief<'_> {
    pub(super) fn worker(&self) -> &Worker {
        self.top.owner()
    }

    /// Gets the oldest frame of `victim` and runs it. With `of`, the frame must belong to that task of the victim.
    /// Returns false if the thief got nothing.
    pub(crate) fn visit(&self, victim: &Ladder, of: Option<TaskId>) -> bool {
        // This comes before the look at the oldest slot. If the victim has few frames, that slot lies on a cache line
        // that its owner writes to.
        let approach = self.approach(victim);
        if approach == Approach::Leave || !self.team.may_get_from(victim) {
            return false;
        }
        self.worker().counters.steal_attempts.bump();
        // What the thief gets may be a part of a loop, which needs memory.
        self.worker().part_memory.make();
        if approach == Approach::Ask {
            match self.ask(victim, of) {
                Asked::Given(frame) => return self.run_claimed(frame, victim),
                Asked::Refused => return false,
                Asked::Withdrawn => self.note_silence(victim.owner()),
            }
        }
        let may_take = self.team.rules_now().takes() && !leaves_alone(victim.owner(), of) && !(self.is_called)();
        may_take && self.take(victim, of)
    }

    fn approach(&self, victim: &Ladder) -> Approach {
        let worker = victim.owner();
        let word = match worker.ask_word.look() {
            ask::Word::Closed => policy::Word::Closed,
            ask::Word::Open => policy::Word::Open,
            ask::Word::Asked => policy::Word::Asked,
        };
        let seen = Victim {
            word,
            gives_paid_ns: worker.gives.paid_ns(),
            takes_paid: takes_paid(worker),
            silent_until_ns: worker.silent_until_ns.load(Ordering::Relaxed),
            team_silent_until_ns: self.team.silent_until_ns.load(Ordering::Relaxed),
        };
        let asks_again_ns = self.worker().asks_again_ns.load(Ordering::Relaxed);
        let record = &self.worker().record;
        record.approach(&self.team.rules_now(), worker.index, seen, asks_again_ns, clock::now_ns())
    }

    /// Notes that the victim has not answered. It is in a long leaf or not running, perhaps because this thread has its
    /// processor.
    fn note_silence(&self, victim: &Worker) {
        let now_ns = clock::now_ns();
        let silence = self.worker().record.silence(self.team.rules(), victim.index, now_ns);
        victim.silent_until_ns.store(silence.victim_until_ns, Ordering::Relaxed);
        self.team.silent_until_ns.store(silence.team_until_ns, Ordering::Relaxed);
        self.is_met_with_silence.set(true);
    }

    /// Notes that a victim has answered.
    fn note_answer(&self) {
        let silent_until_ns = &self.team.silent_until_ns;
        if silent_until_ns.load(Ordering::Relaxed) != 0 {
            silent_until_ns.store(0, Ordering::Relaxed);
        }
    }

    /// Notes a refusal, after which this worker may have to wait before it asks again.
    fn back_off(&self) {
        let me = self.worker();
        let refusals = me.refusals.load(Ordering::Relaxed) + 1;
        me.refusals.store(refusals, Ordering::Relaxed);
        if let Some(asks_again_ns) = me.record.back_off(self.team.rules(), refusals, clock::now_ns) {
            me.asks_again_ns.store(asks_again_ns, Ordering::Relaxed);
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
        let _doing = me.activity.begin(Activity::Ask);
        let mut can_withdraw = true;
        loop {
            for _ in 0..LOOKS_PER_CLOCK {
                if let Some(frame) = me.mailbox.get() {
                    me.ask_times.add(clock::now_ns() - begin);
                    me.forget_refusals();
                    self.note_answer();
                    // SAFETY: the victim has claimed the frame and put it into this mailbox, and it is there no more.
                    return Asked::Given(unsafe { Unbegun::of(frame) });
                }
                if me.mailbox.is_refused() {
                    me.counters.refusals.bump();
                    self.back_off();
                    self.note_answer();
                    return Asked::Refused;
                }
                std::hint::spin_loop();
            }
            let asked_for_ns = clock::now_ns() - begin;
            if policy::yields_to_victim(asked_for_ns, can_withdraw) {
                std::thread::yield_now();
            }
            if can_withdraw && ((self.is_called)() || self.gives_up(victim, asked_for_ns)) {
                if self.naps_asking(victim, asked_for_ns) {
                    continue;
                }
                if victim.owner().ask_word.withdraw(ask) {
                    me.mailbox.expect_nothing();
                    me.counters.withdrawals.bump();
                    return Asked::Withdrawn;
                }
                can_withdraw = false;
            }
        }
    }

    /// Whether to withdraw an ask that has been outstanding for this long.
    fn gives_up(&self, victim: &Ladder, waited_ns: u64) -> bool {
        let is_another = |&other: &&Ladder| !ptr::eq(other, victim) && !ptr::eq(other, self.top.ladder());
        let has_others = || {
            self.team.all_ladders().filter(is_another).any(|ladder| self.team.may_get_from(ladder))
                || self.team.has_shelved()
        };
        let (rules, paid, now_ns) = (self.team.rules_now(), takes_paid(victim.owner()), clock::now_ns());
        self.worker().record.gives_up(&rules, waited_ns, paid, now_ns, has_others)
    }

    /// Leaves the ask there, and naps until the reply comes, but not for long. Returns false if the ask is to be
    /// withdrawn.
    fn naps_asking(&self, victim: &Ladder, waited_ns: u64) -> bool {
        let has_task =
            || self.has_duty() || self.team.has_shelved() || self.team.spawn_queues().any(|queue| !queue.is_empty());
        let is_open = |ladder: &Ladder| matches!(ladder.owner().ask_word.look(), ask::Word::Open);
        let is_another = |&other: &&Ladder| !ptr::eq(other, victim) && !ptr::eq(other, self.top.ladder());
        let others = || self.team.all_ladders().filter(is_another);
        let has_others = || others().any(|ladder| is_open(ladder) && self.team.may_get_from(ladder));
        let Some(nap) = self.team.rules_now().naps_asking(waited_ns, has_task, has_others) else { return false };
        if (self.is_called)() || !(self.may_nap)() {
            return false;
        }
        self.worker().counters.parks.bump();
        let _doing = self.worker().activity.begin(Activity::Sleep);
        self.worker().parker.park_timeout(nap);
        true
    }

    /// Whether there is something that only this thread can do, for which the victim may be waiting: to run a task, to
    /// lend a seat, or to promote a frame.
    fn has_duty(&self) -> bool {
        let is_beaten = || self.worker().beat.is_given() && self.top.ladder().has_frame();
        bound::has_tasks_here() || held_seats::holds_several_seats() || is_beaten()
    }

    /// Runs a frame that `victim` has given to this worker, or that this worker has taken from it. Always returns true.
    pub(super) fn run_claimed(&self, frame: Unbegun, victim: &Ladder) -> bool {
        let waiter = frame.claim().waiter;
        (self.going_busy)();
        if self.team.may_get_from(victim) || !victim.owner().shelf.is_empty() {
            self.team.call_for(victim);
        }
        execute(&self.top, frame, &|| self.team.worker(waiter.into()).parker.unpark());
        true
    }

    /// Takes the oldest frame of `victim` without its cooperation, and runs it.
    fn take(&self, victim: &Ladder, of: Option<TaskId>) -> bool {
        let me = self.worker();
        let from = victim.owner();
        let begin = clock::now_ns();
        let may_disturb = || {
            if from.record.interrupts_freely(self.team.rules()) {
                return true;
            }
            // This runs under L, so no other thief charges this victim at the same time.
            let (rules, mut paid) = (self.team.rules(), Paid { victim_ns: from.takes.paid_ns(), barriers_ns: 0 });
            BARRIERS.get().update(|barriers_ns| {
                // Another team may charge this account meanwhile. Then this is decided again, and the last time counts.
                paid.barriers_ns = barriers_ns;
                rules.interrupt(paid, begin).map(|paid| paid.barriers_ns)
            });
            let paid = from.record.interrupt(rules, paid, begin);
            paid.inspect(|paid| from.takes.pay(paid.victim_ns)).is_some()
        };
        let mut is_unwinding = false;
        let taken = victim.take(may_disturb, |frame| {
            // It was set before the frame was pushed, if the frame has been pushed by code that runs meanwhile.
            is_unwinding = from.is_unwinding.load(Ordering::Relaxed);
            if is_unwinding {
                return Verdict::Leaves;
            }
            // The task that the frame belongs to is certain only now, under L and with the frame known to be there.
            let holder = from.tasks.holder(victim.oldest());
            if !policy::is_wanted(of, holder) || leaves_alone(from, of) {
                return Verdict::Leaves;
            }
            // SAFETY: `take` calls this under L.
            if unsafe { Ready::default().passes(&frame) } {
                return Verdict::Passes;
            }
            if !Ready::default().allows(&frame) {
                from.preparing.order();
                return Verdict::Passes;
            }
            let claim = Claim::new(frame.as_ptr(), holder, from.index, Place::Nowhere);
            // SAFETY: `take` calls this under L, and moves H.
            Verdict::Claims(unsafe { me.claim(&frame, claim) })
        });
        // H has moved, or E has been lowered.
        self.team.watch_again(victim);
        if is_unwinding {
            // At its next return the victim finds out whether it still does.
            victim.raise();
        }
        match taken {
            Ok(frame) => {
                me.take_times.add(clock::now_ns() - begin);
                me.note_taken(&frame);
                self.run_claimed(frame, victim)
            }
            Err(miss) => {
                if miss == Miss::Failed {
                    me.counters.failed_takes.bump();
                }
                false
            }
        }
    }
}
