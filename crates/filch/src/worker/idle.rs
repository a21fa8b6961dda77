//! Having nothing to do: for now, naps with back-off.
//!
//! [`Rest`] is what a worker without work does between two looks; [`Team::wake_idle`](super::Team) is what somebody with
//! new work calls. An event count and a sentinel take this place later (design, section 7) behind these two.
//! A nap is bounded, so a wake-up that goes missing costs time and never progress.

use super::{Team, Worker};
use crate::sync::{AtomicUsize, Ordering, clock};
use std::time::Duration;

/// Looks, with growing pauses between them, before the first nap.
const LOOKS_BEFORE_NAP: u32 = 12;
/// Longest pause of a spinning worker, in turns of the spin loop, as a power of two.
const MAX_PAUSE_LOG2: u32 = 6;
/// The first nap; about the price of a wake-up on a virtual machine (design, section 7: 12 to 30 µs of CPU).
const FIRST_NAP: Duration = Duration::from_micros(50);
/// The longest nap in a team that is running something: how long work may lie unseen.
const LONGEST_NAP_BUSY: Duration = Duration::from_millis(1);
/// The longest nap in a team that is not: forks wake it, submitted runs do.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Whether a worker naps; written by itself, read by wakers.
pub(super) struct Nap(AtomicUsize);

impl Nap {
    pub(super) fn new() -> Self {
        Nap(AtomicUsize::new(0))
    }

    fn set(&self, asleep: bool) {
        self.0.store(usize::from(asleep), Ordering::SeqCst);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 1
    }
}

/// One stretch without work.
pub(super) struct Rest<'a> {
    worker: &'a Worker,
    looks: u32,
    nap: Duration,
    since: u64,
}

impl<'a> Rest<'a> {
    pub(super) fn new(worker: &'a Worker) -> Self {
        Rest { worker, looks: 0, nap: FIRST_NAP, since: clock::now_ns() }
    }

    /// There was work: the next rest starts afresh, and this one is accounted for up to `now_ns`.
    pub(super) fn over(&mut self, begun_ns: u64) {
        self.worker.counters.idle_ns.add(begun_ns.saturating_sub(self.since));
        self.since = clock::now_ns();
        self.looks = 0;
        self.nap = FIRST_NAP;
    }

    /// Pauses between two looks. Before a nap `may_nap` has the last word: it announces the sleeper where somebody must
    /// know, and returns false if there is something to do after all.
    pub(super) fn pause(&mut self, team: &Team, may_nap: impl FnOnce() -> bool) {
        self.looks += 1;
        if self.looks <= LOOKS_BEFORE_NAP {
            for _ in 0..1 << self.looks.min(MAX_PAUSE_LOG2) {
                std::hint::spin_loop();
            }
            return;
        }
        // Shown first, then a last look at the queue, the stage and whether a run has forked: whoever changes one of these
        // sees the nap or is seen. Frames on a ladder are not looked at again; the length of a nap bounds how long one
        // lies unseen.
        self.worker.nap.set(true);
        if may_nap() {
            let longest = if team.is_active() { LONGEST_NAP_BUSY } else { LONGEST_NAP };
            self.worker.counters.parks.bump();
            self.worker.parker.park_timeout(self.nap.min(longest));
            self.nap = (self.nap * 2).min(longest);
        }
        self.worker.nap.set(false);
    }
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.worker.counters.idle_ns.add(clock::now_ns().saturating_sub(self.since));
    }
}

/// Wakes `worker` if it naps.
pub(super) fn wake(worker: &Worker) {
    if worker.nap.is_set() {
        worker.parker.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::Counters;
    use std::sync::Weak;

    #[test]
    fn work_between_two_rests_is_not_idle() {
        let worker = Worker::new(0, Weak::new());
        let idle_ns = || {
            let mut sum = Counters::default();
            worker.counters.add_to(&mut sum);
            sum.idle_ns
        };
        let mut rest = Rest::new(&worker);
        let begun = rest.since + 1_000;
        rest.over(begun);
        assert_eq!(idle_ns(), 1_000, "from the start of the rest to the start of the work, no more");
        assert_eq!((rest.looks, rest.nap), (0, FIRST_NAP), "and it starts afresh");
    }
}
