//! How long an asker waits for the answer, and what it does meanwhile.
//!
//! Decided from how long it has waited, and from what it could do instead. Waiting as long as a take costs is never
//! more than twice as bad as knowing the answer beforehand: the argument of ski rental.

use crate::rules::Rules;

/// Looks at the mailbox between two looks at the clock.
pub const LOOKS_PER_CLOCK: u32 = 16;

/// How long an asker keeps its processor to itself.
const SPIN_NS: u64 = 50_000;

impl Rules {
    /// Whether an asker that has waited for so long takes its ask back at `now_ns`. It could take instead, if its
    /// victim may be interrupted, which is paid for up to `takes_paid_ns`; `has_others`: there are others to ask.
    pub fn gives_up(&self, waited_ns: u64, takes_paid_ns: u64, now_ns: u64, has_others: impl FnOnce() -> bool) -> bool {
        waited_ns >= self.patience_ns()
            && (!self.takes() || self.may_be_taken_from(takes_paid_ns, now_ns) || has_others())
    }
}

/// Whether an asker that has waited for so long leaves its processor to others between two looks. `can_withdraw`: the
/// ask has not been accepted yet. Once it has, the reply is on its way, or late, from a thread that may not be
/// running.
pub fn yields_to_victim(waited_ns: u64, can_withdraw: bool) -> bool {
    waited_ns > SPIN_NS || !can_withdraw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    fn rules(scheduler: &str) -> Rules {
        Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true)
    }

    /// Paid for so far ahead that the victim may not be interrupted.
    const TIRED: u64 = u64::MAX;

    #[test]
    fn who_cannot_take_yet_goes_on_asking_unless_there_are_others() {
        let default = rules("default");
        let patience = default.patience_ns();
        assert!(!default.gives_up(patience - 1, 0, 0, || true));
        assert!(default.gives_up(patience, 0, 0, || false) && default.gives_up(patience, TIRED, 0, || true));
        assert!(!default.gives_up(patience, TIRED, 0, || false));
        let never = rules("default,patience=never");
        assert!(never.gives_up(never.patience_ns(), TIRED, 0, || false), "it rests and asks again");
    }

    #[test]
    fn an_asker_yields_once_it_has_waited_for_long_or_must_collect() {
        assert!(!yields_to_victim(SPIN_NS, true) && yields_to_victim(SPIN_NS + 1, true));
        assert!(yields_to_victim(0, false));
    }
}
