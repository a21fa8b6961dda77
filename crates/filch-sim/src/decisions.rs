//! The decisions, as the simulator asks for them.
//!
//! [`Rules`] makes them, by the functions of `filch-policy` that the runtime calls. Every method passes its arguments
//! on and nothing else. The trait is there for tests: a mutant overrides one of them, and the counts of the simulator
//! must show it.

use filch_policy::{Approach, Gift, Gifts, Paid, Rules, Silence, Victim};

/// What a worker decides.
pub trait Decisions {
    /// The rules of the pool, for what is not listed here.
    fn rules(&self) -> &Rules;

    /// What a thief does with another worker: [`Rules::approach`].
    fn approach(&self, victim: &Victim, asks_again_ns: u64, now_ns: u64) -> Approach {
        self.rules().approach(victim, asks_again_ns, now_ns)
    }

    /// What an asked worker gives: [`Gifts::choose`].
    fn gift<T: Copy + PartialEq>(&self, gifts: Gifts<T>, wants: Option<T>) -> Gift {
        gifts.choose(wants)
    }

    /// Which of its frames, counted from the oldest, [`Gift::Oldest`] means.
    fn oldest_of(&self, _frames: usize) -> usize {
        0
    }

    /// Whether the credit of a worker allows it to give ([`Rules::give`]), and the time up to which its gifts are then
    /// paid for.
    fn spend_gift(&self, paid_ns: u64, now_ns: u64) -> Option<u64> {
        let credit = self.rules().give();
        if credit.is_unlimited() { Some(paid_ns) } else { credit.spend(paid_ns, now_ns) }
    }

    /// Whether a take may interrupt its victim: [`Rules::interrupt`].
    fn interrupt(&self, paid: Paid, now_ns: u64) -> Option<Paid> {
        self.rules().interrupt(paid, now_ns)
    }

    /// How long a refused asker waits: [`Rules::back_off_ns`].
    fn back_off_ns(&self, refusals: u64) -> u64 {
        self.rules().back_off_ns(refusals)
    }

    /// Whether an asker withdraws: [`Rules::gives_up`].
    fn gives_up(&self, waited_ns: u64, paid: Paid, now_ns: u64, has_others: impl FnOnce() -> bool) -> bool {
        self.rules().gives_up(waited_ns, paid, now_ns, has_others)
    }

    /// The silence after an ask without an answer: [`Rules::silence`].
    fn silence(&self, now_ns: u64) -> Silence {
        self.rules().silence(now_ns)
    }

    /// Whether a fork leaves its frame for others: [`Rules::leaves`].
    fn leaves(&self, is_anybody_idle: bool) -> bool {
        self.rules().leaves(is_anybody_idle)
    }
}

impl Decisions for Rules {
    fn rules(&self) -> &Rules {
        self
    }
}
