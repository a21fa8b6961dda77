//! What a thief does about a worker that has something to share: ask, take, or look elsewhere.
//!
//! Decided from the rules and from what is known about that worker: whether it can be asked, how often it has given and
//! been interrupted lately, and whether it answers. A busy worker is asked first, which costs it nothing until its next
//! return (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2). If it does not answer, the thief takes from it
//! (Frigo, Leiserson and Randall 1998, section 5). The thief also takes from a worker that waits, because the ask word
//! of such a worker is closed. Whether it may take depends on all accounts that the take would have to pay: a thief
//! that looked at that of its victim only would set out to take, again and again, while the barriers of the process are
//! used up, and would not ask meanwhile.

use crate::interrupt::Paid;
use crate::rules::Rules;

/// What a thief sees of the other worker, its victim.
#[derive(Clone, Copy, Debug)]
pub struct Victim {
    /// Whether it can be asked.
    pub word: Word,
    /// The time up to which its gifts are paid for.
    pub gives_paid_ns: u64,
    /// The time up to which interruptions are paid for: those of the victim, and the barriers of all thieves.
    pub takes_paid: Paid,
    /// The time until which it counts as silent, because it has not answered an ask a short while ago.
    pub silent_until_ns: u64,
    /// The time until which all workers of its team count as silent.
    pub team_silent_until_ns: u64,
}

/// Whether a worker can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// No: it would not answer.
    Closed,
    /// Yes.
    Open,
    /// No: another worker has asked it already.
    Asked,
}

/// What a thief does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// It asks, and waits as long as its [patience](Rules::gives_up) lasts.
    Ask,
    /// It takes.
    Take,
    /// It looks elsewhere.
    Leave,
}

/// Until when no answer is expected, after an ask that was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Until when this victim counts as silent.
    pub victim_until_ns: u64,
    /// Until when its team does. Other workers are likely to be in the same kind of leaf.
    pub team_until_ns: u64,
}

impl Rules {
    /// What a thief does about `victim` at `now_ns`. A thief that was refused does not ask before `asks_again_ns`
    /// ([`back_off_ns`](Self::back_off_ns)).
    pub fn approach(&self, victim: &Victim, asks_again_ns: u64, now_ns: u64) -> Approach {
        let may_take = self.takes() && self.interrupt(victim.takes_paid, now_ns).is_some();
        let take_or = |otherwise| if may_take { Approach::Take } else { otherwise };
        if !self.asks() {
            return take_or(Approach::Leave);
        }
        let gives = now_ns >= self.give().allowed_from(victim.gives_paid_ns);
        let ask = if gives && now_ns >= asks_again_ns { Approach::Ask } else { Approach::Leave };
        match victim.word {
            // The worker waits or is away, and would not answer.
            Word::Closed => take_or(Approach::Leave),
            _ if now_ns < victim.silent_until_ns => take_or(Approach::Leave),
            Word::Open if now_ns < victim.team_silent_until_ns => take_or(ask),
            Word::Open => ask,
            Word::Asked if now_ns < victim.team_silent_until_ns => take_or(Approach::Leave),
            Word::Asked => Approach::Leave,
        }
    }

    /// The silence to note when a victim has not answered by `now_ns`.
    pub fn silence(&self, now_ns: u64) -> Silence {
        Silence {
            victim_until_ns: now_ns.saturating_add(self.give().period_ns()),
            team_until_ns: now_ns.saturating_add(self.take().period_ns()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    /// The period is 10 ns. A credit that is paid for up to 171 ns allows the next event from 101 ns on, just after
    /// `NOW_NS`.
    const NOW_NS: u64 = 100;
    const TOO_SOON: u64 = 171;

    fn approach(scheduler: &str, victim: Victim) -> Approach {
        let scheduler = format!("{scheduler},period=10ns").parse().expect("a scheduler");
        Rules::new(&scheduler, Costs::ASSUMED, true).approach(&victim, 0, NOW_NS)
    }

    const BUSY: Victim = Victim {
        word: Word::Open,
        gives_paid_ns: 0,
        takes_paid: Paid { victim_ns: 0, barriers_ns: 0 },
        silent_until_ns: 0,
        team_silent_until_ns: 0,
    };

    /// The barriers of the process are allowed 64 times in a row, once per period.
    const NO_BARRIER: Victim = Victim { takes_paid: Paid { victim_ns: 0, barriers_ns: 1_000 }, ..BUSY };

    #[test]
    fn a_busy_worker_is_asked_and_a_silent_one_taken_from() {
        assert_eq!(approach("default", BUSY), Approach::Ask);
        assert_eq!(approach("default", Victim { silent_until_ns: 101, ..BUSY }), Approach::Take);
        assert_eq!(approach("default", Victim { team_silent_until_ns: 101, ..BUSY }), Approach::Take);
        assert_eq!(approach("default", Victim { word: Word::Closed, ..BUSY }), Approach::Take);
    }

    #[test]
    fn nobody_is_asked_or_interrupted_before_its_time() {
        assert_eq!(approach("default", Victim { gives_paid_ns: TOO_SOON, ..BUSY }), Approach::Leave);
        let paid = |victim_ns| Paid { victim_ns, barriers_ns: 0 };
        let tired = Victim { takes_paid: paid(TOO_SOON), ..BUSY };
        assert_eq!(approach("cilk5", tired), Approach::Leave);
        assert_eq!(approach("cilk5", Victim { takes_paid: paid(TOO_SOON - 1), ..BUSY }), Approach::Take);
        assert_eq!(approach("default", Victim { word: Word::Closed, ..tired }), Approach::Leave);
        assert_eq!(approach("default", Victim { team_silent_until_ns: 101, ..tired }), Approach::Ask);
    }

    #[test]
    fn while_no_barrier_is_allowed_a_worker_is_asked_and_not_taken_from() {
        assert_eq!(approach("cilk5", NO_BARRIER), Approach::Leave);
        assert_eq!(approach("default", Victim { team_silent_until_ns: 101, ..NO_BARRIER }), Approach::Ask);
        assert_eq!(approach("default", Victim { silent_until_ns: 101, ..NO_BARRIER }), Approach::Leave);
        assert_eq!(approach("default", Victim { word: Word::Closed, ..NO_BARRIER }), Approach::Leave);
    }

    #[test]
    fn one_asks_at_a_time_unless_nobody_answers() {
        assert_eq!(approach("default", Victim { word: Word::Asked, ..BUSY }), Approach::Leave);
        let silent = Victim { word: Word::Asked, team_silent_until_ns: 101, ..BUSY };
        assert_eq!(approach("default", silent), Approach::Take);
        assert_eq!(approach("default,patience=never", silent), Approach::Leave);
    }

    #[test]
    fn who_has_not_answered_is_silent_for_a_period_of_giving_and_its_team_for_one_of_taking() {
        let rules = Rules::new(&Default::default(), Costs::ASSUMED, true);
        let silence = Silence { victim_until_ns: 14_100, team_until_ns: 300_100 };
        assert_eq!(rules.silence(NOW_NS), silence);
    }
}
