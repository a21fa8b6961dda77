//! Getting work from another worker: ask for it, then take it. Cilk-5's scheduler only takes.

use crate::engine::account::Account;
use crate::engine::frame::{Claim, Place};
use crate::engine::frame::{Header, Rung};
use crate::engine::share::execute::execute;
use crate::engine::task::TaskId;
use crate::engine::team::{Ladder, Team, Worker};
use crate::protocol::ask;
use crate::protocol::ask::{Ask, TaskPool};
use crate::protocol::ladder::Miss;
use crate::sync::process::PerProcess;
use crate::sync::{Ordering, clock};
use filch_policy::{self as policy, Approach, LOOKS_PER_CLOCK, Paid, Victim};
use std::cell::Cell;
use std::ptr::{self, NonNull};

/// Somebody in search of work, at the top of its ladder.
pub(crate) struct Thief<'t> {
    pub(crate) team: &'t Team,
    /// Its own ladder.
    pub(crate) ladder: &'t Ladder,
    pub(crate) top: Rung,
    /// Whether there is something better to do than to wait for an answer.
    pub(crate) is_called: &'t dyn Fn() -> bool,
    /// To be called before it runs what it has got.
    pub(crate) going_busy: &'t dyn Fn(),
    /// Whether somebody has not answered.
    pub(crate) is_met_with_silence: Cell<bool>,
}

/// The barriers of this process: each interrupts all of its running workers, of whatever team.
static BARRIERS: PerProcess<Account> = PerProcess::new(Account::new());

/// How an ask ended.
enum Asked {
    Given(NonNull<Header>),
    Refused,
    /// No answer; it has been withdrawn.
    Withdrawn,
}

/// Whether a victim's ladder is not to be touched, because what it has left is older.
fn leaves_alone(victim: &Worker, of: Option<TaskId>) -> bool {
    policy::leaves_alone(of, !victim.shelf.is_empty())
}

impl Thief<'_> {
    pub(super) fn worker(&self) -> &Worker {
        self.ladder.owner()
    }

    /// Gets the oldest frame of `victim`, if it belongs to its task `of` (or whatever it is, without `of`), and runs
    /// it. False if there was nothing to be had.
    ///
    /// # Safety
    ///
    /// The caller occupies `self.ladder`, whose top is `self.top`, and has room for a task. Its ask word is closed.
    pub(crate) unsafe fn visit(&self, victim: &Ladder, of: Option<TaskId>) -> bool {
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
        let may_take = self.team.rules_now().takes() && !leaves_alone(victim.owner(), of) && !(self.is_called)();
        // SAFETY: forwarded.
        may_take && unsafe { self.take(victim, of) }
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
            takes_paid_ns: worker.takes.paid_ns(),
            silent_until_ns: worker.silent_until_ns.load(Ordering::Relaxed),
            team_silent_until_ns: self.team.silent_until_ns.load(Ordering::Relaxed),
        };
        self.team.rules_now().approach(&seen, clock::now_ns())
    }

    /// Nobody answers: the other one is in a long leaf or not running, perhaps because this thread is in its place.
    fn note_silence(&self, victim: &Worker) {
        let silence = self.team.rules().silence(clock::now_ns());
        victim.silent_until_ns.store(silence.victim_until_ns, Ordering::Relaxed);
        self.team.silent_until_ns.store(silence.team_until_ns, Ordering::Relaxed);
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
            if policy::yields_to_victim(asked_for_ns, can_withdraw) {
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
        let is_another = |&other: &&Ladder| !ptr::eq(other, victim) && !ptr::eq(other, self.ladder);
        let has_others = || self.team.all_ladders().filter(is_another).any(Ladder::has_frame) || self.team.has_left();
        let takes_paid_ns = victim.owner().takes.paid_ns();
        self.team.rules_now().gives_up(asked_for_ns, takes_paid_ns, clock::now_ns(), has_others)
    }

    /// Runs a frame that `victim` has given to this worker, or that it has taken there. Always true.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit), and `frame` is this worker's to run.
    pub(super) unsafe fn run_claimed(&self, frame: NonNull<Header>, victim: &Ladder) -> bool {
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
        let may_disturb = || {
            // Under L, so that nobody else has this victim pay meanwhile.
            let victim_ns = from.takes.paid_ns();
            let mut paid = None;
            BARRIERS.get().update(|barriers_ns| {
                paid = self.team.rules().interrupt(Paid { victim_ns, barriers_ns }, begin);
                paid.map(|paid| paid.barriers_ns)
            });
            paid.inspect(|paid| from.takes.pay(paid.victim_ns)).is_some()
        };
        let taken = victim.take(may_disturb, |frame| {
            // Asked under L, with a frame known to be there: now, and not before, does this tell whose it is.
            let holder = from.tasks.holder(victim.oldest());
            let may_take = policy::is_wanted(of, holder) && !leaves_alone(from, of);
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
}
