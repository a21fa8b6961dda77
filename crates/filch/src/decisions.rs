//! Decisions of the policy, as the runtime asks for them: each function here calls one of `filch-policy`, and records
//! what has been decided and from what. A test makes the decisions again and compares
//! (`crates/filch-sim/tests/simulator/tested/replay.rs`).
//!
//! There are records where the runtime is built with `--cfg filch_decisions="tested"`. In any other build a record is
//! nothing. It belongs to whoever has the state that its decisions depend on: an interruption is in the record of the
//! victim, whose account it charges, under the lock that makes these charges follow each other.

use filch_policy::{
    Approach, Beat, Called, Credit, Fork, Gift, Gifts, Moment, Paid, Rules, Silence, Victim, Wish, begins_eager,
    called_at, calls_one, looks_across,
};
use std::cell::Cell;

#[cfg(filch_decisions = "tested")]
pub use tested::{Decision, Decisions};

/// Decisions in the order in which they were made.
#[derive(Default)]
pub(crate) struct Record(#[cfg(filch_decisions = "tested")] std::sync::Mutex<Vec<Decision>>);

/// Adds a `Decision` to a record, if there are records.
macro_rules! decided {
    ($record:expr, $($decision:tt)*) => {
        #[cfg(filch_decisions = "tested")]
        $record.add(Decision::$($decision)*);
    };
}

#[cfg_attr(loom, expect(dead_code, reason = "under loom there are few of the modules that decide"))]
impl Record {
    /// [`Rules::approach`], of the worker with the name `victim`.
    pub(crate) fn approach(
        &self,
        rules: &Rules,
        #[cfg_attr(not(filch_decisions = "tested"), expect(unused_variables))] victim: usize,
        seen: Victim,
        asks_again_ns: u64,
        now_ns: u64,
    ) -> Approach {
        let does = rules.approach(&seen, asks_again_ns, now_ns);
        decided!(self, Approach { victim, seen, asks_again_ns, takes: rules.takes(), now_ns, does });
        does
    }

    /// [`Rules::gives_up`].
    pub(crate) fn gives_up(
        &self,
        rules: &Rules,
        waited_ns: u64,
        paid: Paid,
        now_ns: u64,
        has_others: impl FnOnce() -> bool,
    ) -> bool {
        let others = Cell::new(None);
        let does = rules.gives_up(waited_ns, paid, now_ns, keeping(&others, has_others));
        decided!(self, GivesUp { waited_ns, paid, takes: rules.takes(), now_ns, has_others: others.get(), does });
        does
    }

    /// [`Rules::silence`], of the worker with the name `victim`.
    pub(crate) fn silence(
        &self,
        rules: &Rules,
        #[cfg_attr(not(filch_decisions = "tested"), expect(unused_variables))] victim: usize,
        now_ns: u64,
    ) -> Silence {
        let does = rules.silence(now_ns);
        decided!(self, Silence { victim, now_ns, does });
        does
    }

    /// [`Rules::back_off_ns`], and until when the worker does not ask, if it waits.
    pub(crate) fn back_off(&self, rules: &Rules, refusals: u64, now_ns: impl FnOnce() -> u64) -> Option<u64> {
        let does = rules.back_off_ns(refusals);
        let asks_again_ns = (does > 0).then(|| now_ns().saturating_add(does));
        decided!(self, BackOff { refusals, asks_again_ns: asks_again_ns.unwrap_or(0), does });
        asks_again_ns
    }

    /// [`Rules::interrupt`], of the worker whose record this is. `None` if an account does not allow it.
    pub(crate) fn interrupt(&self, rules: &Rules, paid: Paid, now_ns: u64) -> Option<Paid> {
        let does = rules.interrupt(paid, now_ns);
        decided!(self, Interrupt { paid, now_ns, does });
        does
    }

    /// Whether takes are paid for by no account, so that [`interrupt`](Self::interrupt) is not asked.
    pub(crate) fn interrupts_freely(&self, rules: &Rules) -> bool {
        let does = rules.take().is_unlimited();
        #[cfg(filch_decisions = "tested")]
        if does {
            let paid = Paid { victim_ns: 0, barriers_ns: 0 };
            self.add(Decision::Interrupt { paid, now_ns: 0, does: Some(paid) });
        }
        does
    }

    /// [`Gifts::choose`]. `number` is that of a task.
    pub(crate) fn gift<T: Copy + PartialEq>(
        &self,
        gifts: Gifts<T>,
        wants: Option<T>,
        #[cfg_attr(not(filch_decisions = "tested"), expect(unused_variables))] number: impl Fn(T) -> u64,
    ) -> Gift {
        let does = gifts.choose(wants);
        #[cfg(filch_decisions = "tested")]
        {
            let numbered = |task: Option<T>| task.map(&number);
            let gifts = Gifts {
                oldest: gifts.oldest.map(numbered),
                popped: gifts.popped.map(|(task, left)| (numbered(task), left)),
            };
            self.add(Decision::Gift { gifts, wants: wants.map(&number), does });
        }
        does
    }

    /// [`Credit::spend`] of [`Rules::give`]. Nothing is paid where gifts cost nothing.
    pub(crate) fn spend_gift(&self, credit: Credit, paid_ns: u64, now_ns: impl FnOnce() -> u64) -> Option<u64> {
        if credit.is_unlimited() {
            decided!(self, SpendGift { paid_ns: 0, now_ns: 0, does: Some(0) });
            return Some(paid_ns);
        }
        let now_ns = now_ns();
        let does = credit.spend(paid_ns, now_ns);
        decided!(self, SpendGift { paid_ns, now_ns, does });
        does
    }

    /// [`Rules::leaves`].
    pub(crate) fn leaves(&self, rules: &Rules, is_anybody_idle: bool) -> bool {
        let does = rules.leaves(is_anybody_idle);
        decided!(self, Leaves { is_anybody_idle, does });
        does
    }

    /// [`Fork::at_first`].
    pub(crate) fn first_fork(&self, forks_across: bool, may_leave: impl FnOnce() -> bool) -> Fork {
        let leaves = Cell::new(None);
        let does = Fork::at_first(forks_across, keeping(&leaves, may_leave));
        decided!(self, FirstFork { forks_across, may_leave: leaves.get(), does });
        does
    }

    /// [`Fork::at_mark`].
    pub(crate) fn marked_fork(
        &self,
        wish: Wish,
        forks_across: bool,
        may_leave: impl FnOnce() -> bool,
        is_watched: impl FnOnce() -> bool,
    ) -> Fork {
        let (leaves, watched) = (Cell::new(None), Cell::new(None));
        let does = Fork::at_mark(wish, forks_across, keeping(&leaves, may_leave), keeping(&watched, is_watched));
        decided!(self, MarkedFork { wish, forks_across, may_leave: leaves.get(), is_watched: watched.get(), does });
        does
    }

    /// [`begins_eager`].
    pub(crate) fn begins_eager(&self, leaves: bool, forks_across: bool) -> bool {
        let does = begins_eager(leaves, forks_across);
        decided!(self, BeginsEager { leaves, forks_across, does });
        does
    }

    /// [`Beat::is_due`].
    pub(crate) fn beat_is_due(&self, beat: Beat, last_ns: u64, now_ns: u64) -> bool {
        let does = beat.is_due(last_ns, now_ns);
        decided!(self, BeatIsDue { last_ns, now_ns, does });
        does
    }

    /// No decision: the worker has noticed a beat.
    pub(crate) fn beat_noticed(
        &self,
        #[cfg_attr(not(filch_decisions = "tested"), expect(unused_variables))] now_ns: u64,
    ) {
        decided!(self, BeatNoticed { now_ns });
    }

    /// [`called_at`].
    pub(crate) fn called_at(&self, moment: Moment, has_squads: bool) -> Called {
        let does = called_at(moment, has_squads);
        decided!(self, Called { moment, has_squads, does });
        does
    }

    /// [`calls_one`].
    pub(crate) fn calls_one(&self, things: usize, idle: usize, asleep: usize) -> bool {
        let does = calls_one(things, idle, asleep);
        decided!(self, CallsOne { things, idle, asleep, does });
        does
    }

    /// [`looks_across`].
    pub(crate) fn looks_across(&self, is_head: bool, is_busy: bool) -> bool {
        let does = looks_across(is_head, is_busy);
        decided!(self, LooksAcross { is_head, is_busy, does });
        does
    }
}

#[cfg(filch_decisions = "tested")]
impl Record {
    fn add(&self, decision: Decision) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(decision);
    }

    pub(crate) fn to_vec(&self) -> Vec<Decision> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

/// A question of a decision that is asked only if the answer matters. Keeps the answer.
fn keeping(answer: &Cell<Option<bool>>, question: impl FnOnce() -> bool) -> impl FnOnce() -> bool {
    || {
        let answered = question();
        answer.set(Some(answered));
        answered
    }
}

#[cfg(filch_decisions = "tested")]
mod tested {
    use filch_policy::{Approach, Called, Costs, Fork, Gift, Gifts, Moment, Paid, Silence, Victim, Wish};

    /// A decision. `does` is what the runtime has done. A question that a decision asks only if the answer matters is
    /// an `Option`: the answer, if it was asked.
    #[allow(missing_docs)]
    #[derive(Clone, Copy, Debug)]
    pub enum Decision {
        /// `Rules::approach`. `takes` says whether taking was possible then; so in `GivesUp`.
        Approach { victim: usize, seen: Victim, asks_again_ns: u64, takes: bool, now_ns: u64, does: Approach },
        /// `Rules::gives_up`.
        GivesUp { waited_ns: u64, paid: Paid, takes: bool, now_ns: u64, has_others: Option<bool>, does: bool },
        /// `Rules::silence`.
        Silence { victim: usize, now_ns: u64, does: Silence },
        /// `Rules::back_off_ns`. The worker does not ask before `asks_again_ns`.
        BackOff { refusals: u64, asks_again_ns: u64, does: u64 },
        /// `Rules::interrupt`, in the record of the victim.
        Interrupt { paid: Paid, now_ns: u64, does: Option<Paid> },
        /// `Gifts::choose`. Tasks are numbers.
        Gift { gifts: Gifts<u64>, wants: Option<u64>, does: Gift },
        /// `Rules::give`, spent.
        SpendGift { paid_ns: u64, now_ns: u64, does: Option<u64> },
        /// `Rules::leaves`.
        Leaves { is_anybody_idle: bool, does: bool },
        /// `Fork::at_first`.
        FirstFork { forks_across: bool, may_leave: Option<bool>, does: Fork },
        /// `Fork::at_mark`.
        MarkedFork { wish: Wish, forks_across: bool, may_leave: Option<bool>, is_watched: Option<bool>, does: Fork },
        /// `begins_eager`.
        BeginsEager { leaves: bool, forks_across: bool, does: bool },
        /// `Beat::is_due`. If it is due and is spent or given, the last beat was at `now_ns` from then on.
        BeatIsDue { last_ns: u64, now_ns: u64, does: bool },
        /// No decision: the worker has noticed a beat, which moves its last beat to `now_ns`.
        BeatNoticed { now_ns: u64 },
        /// `called_at`.
        Called { moment: Moment, has_squads: bool, does: Called },
        /// `calls_one`.
        CallsOne { things: usize, idle: usize, asleep: usize, does: bool },
        /// `looks_across`.
        LooksAcross { is_head: bool, is_busy: bool, does: bool },
    }

    /// What a pool has decided since it was built.
    #[derive(Debug)]
    pub struct Decisions {
        /// What its rules were made of, beside its scheduler.
        pub costs: Costs,
        /// Whether it may take.
        pub taking: bool,
        /// The decisions about each worker, in order. Those about its beat come last.
        pub workers: Vec<Vec<Decision>>,
        /// Those about all of them: who is called, and which squad looks for an inter-socket task.
        pub team: Vec<Decision>,
    }
}
