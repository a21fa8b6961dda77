//! How a worker that has nothing to do spends its time: it looks for work again and again, and then sleeps, longer and
//! longer.
//!
//! Decided from how long it has had nothing to do, and from whether it sees something that it cannot have. A sleep is a
//! fraction of the time that has passed so far. So if a sleep ends too late, it adds at most that fraction.

use std::time::Duration;

/// How long a worker that has just had work, or was called, looks for more before it sleeps. This is about what a
/// wake-up costs, and longer than the period N of giving. A waiting worker that slept sooner would miss the next gift
/// by the length of its sleep.
pub const SEARCH_NS: u64 = 50_000;

/// The longest pause of a spinning worker, in turns of the spin loop, as a power of two.
const MAX_PAUSE_LOG2: u32 = 6;

/// How many pauses a worker that looks for work makes before it yields its processor to a thread that has some.
const PAUSES_BEFORE_YIELD: u32 = 12;

/// The shortest sleep; a wake-up costs 12 to 30 µs of CPU on a virtual machine.
const SHORTEST_SLEEP: Duration = Duration::from_micros(100);

/// The longest sleep, of a thread that is called if there is something for it.
const LONGEST_SLEEP: Duration = Duration::from_secs(1);

/// Between the two limits, a sleep is this fraction of the time that has passed so far.
const SLEEPS_PER_WAIT: u32 = 8;

/// After this time without work it pays to be called. A call costs the calling thread a few microseconds, once.
const WATCH_AFTER: Duration = Duration::from_millis(1);

/// The longest nap of a thread that sees something which it cannot have. For example, in a pool that never
/// takes, the thread must wait for an answer.
const LONGEST_NAP: Duration = Duration::from_millis(10);

/// How to sleep, for a thread that has found nothing to do for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// It sleeps for this time, and then looks again.
    Nap(Duration),
    /// It sleeps until it is called, but no longer than this. Before it sleeps, it arranges to be called.
    Watch(Duration),
}

impl Plan {
    /// How long the sleep lasts at most.
    #[must_use]
    pub fn time(self) -> Duration {
        match self {
            Plan::Nap(time) | Plan::Watch(time) => time,
        }
    }

    /// The same with a sleep that is no longer than a nap, for a thread that may not run all that there is. A call for
    /// other work does not make up for one that it misses.
    #[must_use]
    pub fn brief(self) -> Self {
        match self {
            Plan::Nap(time) => Plan::Nap(time.min(LONGEST_NAP)),
            Plan::Watch(time) => Plan::Watch(time.min(LONGEST_NAP)),
        }
    }
}

/// How to sleep after having had nothing to do for `idle`. `is_tempted` says that there is something which cannot be
/// had now.
pub(crate) fn plan(idle: Duration, is_tempted: bool) -> Plan {
    let time = idle / SLEEPS_PER_WAIT;
    if is_tempted || idle < WATCH_AFTER {
        Plan::Nap(time.clamp(SHORTEST_SLEEP, LONGEST_NAP))
    } else {
        Plan::Watch(time.clamp(SHORTEST_SLEEP, LONGEST_SLEEP))
    }
}

/// Pauses of growing length between looks for work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pauses(u32);

impl Pauses {
    /// The next pause, in turns of the spin loop.
    pub fn next_turns(&mut self) -> u32 {
        self.0 += 1;
        1 << self.0.min(MAX_PAUSE_LOG2)
    }

    /// Whether it is time to yield the processor to a thread that has work.
    pub fn is_long(self) -> bool {
        self.0 > PAUSES_BEFORE_YIELD
    }
}

/// A time without work, of a worker that waits.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    since_ns: u64,
    pauses: Pauses,
    is_called: bool,
}

impl Rest {
    /// Begins a rest at `now_ns`.
    pub fn begin(now_ns: u64) -> Self {
        Rest { since_ns: now_ns, pauses: Pauses::default(), is_called: false }
    }

    /// When the rest began.
    pub fn since_ns(&self) -> u64 {
        self.since_ns
    }

    /// The pause before the next look, in turns of the spin loop.
    pub fn next_turns(&mut self) -> u32 {
        self.pauses.next_turns()
    }

    /// Returns how long there has been nothing to do, if it is time to sleep.
    pub fn tires(&self, now_ns: u64) -> Option<Duration> {
        let idle_ns = now_ns.saturating_sub(self.since_ns);
        (idle_ns > SEARCH_NS).then_some(Duration::from_nanos(idle_ns))
    }

    /// Notes that another thread has called: work may be there in a moment.
    pub fn note_call(&mut self) {
        self.is_called = true;
    }

    /// How to sleep after having had nothing to do for `idle`. The first sleep after a [call](Self::note_call) is a
    /// short nap. The thread that called does so just before it shows a frame, and the system may have descheduled it
    /// in favour of the thread that it woke.
    pub fn plan(&mut self, idle: Duration, is_tempted: bool) -> Plan {
        if std::mem::take(&mut self.is_called) { Plan::Nap(SHORTEST_SLEEP) } else { plan(idle, is_tempted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_is_an_eighth_of_the_idle_time_within_bounds() {
        let us = Duration::from_micros;
        let plans = [0, 800, 8_000, 100_000_000].map(|idle| plan(us(idle), false));
        assert_eq!(plans, [Plan::Nap(us(100)), Plan::Nap(us(100)), Plan::Watch(us(1_000)), Plan::Watch(us(1_000_000))]);
        assert_eq!([8_000, 800_000].map(|idle| plan(us(idle), true)), [Plan::Nap(us(1_000)), Plan::Nap(us(10_000))]);
    }

    #[test]
    fn who_has_been_called_naps_once_for_a_moment() {
        let mut rest = Rest::begin(1_000);
        assert_eq!(rest.tires(1_000 + SEARCH_NS), None);
        let idle = rest.tires(80_001_000).expect("it is late");
        rest.note_call();
        assert_eq!(rest.plan(idle, false), Plan::Nap(SHORTEST_SLEEP));
        assert_eq!(rest.plan(idle, false), Plan::Watch(Duration::from_millis(10)));
    }

    #[test]
    fn pauses_double_up_to_64_turns() {
        let mut pauses = Pauses::default();
        let turns: Vec<u32> = (0..8).map(|_| pauses.next_turns()).collect();
        assert_eq!(turns, [2, 4, 8, 16, 32, 64, 64, 64]);
        assert!(!pauses.is_long());
        (0..5).for_each(|_| _ = pauses.next_turns());
        assert!(pauses.is_long());
    }
}
