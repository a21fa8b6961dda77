//! The life of a thread of the team between two pieces of work: when it takes a seat and looks for work, how long it
//! looks, and how it sleeps.
//!
//! Decided from how long it has had nothing to do, from whether it was called, and from whether there seems to be work.

use crate::rest::{Pauses, Plan, SEARCH_NS, plan};
use std::time::Duration;

/// How long the sentinel of a team that is no longer active keeps its role. If the next run of a burst begins in this
/// time, it wakes no thread.
const LINGER: Duration = Duration::from_millis(1);

/// After this time without work there is time for a chore.
const BORED_AFTER: Duration = Duration::from_millis(100);

/// A thread of a team that has nothing to return to.
#[derive(Clone, Copy, Debug)]
pub struct Searcher {
    idle_since_ns: u64,
    /// Whether the thread was called or has just had work. In these cases it pays to look for a while.
    is_keen: bool,
}

impl Searcher {
    /// The thread begins at `now_ns`, with nothing to do.
    pub fn begin(now_ns: u64) -> Self {
        Searcher { idle_since_ns: now_ns, is_keen: false }
    }

    /// Since when the thread has had nothing to do.
    pub fn idle_since_ns(&self) -> u64 {
        self.idle_since_ns
    }

    /// Whether the thread takes a seat and looks for work: it was called, or it sees work.
    pub fn looks(&self, sees_work: impl FnOnce() -> bool) -> bool {
        self.is_keen || sees_work()
    }

    /// Notes that the thread has run something, which was over at `now_ns`.
    pub fn note_work(&mut self, now_ns: u64) {
        *self = Searcher { idle_since_ns: now_ns, is_keen: true };
    }

    /// Whether there is time for a chore. `is_active` says that a run which has forked is under way.
    pub fn is_bored(&self, now_ns: u64, is_active: bool) -> bool {
        self.idle(now_ns) > BORED_AFTER && !is_active
    }

    /// How to sleep if the thread is the sentinel. `is_tempted` says that it sees something which it cannot have.
    pub fn plan(&self, now_ns: u64, is_tempted: bool) -> Plan {
        plan(self.idle(now_ns), is_tempted)
    }

    /// Whether the thread keeps the role of the sentinel although no run is active.
    pub fn lingers(&self, now_ns: u64) -> bool {
        self.idle(now_ns) < LINGER
    }

    /// Notes that a sleep is over, because the thread was called or because its time was up. A call begins a new idle
    /// time; then this returns the length of the old one.
    pub fn note_woken(&mut self, is_called: bool, now_ns: u64) -> Option<u64> {
        self.is_keen = is_called;
        is_called.then(|| now_ns - std::mem::replace(&mut self.idle_since_ns, now_ns))
    }

    /// Begins to look for work, on a seat.
    pub fn look(&self, now_ns: u64) -> Look {
        Look { is_keen: self.is_keen, is_first: true, since_ns: now_ns, pauses: Pauses::default() }
    }

    fn idle(&self, now_ns: u64) -> Duration {
        Duration::from_nanos(now_ns.saturating_sub(self.idle_since_ns))
    }
}

/// The time that a thread spends on a seat.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    is_keen: bool,
    is_first: bool,
    since_ns: u64,
    pauses: Pauses,
}

impl Look {
    /// Whether to call more sleepers if the thread finds work now. Work that a thread finds at its first look has been
    /// waiting for some time.
    pub fn calls_more(&self) -> bool {
        self.is_first
    }

    /// Notes that the thread has run something, which was over at `now_ns`. It looks for more from then on.
    pub fn note_work(&mut self, now_ns: u64) {
        *self = Look { is_keen: true, is_first: true, since_ns: now_ns, pauses: Pauses::default() };
    }

    /// Notes that there was nothing. Returns the pause before the next look, in turns of the spin loop.
    pub fn next_turns(&mut self) -> u32 {
        self.is_first = false;
        self.pauses.next_turns()
    }

    /// Whether the thread looks again. A thread that came without being called, and found nothing, leaves at once.
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
        assert!(!searcher.look(10).goes_on(|| 10), "the work that it saw is gone");
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
        assert!(!look.calls_more(), "the work has come since the first look");
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
