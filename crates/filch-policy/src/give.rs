//! What a worker gives: to a worker that asks, and without being asked while other workers have nothing to do.
//!
//! Decided from the task that the oldest frame belongs to, from what the asker wants, and from how often the worker has
//! given lately. The oldest frame goes first, because it is likely to be the largest (Yasugi, Hiraishi, Umatani and
//! Yuasa 2012, section 2.2; Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 2). Giving without being
//! asked spreads work that begins while many workers sleep. If 64 workers got work one by one, the last would begin
//! milliseconds after the first.
//!
//! Tasks may be named by any type that can be compared. An asker that waits for a branch wants a part of that branch
//! and nothing else. An asker that waits for nothing takes any frame.

use crate::credit::{BURST, Credit};
use crate::rules::Rules;

/// What an asked worker gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// Nothing.
    Nothing,
    /// The oldest frame on its ladder, or a part of that frame.
    Oldest,
    /// Half of what is left of the loop that the worker is running. It has just removed the frame of that loop from the
    /// ladder.
    Half,
}

/// How much is left of a frame that can be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// A piece that cannot be divided further.
    One,
    /// More than one piece, but so little, or an unknown amount, that an owner which is about to go on with it gives
    /// half of it away only if it must.
    Some,
    /// So much that the owner may give half of it away at any time.
    Plenty,
}

impl Left {
    /// Whether a worker that is about to begin the frame leaves half of it for idle workers.
    pub fn can_be_left(self) -> bool {
        self > Left::One
    }
}

/// What an asked worker could give. The inner option is the task that the frame belongs to, if it belongs to one.
#[derive(Clone, Copy, Debug)]
pub struct Gifts<T> {
    /// The oldest frame on the ladder, if there is one.
    pub oldest: Option<Option<T>>,
    /// The loop that the worker is running, and how much is left of it. The worker has just removed its frame from the
    /// ladder.
    pub popped: Option<(Option<T>, Left)>,
}

/// Whether a worker that comes back to the frame of its spawn loop answers an ask now. If there is an older frame, that
/// goes. Otherwise the answer waits until the worker has its next item in hand. If it gave away what is left before
/// that, it would have nothing to do.
pub fn answers_before_next_item(has_older: bool) -> bool {
    has_older
}

/// Whether a worker that `wants` a part of one task, or anything if `None`, wants a frame that belongs to task
/// `holder`.
pub fn is_wanted<T: PartialEq>(wants: Option<T>, holder: Option<T>) -> bool {
    wants.is_none() || wants == holder
}

/// Whether a thief that `wants` this leaves a ladder alone. A thief that would take anything does so if the owner of
/// the ladder has left a frame on its shelf. That frame is older, and the thief gets it without asking or interrupting
/// a worker.
pub fn leaves_alone<T>(wants: Option<T>, has_left: bool) -> bool {
    wants.is_none() && has_left
}

impl<T: Copy + PartialEq> Gifts<T> {
    /// Chooses what to give to an asker that `wants` this.
    pub fn choose(self, wants: Option<T>) -> Gift {
        let oldest = self.oldest.map(|holder| (Gift::Oldest, holder));
        let popped = self.popped.filter(|&(_, left)| left == Left::Plenty);
        match oldest.or(popped.map(|(holder, _)| (Gift::Half, holder))) {
            Some((gift, holder)) if is_wanted(wants, holder) => gift,
            _ => Gift::Nothing,
        }
    }
}

impl Rules {
    /// Whether a worker that forks leaves a frame for others at once, if its credit allows it to give. It does so while
    /// some worker is idle. `default` and `cab` do; others that share unasked have rules of their own.
    pub fn leaves(&self, is_anybody_idle: bool) -> bool {
        self.is_eager() && is_anybody_idle && !mistake!(self, NeverLeaves)
    }

    /// Whether a procedure of a worker whose latest child has left for another one leaves the next child, too, and goes
    /// ahead to the one behind it, though no worker is idle at this moment: children that last long keep it from coming
    /// back, and others would wait for it. It does so while there are fewer things on its shelf than other workers.
    /// Returns up to when gifts are paid for then; as many as there are workers may follow each other.
    pub fn leaves_ahead(&self, kept: usize, workers: usize, paid_ns: u64, now_ns: impl FnOnce() -> u64) -> Option<u64> {
        if !self.leaves(true) || kept + 1 >= workers {
            return None;
        }
        if self.give().is_unlimited() {
            return Some(paid_ns);
        }
        Credit::new(self.give().period_ns(), BURST.max(workers as u64)).spend(paid_ns, now_ns())
    }
}

/// Whether to wake a sleeping worker because there are `things` that any worker may pick up. Of the `idle` workers,
/// those that are not `asleep` are looking for work and will find one thing each.
pub fn calls_one(things: usize, idle: usize, asleep: usize) -> bool {
    idle < asleep + things
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    #[test]
    fn the_oldest_goes_before_half_a_loop_and_only_to_whom_it_belongs() {
        let gifts =
            |oldest, popped: Option<Option<i32>>| Gifts { oldest, popped: popped.map(|task| (task, Left::Plenty)) };
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(None), Gift::Oldest);
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(Some(1)), Gift::Oldest);
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(Some(2)), Gift::Nothing, "an older frame hides it");
        assert_eq!(gifts(None, Some(Some(2))).choose(Some(2)), Gift::Half);
        assert_eq!(gifts(Some(None), None).choose(Some(2)), Gift::Nothing, "it belongs to no task");
        assert_eq!(gifts(None, None).choose(None), Gift::Nothing);
        for left in [Left::Nothing, Left::One, Left::Some] {
            assert_eq!(Gifts { oldest: None, popped: Some((Some(2), left)) }.choose(None), Gift::Nothing, "{left:?}");
        }
    }

    #[test]
    fn something_is_left_while_a_worker_is_idle_under_the_default() {
        let leaves = |scheduler: &str, is_anybody_idle| {
            Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true).leaves(is_anybody_idle)
        };
        assert!(leaves("default", true) && !leaves("default", false));
        assert!(!leaves("cilk5", true) && !leaves("tascell", true) && !leaves("heartbeat", true));
    }

    #[test]
    fn a_procedure_leaves_a_child_to_each_worker_and_then_waits_for_its_credit() {
        let rules = |scheduler: &str| Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true);
        let leaves = |scheduler: &str, workers| {
            let (rules, mut paid_ns) = (rules(scheduler), 0);
            let leave = |kept| rules.leaves_ahead(kept, workers, paid_ns, || 1_000_000).map(|paid| paid_ns = paid);
            (0..100).map_while(leave).count()
        };
        assert_eq!([1, 2, 50].map(|workers| leaves("default", workers)), [0, 1, 49]);
        assert_eq!(leaves("cilk5", 4) + leaves("tascell", 4) + leaves("heartbeat", 4), 0);
        let again = |paid_ns| rules("default").leaves_ahead(0, 16, paid_ns, || 1_000_000);
        let period_ns = rules("default").give().period_ns();
        assert!(again(1_000_000 + 15 * period_ns).is_some() && again(1_000_001 + 15 * period_ns).is_none());
    }

    #[test]
    fn one_more_is_called_if_fewer_look_than_things_lie_there() {
        assert!(calls_one(2, 4, 3) && !calls_one(1, 4, 3));
        assert!(!calls_one(0, 3, 3));
    }
}
