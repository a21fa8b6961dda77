//! Decisions, recorded with all that they were made from. A test makes them again and compares
//! (`crates/filch-sim/tests/simulator/tested/replay.rs`).
//!
//! `decided!(record, Kind { .. })` adds a `Decision` to a record where the runtime is built with
//! `--cfg filch_decisions="tested"`. In any other build it is nothing, and there are no records. A record belongs to
//! whoever has the state that its decisions depend on: an interruption is in the record of the victim, whose account it
//! charges, under the lock that makes these charges follow each other.

/// Records a decision.
#[cfg(not(filch_decisions = "tested"))]
macro_rules! decided {
    ($record:expr, $($decision:tt)*) => {};
}

/// Records a decision.
#[cfg(filch_decisions = "tested")]
macro_rules! decided {
    ($record:expr, $($decision:tt)*) => {
        $record.add($crate::decisions::Decision::$($decision)*)
    };
}

#[cfg(not(loom))]
use std::cell::Cell;

/// A question of a decision that is asked only if the answer matters. Keeps the answer.
#[cfg(not(loom))]
pub(crate) fn keeping(answer: &Cell<Option<bool>>, question: impl FnOnce() -> bool) -> impl FnOnce() -> bool {
    || {
        let answered = question();
        answer.set(Some(answered));
        answered
    }
}

#[cfg(filch_decisions = "tested")]
pub(crate) use tested::Record;
#[cfg(filch_decisions = "tested")]
pub use tested::{Decision, Decisions};

#[cfg(filch_decisions = "tested")]
mod tested {
    use filch_policy::{Approach, Called, Costs, Fork, Gift, Gifts, Moment, Paid, Silence, Victim, Wish};
    use std::sync::{Mutex, PoisonError};

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

    impl Decision {
        /// A choice of a gift, with tasks that are numbers.
        pub(crate) fn gift<T>(gifts: Gifts<T>, wants: Option<T>, number: impl Fn(T) -> u64, does: Gift) -> Self {
            let numbered = |task: Option<T>| task.map(&number);
            let gifts = Gifts {
                oldest: gifts.oldest.map(numbered),
                popped: gifts.popped.map(|(task, left)| (numbered(task), left)),
            };
            Decision::Gift { gifts, wants: wants.map(&number), does }
        }

        /// A gift that is paid for by no account.
        pub(crate) fn unlimited_gift() -> Self {
            Decision::SpendGift { paid_ns: 0, now_ns: 0, does: Some(0) }
        }

        /// An interruption that is paid for by no account.
        pub(crate) fn unlimited_interrupt() -> Self {
            let paid = Paid { victim_ns: 0, barriers_ns: 0 };
            Decision::Interrupt { paid, now_ns: 0, does: Some(paid) }
        }
    }

    /// Decisions in the order in which they were made.
    #[derive(Default)]
    pub(crate) struct Record(Mutex<Vec<Decision>>);

    impl Record {
        pub(crate) fn add(&self, decision: Decision) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(decision);
        }

        pub(crate) fn to_vec(&self) -> Vec<Decision> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
        }
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
