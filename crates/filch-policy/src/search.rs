//! The life of a thread that has nothing to return to: when it takes a seat and looks for work, how long it goes on,
//! and how it sleeps.
//!
//! Decided from how long it has had nothing to do, whether it was called, and whether there seems to be something.

use crate::rest::{Pauses, Plan, SEARCH_NS, plan};
use std::time::Duration;

/// How long the sentinel of a team that is no longer active lingers, so that the next of a burst of runs wakes nobody.
const LINGER: Duration = Duration::from_millis(1);

/// From so long without work on there is time for a chore.
const BORED_AFTER: Duration = Duration::from_millis(100);

/// A thread of a team.
#[derive(Clone, Copy, Debug)]
pub struct Searcher {
    idle_since_ns: u64,
    /// Called, or with work: then it pays to look for a while.
    is_keen: bool,
}

impl Searcher {
    /// It begins at `now_ns`, with nothing to do.
    pub fn begin(now_ns: u64) -> Self {
        Searcher { idle_since_ns: now_ns, is_keen: false }
    }

    /// Since when it has had nothing to do.
    pub fn idle_since_ns(&self) -> u64 {
        self.idle_since_ns
    }

    /// Whether it takes a seat and looks: it has been called, or sees something.
    pub fn looks(&self, sees_work: impl FnOnce() -> bool) -> bool {
        self.is_keen || sees_work()
    }

    /// It has run something, which was over at `now_ns`.
    pub fn note_work(&mut self, now_ns: u64) {
        *self = Searcher { idle_since_ns: now_ns, is_keen: true };
    }

    /// Whether there is time for a chore. `is_active`: a run of the team is under way that has forked.
    pub fn is_bored(&self, now_ns: u64, is_active: bool) -> bool {
        self.idle(now_ns) > BORED_AFTER && !is_active
    }

    /// How to sleep, if it is the sentinel. `is_tempted`: it sees something that it cannot have.
    pub fn plan(&self, now_ns: u64, is_tempted: bool) -> Plan {
        plan(self.idle(now_ns), is_tempted)
    }

    /// Whether it keeps the role of a sentinel where nothing is under way.
    pub fn lingers(&self, now_ns: u64) -> bool {
        self.idle(now_ns) < LINGER
    }

    /// Its sleep is over: it was called, or its time had come. After a call its idle time begins anew; what there was
    /// up to then.
    pub fn note_woken(&mut self, is_called: bool, now_ns: u64) -> Option<u64> {
        self.is_keen = is_called;
        is_called.then(|| now_ns - std::mem::replace(&mut self.idle_since_ns, now_ns))
    }

    /// Begins to look, on a seat.
    pub fn look(&self, now_ns: u64) -> Look {
        Look { is_keen: self.is_keen, is_first: true, since_ns: now_ns, pauses: Pauses::default() }
    }

    fn idle(&self, now_ns: u64) -> Duration {
        Duration::from_nanos(now_ns.saturating_sub(self.idle_since_ns))
    }
}

/// One stay of a thread on a seat.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    is_keen: bool,
    is_first: bool,
    since_ns: u64,
    pauses: Pauses,
}

impl Look {
    /// Whether more of those who sleep shall come if there is something now: what is found at the first look has been
    /// lying there.
    pub fn calls_more(&self) -> bool {
        self.is_first
    }

    /// It has run something, which was over at `now_ns`, and looks for more from there on.
    pub fn note_work(&mut self, now_ns: u64) {
        *self = Look { is_keen: true, is_first: true, since_ns: now_ns, pauses: Pauses::default() };
    }

    /// There was nothing: the pause before the next look, in turns of the spin loop.
    pub fn next_turns(&mut self) -> u32 {
        self.is_first = false;
        self.pauses.next_turns()
    }

    /// Whether it looks again. Who has come by itself, and found nothing, leaves at once.
    pub fn goes_on(&self, now_ns: impl FnOnce() -> u64) -> bool {
        self.is_keen && now_ns() - self.since_ns <= SEARCH_NS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_looks_for_a_while_after_work_or_a_call_and_else_once() {
        let mut searcher = Searcher::begin(0);
        assert!(!searcher.looks(|| false) && searcher.looks(|| true));
        assert!(!searcher.look(10).goes_on(|| 10), "what it saw is gone");
        assert_eq!(searcher.note_woken(true, 100), Some(100));
        let mut look = searcher.look(200);
        assert!(searcher.looks(|| false) && look.goes_on(|| 200 + SEARCH_NS) && !look.goes_on(|| 201 + SEARCH_NS));
        look.note_work(1_000_000);
        assert!(look.goes_on(|| 1_000_000 + SEARCH_NS));
    }

    #[test]
    fn more_come_for_what_has_been_lying_there() {
        let mut look = Searcher::begin(0).look(0);
        assert!(look.calls_more());
        look.next_turns();
        assert!(!look.calls_more(), "it has come since");
        look.note_work(5);
        assert!(look.calls_more());
    }

    #[test]
    fn a_nap_that_ends_by_itself_does_not_end_the_idle_time() {
        let mut searcher = Searcher::begin(0);
        assert_eq!(searcher.note_woken(false, 500_000), None);
        assert!(searcher.lingers(999_999) && !searcher.lingers(1_000_000));
        assert!(searcher.is_bored(100_000_001, false) && !searcher.is_bored(100_000_001, true));
        assert_eq!(searcher.plan(80_000_000, false), Plan::Watch(Duration::from_millis(10)));
    }
}
