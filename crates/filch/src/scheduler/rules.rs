//! What a scheduler comes to on this machine: the numbers that slow paths consult.

use super::{Costs, Preset, Scheduler, Wait};
use crate::sync::clock;

/// The period N is this many times the cost of what it limits, which bounds the overhead by a twentieth (heartbeat.txt,
/// section 5.1).
const PERIOD_PER_COST: u32 = 20;

/// Whom a barrier interrupts loses about so large a part of what the take costs the thief: some 4 of 15 microseconds on
/// a virtual machine.
const PART_OF_THE_INTERRUPTED: u64 = 4;

/// The rules of one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether an idle worker asks a busy one.
    pub(crate) asks: bool,
    /// Whether it takes: at once where it does not ask, else once its patience has run out.
    pub(crate) takes: bool,
    /// How long an asker waits for the reply, in nanoseconds.
    pub(crate) patience_ns: u64,
    /// N for giving: within it a worker answers one ask.
    pub(crate) give_period_ns: u64,
    /// N for taking: within it a worker is taken from once.
    pub(crate) take_period_ns: u64,
    /// N for barriers: within it all running workers of the process are interrupted once, whoever is taken from.
    pub(crate) barrier_period_ns: u64,
    /// Whether a waiting worker runs whatever it finds.
    pub(crate) waits_for_any: bool,
    /// The seed, where one thread plays all workers.
    pub(crate) chaos: Option<u64>,
}

/// How long an asker that never takes waits before it rests and asks again.
const PATIENCE_OF_THE_PATIENT_NS: u64 = 100_000;

impl Rules {
    /// The rules of `scheduler`, where giving and taking cost what `costs` says, and taking may be impossible.
    pub(crate) fn new(scheduler: &Scheduler, costs: Costs, taking_is_possible: bool) -> Self {
        let ns = |time: Option<std::time::Duration>, otherwise| clock::as_ns(time.unwrap_or(otherwise));
        let takes = scheduler.takes(taking_is_possible);
        let patience = match scheduler.patience {
            // Waiting as long as a take costs is never more than twice as bad as knowing the answer beforehand.
            None => clock::as_ns(costs.take),
            Some(None) => PATIENCE_OF_THE_PATIENT_NS,
            Some(Some(patience)) => clock::as_ns(patience),
        };
        let take_period_ns = ns(scheduler.period, costs.take * PERIOD_PER_COST);
        Rules {
            asks: scheduler.preset == Preset::Default,
            takes,
            patience_ns: if takes { patience } else { PATIENCE_OF_THE_PATIENT_NS },
            give_period_ns: ns(scheduler.period, costs.give * PERIOD_PER_COST),
            take_period_ns,
            // No longer than that costs, however seldom this pool's own workers are taken from: other pools take, too.
            barrier_period_ns: take_period_ns.min(ns(None, costs.take * PERIOD_PER_COST)) / PART_OF_THE_INTERRUPTED,
            waits_for_any: scheduler.wait == Wait::Any,
            chaos: scheduler.seed(),
        }
    }

    /// The N that a user is told of.
    pub(crate) fn period_ns(&self) -> u64 {
        if self.asks { self.give_period_ns } else { self.take_period_ns }
    }
}
