//! What a thief does about a worker that has something to share.

use super::Rules;

/// What it sees of that worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Victim {
    pub(crate) word: Word,
    /// From when on it may give again.
    pub(crate) gives_from_ns: u64,
    /// From when on it may be interrupted again.
    pub(crate) taken_from_ns: u64,
    /// Until when it is taken for one that does not answer: it has not, a short while ago.
    pub(crate) silent_until_ns: u64,
    /// Until when workers of this team are, on the whole.
    pub(crate) team_silent_until_ns: u64,
}

/// Whether a worker can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// It would not answer.
    Closed,
    Open,
    /// Somebody is asking already.
    Asked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approach {
    Ask,
    Take,
    /// Look elsewhere.
    Leave,
}

impl Rules {
    /// What to do about `victim` at `now_ns`.
    pub(crate) fn approach(&self, victim: &Victim, now_ns: u64) -> Approach {
        let take_or = |otherwise| if self.takes && now_ns >= victim.taken_from_ns { Approach::Take } else { otherwise };
        if !self.asks {
            return take_or(Approach::Leave);
        }
        let ask = if now_ns < victim.gives_from_ns { Approach::Leave } else { Approach::Ask };
        match victim.word {
            // Its occupant is not there to answer.
            Word::Closed => take_or(Approach::Leave),
            _ if now_ns < victim.silent_until_ns => take_or(Approach::Leave),
            Word::Open if now_ns < victim.team_silent_until_ns => take_or(ask),
            Word::Open => ask,
            Word::Asked if now_ns < victim.team_silent_until_ns => take_or(Approach::Leave),
            Word::Asked => Approach::Leave,
        }
    }

    /// Whether an asker that has waited for so long takes its ask back. `may_take`: it could take instead;
    /// `has_others`: there are others to ask.
    pub(crate) fn gives_up(&self, waited_ns: u64, may_take: bool, has_others: impl FnOnce() -> bool) -> bool {
        waited_ns >= self.patience_ns && (may_take || !self.takes || has_others())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Costs, Scheduler};
    use super::*;
    use std::time::Duration;

    fn rules(scheduler: &str) -> Rules {
        let scheduler: Scheduler = scheduler.parse().expect("a scheduler");
        Rules::new(&scheduler, Costs { give: Duration::from_nanos(700), take: Duration::from_micros(15) }, true)
    }

    const BUSY: Victim =
        Victim { word: Word::Open, gives_from_ns: 0, taken_from_ns: 0, silent_until_ns: 0, team_silent_until_ns: 0 };

    #[test]
    fn a_busy_worker_is_asked_and_a_silent_one_taken_from() {
        let default = rules("default");
        assert_eq!(default.approach(&BUSY, 100), Approach::Ask);
        assert_eq!(default.approach(&Victim { silent_until_ns: 101, ..BUSY }, 100), Approach::Take);
        assert_eq!(default.approach(&Victim { team_silent_until_ns: 101, ..BUSY }, 100), Approach::Take);
        assert_eq!(default.approach(&Victim { word: Word::Closed, ..BUSY }, 100), Approach::Take);
    }

    #[test]
    fn nobody_is_asked_or_interrupted_before_its_time() {
        let default = rules("default");
        assert_eq!(default.approach(&Victim { gives_from_ns: 101, ..BUSY }, 100), Approach::Leave);
        let tired = Victim { taken_from_ns: 101, ..BUSY };
        assert_eq!(rules("cilk5").approach(&tired, 100), Approach::Leave);
        assert_eq!(default.approach(&Victim { word: Word::Closed, ..tired }, 100), Approach::Leave);
        assert_eq!(default.approach(&Victim { team_silent_until_ns: 101, ..tired }, 100), Approach::Ask);
    }

    #[test]
    fn one_asks_at_a_time_unless_nobody_answers() {
        let default = rules("default");
        assert_eq!(default.approach(&Victim { word: Word::Asked, ..BUSY }, 100), Approach::Leave);
        let silent = Victim { word: Word::Asked, team_silent_until_ns: 101, ..BUSY };
        assert_eq!(default.approach(&silent, 100), Approach::Take);
        assert_eq!(rules("default,patience=never").approach(&silent, 100), Approach::Leave);
    }

    #[test]
    fn who_cannot_take_yet_goes_on_asking_unless_there_are_others() {
        let default = rules("default");
        let patience = default.patience_ns;
        assert!(!default.gives_up(patience - 1, true, || true));
        assert!(default.gives_up(patience, true, || false) && default.gives_up(patience, false, || true));
        assert!(!default.gives_up(patience, false, || false));
        let never = rules("default,patience=never");
        assert!(never.gives_up(never.patience_ns, false, || false), "it rests and asks again");
    }
}
