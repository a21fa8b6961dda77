//! A waiting worker that finds nothing to do: spin, then sleep, longer and longer.

use super::Worker;
use crate::sync::clock;
use std::time::Duration;

/// How long a worker that has just had work, or was called, looks for more before it sleeps: about what a wake-up costs,
/// and longer than the period in which a victim gives but once. A waiting worker that slept before that was over missed
/// the next gift by the length of its sleep.
pub(crate) const SEARCH_NS: u64 = 50_000;
/// Longest pause of a spinning worker, in turns of the spin loop, as a power of two.
const MAX_PAUSE_LOG2: u32 = 6;
/// The shortest sleep; a wake-up costs 12 to 30 µs of CPU on a virtual machine (design, section 7).
const SHORTEST_SLEEP: Duration = Duration::from_micros(100);
/// The longest: how long a part that could be run may lie unseen.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);
/// In between, a sleep is this fraction of the time spent so far.
const SLEEPS_PER_WAIT: u32 = 8;

/// How long to sleep after having had nothing to do for `idle`.
pub(super) fn sleep_after(idle: Duration) -> Duration {
    (idle / SLEEPS_PER_WAIT).clamp(SHORTEST_SLEEP, LONGEST_SLEEP)
}

/// Pauses of growing length, for one who is about to look again.
pub(crate) struct Spin(u32);

impl Spin {
    pub(crate) fn new() -> Self {
        Spin(0)
    }

    /// Pauses; how often it has by now.
    pub(crate) fn pause(&mut self) -> u32 {
        self.0 += 1;
        for _ in 0..1 << self.0.min(MAX_PAUSE_LOG2) {
            std::hint::spin_loop();
        }
        self.0
    }
}

/// One stretch without work.
pub(super) struct Rest<'a> {
    worker: &'a Worker,
    spin: Spin,
    since: u64,
}

impl<'a> Rest<'a> {
    pub(super) fn new(worker: &'a Worker) -> Self {
        Rest { worker, spin: Spin::new(), since: clock::now_ns() }
    }

    /// There was work: the next rest starts afresh, and this one is accounted for up to `begun_ns`.
    pub(super) fn over(&mut self, begun_ns: u64) {
        self.worker.counters.idle_ns.add(begun_ns.saturating_sub(self.since));
        self.since = clock::now_ns();
        self.spin = Spin::new();
    }

    /// Pauses between two looks. Before it sleeps, `announce` has the last word: it shows the sleeper where somebody must
    /// know, and returns false if there is something to do after all.
    pub(super) fn pause(&mut self, announce: impl FnOnce() -> bool) {
        self.spin.pause();
        let idle = clock::now_ns().saturating_sub(self.since);
        if idle > SEARCH_NS && announce() {
            self.worker.counters.parks.bump();
            self.worker.parker.park_timeout(sleep_after(Duration::from_nanos(idle)));
        }
    }
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.worker.counters.idle_ns.add(clock::now_ns().saturating_sub(self.since));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Weak;

    #[test]
    fn work_between_two_rests_is_not_idle() {
        let worker = Worker::new(0, Weak::new());
        let mut rest = Rest::new(&worker);
        let begun = rest.since + 1_000;
        rest.over(begun);
        let idle_ns = worker.counters.idle_ns.get();
        assert_eq!(idle_ns, 1_000, "from the start of the rest to the start of the work, no more");
    }

    #[test]
    fn a_sleep_is_an_eighth_of_the_idle_time_within_bounds() {
        let us = Duration::from_micros;
        let sleeps = [0, 800, 8_000, 1_000_000].map(|idle| sleep_after(us(idle)));
        assert_eq!(sleeps, [us(100), us(100), us(1_000), us(10_000)]);
    }
}
