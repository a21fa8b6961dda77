//! Sleep: threads without work, and the rule that somebody always looks again (design, section 7).
//!
//! A fork looks at no sleepers: that would cost every program what few need. By itself this stalls: all others asleep,
//! one worker with a full ladder in a long branch. So while a run is *active* (it has forked) and some thread has
//! nothing to do, one such thread is the **sentinel**: it naps, which is to sleep with a timeout, and looks whether
//! there is something to share. When it has napped for a while it *watches*: it sees to it that it is called
//! (`ladder/watch.rs`), and sleeps for longer.
//!
//! * To sleep: announce, *then* claim the role; who has to drop it again looks at `active` after that. No further look
//!   at frames: one that has come since is for the sentinel to see.
//! * On any wake-up: retract the announcement before searching.
//! * Going busy: give the role up, then, if nobody has it, wake one sleeper; if somebody has it who watches, call that
//!   one.
//! * The first fork of a run: `active += 1`, then the same check. So a run that never forks pays nothing.
//! * A fork on a ladder that was watched: the same check.
//! * A sentinel of a team that is no longer active lingers a few rounds, so that a burst of small runs wakes it once;
//!   then it drops the role, looks at `active` again, and sleeps without a timeout.
//!
//! All of it is sequentially consistent. Checked by `models/sentinel.pml` with its mutants, and these sources by loom
//! (`loom_tests.rs`). May import: `sync`.

#[cfg(all(test, loom))]
mod loom_tests;

use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicUsize, Ordering, full_fence, memory_fence};
use crossbeam_utils::CachePadded;
use std::time::Duration;

/// The threads of a team that may sleep, and what wakes them.
pub(crate) struct Sleepers {
    beds: Box<[CachePadded<Bed>]>,
    /// Who has nothing to do: threads that look for work or sleep, and workers that wait. A hint.
    idle: CachePadded<AtomicUsize>,
    /// Announced sleepers, at least those that will not look again by themselves.
    announced: AtomicUsize,
    /// The thread that has the role, plus one; 0 where nobody has.
    sentinel: AtomicUsize,
    /// Runs under way that have forked.
    active: CachePadded<AtomicUsize>,
    /// How many watch: the sentinel, and workers that wait.
    watching: CachePadded<AtomicUsize>,
    /// Whether the sentinel does.
    sentinel_watches: AtomicBool,
}

/// Where one thread sleeps.
struct Bed {
    announced: AtomicBool,
    parker: Parker,
}

/// How somebody sleeps who has found nothing to do for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// For so long; then it looks again.
    Nap(Duration),
    /// Until called, and no longer than this. It sees to it that it is.
    Watch(Duration),
}

/// How a thread is about to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sleep {
    Nap,
    Watch,
    UntilCalled,
}

/// How a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// Somebody wants this thread to look, or there was a reason not to sleep after all.
    Called,
    /// The sentinel's time is over.
    TimedOut,
}

impl Sleepers {
    pub(crate) fn new(threads: usize) -> Self {
        let bed = || Bed { announced: AtomicBool::new(false), parker: Parker::new() };
        Sleepers {
            beds: (0..threads).map(|_| CachePadded::new(bed())).collect(),
            idle: CachePadded::new(AtomicUsize::new(0)),
            announced: AtomicUsize::new(0),
            sentinel: AtomicUsize::new(0),
            active: CachePadded::new(AtomicUsize::new(0)),
            watching: CachePadded::new(AtomicUsize::new(0)),
            sentinel_watches: AtomicBool::new(false),
        }
    }

    /// Somebody has nothing to do from now on.
    pub(crate) fn begin_idle(&self) {
        self.idle.fetch_add(1, Ordering::Relaxed);
    }

    /// It has something to do.
    pub(crate) fn end_idle(&self) {
        self.idle.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether there seems to be somebody who has nothing to do.
    pub(crate) fn is_anybody_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// So many things lie where whoever comes finds them: if fewer look for work, one that sleeps shall.
    pub(crate) fn call_for(&self, things: usize) {
        full_fence();
        let asleep = self.announced.load(Ordering::SeqCst);
        if self.idle.load(Ordering::Relaxed) < asleep + things {
            self.wake_one();
        }
    }

    /// Whether somebody wants to be called when a ladder comes to have another oldest frame. By one who has just
    /// changed a ladder.
    pub(crate) fn is_watched(&self) -> bool {
        memory_fence();
        self.watching.load(Ordering::Relaxed) > 0
    }

    /// The same, by one who has left something under a lock that whoever watches takes for its last look.
    pub(crate) fn has_watchers(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    /// Somebody is about to watch: it sees to the ladders next.
    pub(crate) fn begin_watch(&self) {
        self.watching.fetch_add(1, Ordering::SeqCst);
        // What it looks at next are no accesses of that kind.
        memory_fence();
    }

    /// It is awake.
    pub(crate) fn end_watch(&self) {
        self.watching.fetch_sub(1, Ordering::SeqCst);
    }

    /// A run has forked for the first time.
    pub(crate) fn begin_run(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
        self.ensure_sentinel();
    }

    /// A run that had forked is over.
    pub(crate) fn end_run(&self) {
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether a run is under way that has forked.
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::SeqCst) > 0
    }

    /// A thread is about to run something, or a seat has become free, or there is something to share where there was
    /// nothing: somebody else shall look for more.
    pub(crate) fn ensure_sentinel(&self) {
        full_fence();
        if self.is_active() {
            self.call_sentinel();
        }
    }

    /// There is something to share beside what somebody has just taken: one more shall look.
    pub(crate) fn call_for_more(&self) {
        full_fence();
        self.call_sentinel();
        self.wake_one();
    }

    /// There is something to share: whoever has the role shall look, or else one that sleeps. One that naps looks soon.
    fn call_sentinel(&self) {
        match self.sentinel.load(Ordering::SeqCst) {
            0 => self.wake_one(),
            thread if self.sentinel_watches.load(Ordering::SeqCst) && !mutant!("sentinel_not_called") => {
                self.wake(&self.beds[thread - 1]);
            }
            _ => {}
        }
    }

    /// Thread `me` is about to run something.
    pub(crate) fn going_busy(&self, me: usize) {
        self.end_idle();
        self.give_up_role(me);
        self.ensure_sentinel();
    }

    fn give_up_role(&self, me: usize) {
        // Only its holder takes the role away.
        if self.sentinel.load(Ordering::SeqCst) == me + 1 {
            self.sentinel.store(0, Ordering::SeqCst);
        }
    }

    /// There is something to run that none of the team's threads knows of: one that sleeps shall look.
    pub(crate) fn call_one(&self) {
        full_fence();
        self.wake_one();
    }

    fn wake_one(&self) {
        if self.announced.load(Ordering::SeqCst) > 0 {
            let _ = self.beds.iter().any(|bed| self.wake(bed));
        }
    }

    /// Wakes everybody, for something that has been written before.
    pub(crate) fn wake_all(&self) {
        full_fence();
        self.beds.iter().for_each(|bed| {
            self.wake(bed);
        });
    }

    /// True if somebody was there to wake.
    fn wake(&self, bed: &Bed) -> bool {
        let sleeps = bed.announced.load(Ordering::SeqCst) && bed.announced.swap(false, Ordering::SeqCst);
        if sleeps {
            self.announced.fetch_sub(1, Ordering::SeqCst);
            bed.parker.unpark();
        }
        sleeps
    }

    /// Sleeps as thread `me`: for so long if it becomes the sentinel of an active team, or of one where it may
    /// `linger`; else until called. `look` has the last word: true if there is something to do after all. To one
    /// that is about to watch it is the time to see to the ladders before.
    pub(crate) fn sleep(&self, me: usize, plan: Plan, linger: bool, look: impl FnOnce(Sleep) -> bool) -> Woken {
        let bed = &self.beds[me];
        // Counted first: whoever finds the bed taken counts it out, and nothing may be counted out that is not in.
        self.announced.fetch_add(1, Ordering::SeqCst);
        bed.announced.store(true, Ordering::SeqCst);
        full_fence();
        let is_sentinel = self
            .sentinel
            .compare_exchange(0, me + 1, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|s| s == me + 1, |_| true);
        let mut called = if is_sentinel && (linger || self.is_active()) {
            match plan {
                Plan::Nap(timeout) => look(Sleep::Nap) || bed.parker.park_timeout(timeout),
                Plan::Watch(timeout) => {
                    self.sentinel_watches.store(true, Ordering::SeqCst);
                    self.begin_watch();
                    let called = look(Sleep::Watch) || bed.parker.park_timeout(timeout);
                    self.end_watch();
                    self.sentinel_watches.store(false, Ordering::SeqCst);
                    called
                }
            }
        } else {
            if is_sentinel {
                self.sentinel.store(0, Ordering::SeqCst);
            }
            full_fence();
            // A first fork that found the role taken has woken nobody.
            let must_look = is_sentinel && self.is_active() && !mutant!("sentinel_no_second_look");
            if !(must_look || look(Sleep::UntilCalled) && !mutant!("sleep_no_second_look")) {
                bed.parker.park();
            }
            true
        };
        // Retracted before the search, so that nobody wastes a call on this thread; a call that was on its way is
        // dropped with its token.
        if bed.announced.swap(false, Ordering::SeqCst) {
            self.announced.fetch_sub(1, Ordering::SeqCst);
        } else {
            called = true;
            bed.parker.drop_token();
        }
        if called { Woken::Called } else { Woken::TimedOut }
    }

    /// Thread `me` will not be back. It is idle.
    pub(crate) fn leave(&self, me: usize) {
        self.going_busy(me);
    }
}
