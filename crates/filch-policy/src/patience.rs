//! How long an asker waits for the answer, and what it does meanwhile.
//!
//! Decided from how long it has waited, and from what it could do instead. If an asker waits as long as a take costs
//! and then takes, it spends at most twice the time that it would spend if it knew beforehand whether an answer will
//! come. This is the argument of the ski rental problem.

use crate::interrupt::Paid;
use crate::rules::Rules;
use std::time::Duration;

/// How often an asker looks at its mailbox between two looks at the clock.
pub const LOOKS_PER_CLOCK: u32 = 16;

/// How long a thread that cannot work looks before it sleeps.
const OUTSIDE_NS: u64 = 2_000;

/// How long an asker spins before it yields its processor to other threads.
const SPIN_NS: u64 = 50_000;

/// The shortest and the longest nap of an asker. The reply wakes it. It naps so that it notices, between two naps, what
/// it could have without asking, and has the time of a wake-up for that every now and then.
const SHORTEST_NAP_NS: u64 = 1_000_000;
const LONGEST_NAP_NS: u64 = 8_000_000;

/// How long an asker that never takes waits for one victim, if there are others.
const ONE_VICTIM_NS: u64 = 10_000_000;

impl Rules {
    /// Whether an asker that has waited for this long gives up at `now_ns`. It never does before its patience is over.
    /// After that it does if it may take from the victim, for which interruptions are `paid` so far, or if other
    /// workers have something to share (`has_others`). Otherwise it goes on looking for the answer. An asker that never
    /// takes gives up in any case, and then [naps](Self::naps_asking) or withdraws its ask, as all others do.
    pub fn gives_up(&self, waited_ns: u64, paid: Paid, now_ns: u64, has_others: impl FnOnce() -> bool) -> bool {
        waited_ns >= self.patience_ns() && (!self.takes() || self.interrupt(paid, now_ns).is_some() || has_others())
    }
}

impl Rules {
    /// How an asker goes on that [gives up](Self::gives_up) after it has waited for this long. One that never takes
    /// depends on the reply, which comes when the victim returns. If it withdrew and rested, it would miss most returns
    /// of workers whose leaves are long. So it leaves its ask there, and naps until the reply comes (in the papers on
    /// Tascell it waits for the reply, too). `has_task` says that there is something that it can have without asking,
    /// or that nobody else can do, and `has_others` that there are other victims. Returns `None` if it withdraws.
    pub fn naps_asking(
        &self,
        waited_ns: u64,
        has_task: impl FnOnce() -> bool,
        has_others: impl FnOnce() -> bool,
    ) -> Option<Duration> {
        let is_over = self.takes() || has_task() || waited_ns >= ONE_VICTIM_NS && has_others();
        (!is_over).then(|| Duration::from_nanos(waited_ns.clamp(SHORTEST_NAP_NS, LONGEST_NAP_NS)))
    }
}

/// Whether an asker that has waited for this long yields its processor between two looks. `can_withdraw` says that the
/// victim has not accepted the ask yet. Once it has, the answer will come soon, or it is late because the thread of the
/// victim is not running.
pub fn yields_to_victim(waited_ns: u64, can_withdraw: bool) -> bool {
    waited_ns > SPIN_NS || !can_withdraw
}

/// Whether a thread that waits for tasks, and cannot run them, still looks whether they are done after so long. Then it
/// sleeps. Short calls in a row meet a worker that is awake, and are over by then. Where there are as many workers as
/// processors, a thread that looked for longer would keep a worker from running.
pub fn awaits_end(waited_ns: u64) -> bool {
    waited_ns < OUTSIDE_NS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    fn rules(scheduler: &str) -> Rules {
        Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true)
    }

    const RESTED: Paid = Paid { victim_ns: 0, barriers_ns: 0 };

    /// Interruptions are paid for so far ahead that the victim may not be interrupted, or no worker.
    const TIRED: [Paid; 2] = [Paid { victim_ns: u64::MAX, ..RESTED }, Paid { barriers_ns: u64::MAX, ..RESTED }];

    #[test]
    fn who_cannot_take_yet_goes_on_asking_unless_there_are_others() {
        let default = rules("default");
        let patience = default.patience_ns();
        assert!(!default.gives_up(patience - 1, RESTED, 0, || true));
        assert!(default.gives_up(patience, RESTED, 0, || false));
        let never = rules("default,patience=never");
        for tired in TIRED {
            assert!(default.gives_up(patience, tired, 0, || true) && !default.gives_up(patience, tired, 0, || false));
            assert!(never.gives_up(never.patience_ns(), tired, 0, || false), "it rests and asks again");
        }
    }

    #[test]
    fn who_never_takes_waits_for_the_reply_unless_there_is_something_else() {
        let naps = |scheduler, waited_ns, has_task, has_others| {
            rules(scheduler).naps_asking(waited_ns, || has_task, || has_others).map(|nap| nap.as_nanos())
        };
        assert_eq!(naps("tascell", 100_000, false, true), Some(1_000_000));
        assert_eq!(naps("tascell", u64::MAX, false, false), Some(8_000_000));
        assert_eq!(naps("tascell", 100_000, true, false), None);
        assert_eq!(naps("tascell", ONE_VICTIM_NS, false, true), None);
        assert_eq!(naps("default", 100_000, false, false), None);
        assert_eq!(naps("default,patience=never", 100_000, false, false), Some(1_000_000));
    }

    #[test]
    fn an_asker_yields_once_it_has_waited_for_long_or_must_collect() {
        assert!(!yields_to_victim(SPIN_NS, true) && yields_to_victim(SPIN_NS + 1, true));
        assert!(yields_to_victim(0, false));
    }

    #[test]
    fn a_thread_that_waits_outside_soon_sleeps() {
        assert!(awaits_end(OUTSIDE_NS - 1) && !awaits_end(OUTSIDE_NS));
    }
}
