//! What a worker gives: to whom who asks, and to nobody in particular while others have nothing to do.
//!
//! Decided from whose the oldest frame is, what the asker wants, and how often the worker has given lately. The oldest
//! frame goes first, because it is likely to be the largest (Yasugi et al. 2012, section 2.2; Acar and others
//! 2018, section 2). To give without being asked spreads work that begins while many sleep: one by one the last of 64
//! workers would begin milliseconds after the first.
//!
//! Tasks are named by any type that can be compared. An asker that waits for a branch wants a part of that and nothing
//! else; one that waits for nothing takes what comes.

use crate::rules::Rules;

/// What an asked worker gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gift {
    /// Nothing.
    Nothing,
    /// The oldest frame on its ladder, or a part of that.
    Oldest,
    /// Half of what is left of the loop that it is in, whose frame it has just removed from the ladder.
    Half,
}

/// What an asked worker could give: for each whose it is, the task that it belongs to, if to any.
#[derive(Clone, Copy, Debug)]
pub struct Gifts<T> {
    /// The oldest frame on the ladder, if there is one.
    pub oldest: Option<Option<T>>,
    /// The loop that it is in, if that can be halved.
    pub popped: Option<Option<T>>,
}

/// Whether a frame of `holder` is what somebody wants who `wants` a part of one task, or whatever there is.
pub fn is_wanted<T: PartialEq>(wants: Option<T>, holder: Option<T>) -> bool {
    wants.is_none() || wants == holder
}

/// Whether a ladder is left alone by one who `wants` that, because its worker has left something that is older:
/// whoever comes finds that without asking or interrupting anybody.
pub fn leaves_alone<T>(wants: Option<T>, has_left: bool) -> bool {
    wants.is_none() && has_left
}

impl<T: Copy + PartialEq> Gifts<T> {
    /// What goes to an asker that `wants` that.
    pub fn choose(self, wants: Option<T>) -> Gift {
        let oldest = self.oldest.map(|holder| (Gift::Oldest, holder));
        match oldest.or(self.popped.map(|holder| (Gift::Half, holder))) {
            Some((gift, holder)) if is_wanted(wants, holder) => gift,
            _ => Gift::Nothing,
        }
    }
}

impl Rules {
    /// Whether a worker that forks leaves something for others at once, if it may give again: somebody has nothing to
    /// do. Where nobody asks, nobody looks for what has been left either.
    pub fn leaves(&self, is_anybody_idle: bool) -> bool {
        self.asks() && is_anybody_idle
    }
}

/// Whether to wake one of those who sleep, for so many `things` that lie where whoever comes finds them: of all that
/// are `idle`, those who are not `asleep` are about to find one each.
pub fn calls_one(things: usize, idle: usize, asleep: usize) -> bool {
    idle < asleep + things
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    #[test]
    fn the_oldest_goes_before_half_a_loop_and_only_to_whom_it_belongs() {
        let gifts = |oldest, popped| Gifts { oldest, popped };
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(None), Gift::Oldest);
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(Some(1)), Gift::Oldest);
        assert_eq!(gifts(Some(Some(1)), Some(Some(2))).choose(Some(2)), Gift::Nothing, "it is behind an older one");
        assert_eq!(gifts(None, Some(Some(2))).choose(Some(2)), Gift::Half);
        assert_eq!(gifts(Some(None), None).choose(Some(2)), Gift::Nothing, "it is nobody's part");
        assert_eq!(gifts(None::<Option<u8>>, None).choose(None), Gift::Nothing);
    }

    #[test]
    fn something_is_left_while_somebody_is_idle_where_workers_ask() {
        let leaves = |scheduler: &str, is_anybody_idle| {
            Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true).leaves(is_anybody_idle)
        };
        assert!(leaves("default", true) && !leaves("default", false) && !leaves("cilk5", true));
    }

    #[test]
    fn one_more_is_called_if_fewer_look_than_things_lie_there() {
        assert!(calls_one(2, 4, 3) && !calls_one(1, 4, 3));
        assert!(!calls_one(0, 3, 3));
    }
}
