//! The beat of heartbeat scheduling: [a thread](crate::engine::schedulers::heartbeat::live) tells each busy worker,
//! once per period N, to promote its oldest frame (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 2).
//!
//! Acar et al. read the processor's cycle counter at every fork. Here a fork reads no clock: a beat is an ask made by a
//! clock, which reaches the worker through E like any other ask. The thread that beats runs only in a pool with such a
//! scheduler, and sleeps unless a run is under way that has forked. A worker that has not noticed one beat gets no
//! other, and the next one is due N after it has noticed this one. So there are at most t/N + 1 promotions in any
//! time t.
//!
//! A worker may have no frame when its beat is due. In the paper, its next frame is then promoted at once. Here the
//! thread that beats marks the ladder, so that the next fork finds out, and the worker spends the beat itself. Whoever
//! moves `last_ns` on has the beat, so nobody else has it, too. The same if the worker returns to its only frame when
//! it notices a beat: the beat is due again, and the worker marks the ladder.
//!
//! | state | written by |
//! |---|---|
//! | `given_ns` | the thread that beats: when it has given a beat; the worker: 0 when it takes it |
//! | `last_ns` | the thread that gives a beat, and the worker that takes or spends one: when that was |
//!
//! Both write `last_ns` first and then `given_ns`, which hands `last_ns` over to the other side, by release and
//! acquire. Otherwise the thread that beats could see that a beat was taken, and not yet when.
//!
//! `models/beat.pml` checks that no beat is lost or counted twice, with its mutants. Loom checks these sources
//! (`engine/loom_tests.rs`).

use crate::decisions::Record;
use crate::engine::meters::samples::Samples;
use crate::sync::parker::Parker;
use crate::sync::{AtomicU64, Ordering};
use filch_policy::Beat;

/// The beat that one worker is given.
pub(crate) struct BeatCell {
    /// When the beat was given that the worker has not taken yet; 0 if there is none.
    given_ns: AtomicU64,
    /// When the last beat was given, taken or spent.
    last_ns: AtomicU64,
    pub(crate) record: Record,
}

impl BeatCell {
    pub(crate) fn new() -> Self {
        BeatCell { given_ns: AtomicU64::new(0), last_ns: AtomicU64::new(0), record: Record::default() }
    }

    /// Whether there is a beat that the worker has not taken.
    pub(crate) fn is_given(&self) -> bool {
        self.given_ns.load(Ordering::Acquire) != 0
    }

    /// Takes the beat, if there is one, and adds to `polls` how long it has waited. Called by the worker. The next beat
    /// is due one period after this one was noticed; or at once, unless this one `is_used`.
    pub(crate) fn take(&self, now_ns: u64, is_used: bool, polls: &Samples) -> bool {
        if !self.is_given() {
            return false;
        }
        let last_ns = if is_used { now_ns } else { 0 };
        if !mutant!("beat_late_last") {
            self.last_ns.store(last_ns, Ordering::Relaxed);
        }
        let given_ns = self.given_ns.swap(0, Ordering::Release);
        if mutant!("beat_late_last") {
            self.last_ns.store(last_ns, Ordering::Relaxed);
        }
        polls.add(now_ns.saturating_sub(given_ns));
        self.record.beat_noticed(now_ns);
        true
    }

    /// Gives the beat that is due, unless the last one has not been taken. Returns whether it does.
    pub(crate) fn give(&self, beat: Beat, now_ns: u64) -> bool {
        let is_free = !self.is_given() || mutant!("beat_twice");
        let gives = is_free && self.spend(beat, now_ns);
        if gives {
            self.given_ns.store(now_ns, Ordering::Release);
        }
        gives
    }

    /// Whether a beat is due.
    pub(crate) fn is_due(&self, beat: Beat, now_ns: u64) -> bool {
        let last_ns = self.last_ns.load(Ordering::Relaxed);
        self.record.beat_is_due(beat, last_ns, now_ns)
    }

    /// Spends the beat that is due. Returns whether there was one. If the thread that beats and the worker try at once,
    /// one of them gets it.
    pub(crate) fn spend(&self, beat: Beat, now_ns: u64) -> bool {
        let last_ns = self.last_ns.load(Ordering::Relaxed);
        self.record.beat_is_due(beat, last_ns, now_ns)
            && self.last_ns.compare_exchange(last_ns, now_ns, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// Where the thread that beats sleeps while there is nothing to promote.
pub(crate) struct Beater(pub(crate) Parker);

impl Beater {
    pub(crate) fn new() -> Self {
        Beater(Parker::new())
    }

    /// Wakes the thread that beats, because a run has forked or the pool ends.
    pub(crate) fn wake(&self) {
        self.0.unpark();
    }
}
