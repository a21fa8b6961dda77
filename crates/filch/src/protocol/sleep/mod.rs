//! Sleep: how threads without work sleep, and the rule that one of them always looks for work again.
//!
//! A fork does not look for sleepers, because every program would pay for what few programs need. By itself this
//! stalls: all other threads sleep while one worker has a full ladder and runs a long branch. So while a run is
//! *active*, that is, has forked, and some thread has nothing to do, one such thread is the **sentinel**. At first it
//! *naps*: it sleeps with a timeout, and then looks whether there is something to share. After some time it *watches*
//! instead: it arranges to be called (`protocol/ladder/watch.rs`), and sleeps for longer.
//!
//! * To sleep, a thread announces itself, *then* claims the role of the sentinel. If no run is active, it drops the
//!   role and then looks at `active` again. It does not look at frames again, because a frame that has come since is
//!   for the sentinel to see.
//! * A thread that wakes up retracts its announcement before it searches.
//! * A thread that gets busy gives up the role. Then, if no thread has the role, it wakes a sleeper. If the thread that
//!   has the role watches, it calls that thread.
//! * The first fork of a run adds one to `active`, then makes the same check. So a run that never forks pays nothing.
//! * A fork that finds its ladder watched makes the same check.
//! * The sentinel of a team that is no longer active lingers for a moment, so that a burst of small runs wakes it once.
//!   Then it drops the role, looks at `active` again, and sleeps without a timeout.
//!
//! **Squads.** Where workers are divided into squads, not every thread may run what there is, so one sentinel is not
//! enough. Then every idle thread acts as one while a run is active: it naps, and after some time it watches, but no
//! longer than a nap. Who makes work says for which squad it is, or that it is for all, and one sleeper of each of
//! these squads is called. So a call can be missed only for as long as a nap, and no thread hands a role over.
//!
//! An announcement is a [mark](super::marks): who looks for a sleeper reads a line for each word of marks, and not the
//! bed of each thread.
//!
//! All accesses that this rests on are sequentially consistent, or beside a fence that is. `models/sentinel.pml` checks
//! the protocol, with its mutants. Loom checks these sources (`loom_tests.rs`). May import: `sync`.

#[cfg(all(test, loom))]
mod loom_tests;

use crate::decisions::Record;
use crate::protocol::marks::Marks;
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, AtomicUsize, Ordering, full_fence, memory_fence};
use crossbeam_utils::CachePadded;
use filch_policy::{Call, Called, Moment, Occasion, Plan, Sentinel, sleeps};

/// The threads of a team that may sleep, and what wakes them.
pub(crate) struct Sleepers {
    /// The squad of each thread, if not every thread may run what there is.
    squads: Option<Box<[usize]>>,
    /// Where each thread sleeps.
    beds: Box<[CachePadded<Parker>]>,
    /// The threads that are announced: they sleep, or are about to.
    sleeping: Marks,
    /// How many have nothing to do: threads that look for work or sleep, and workers that wait. A hint.
    idle: CachePadded<AtomicUsize>,
    /// How many sleepers are announced. Never too low: a sleeper counts itself before it announces itself.
    announced: AtomicUsize,
    /// The index of the thread that has the role of the sentinel, plus one; 0 if no thread has it.
    sentinel: AtomicUsize,
    /// How many runs have forked, plus how many scopes have had a task, and are not over.
    active: CachePadded<AtomicUsize>,
    /// How many threads watch: the sentinel, and workers that wait.
    watching: CachePadded<AtomicUsize>,
    /// Whether the sentinel watches.
    sentinel_watches: AtomicBool,
    pub(crate) record: Record,
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
    /// Another thread wants this thread to look, or there was a reason not to sleep after all.
    Called,
    /// The sentinel's timeout has passed.
    TimedOut,
}

impl Sleepers {
    /// With `squads`, which names the squad of each thread, not every thread may run what there is.
    pub(crate) fn new(threads: usize, squads: Option<Box<[usize]>>) -> Self {
        Sleepers {
            squads,
            beds: (0..threads).map(|_| CachePadded::new(Parker::new())).collect(),
            sleeping: Marks::none(threads),
            idle: CachePadded::new(AtomicUsize::new(0)),
            announced: AtomicUsize::new(0),
            sentinel: AtomicUsize::new(0),
            active: CachePadded::new(AtomicUsize::new(0)),
            watching: CachePadded::new(AtomicUsize::new(0)),
            sentinel_watches: AtomicBool::new(false),
            record: Record::default(),
        }
    }

    /// One more thread has nothing to do from now on.
    pub(crate) fn begin_idle(&self) {
        self.idle.fetch_add(1, Ordering::Relaxed);
    }

    /// That thread has something to do again.
    pub(crate) fn end_idle(&self) {
        self.idle.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether some thread seems to have nothing to do.
    pub(crate) fn is_anybody_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Called when there are `things` that any worker may pick up, or any of `squad`. Wakes a sleeper, unless enough
    /// threads look for work.
    pub(crate) fn call_for(&self, things: usize, squad: Option<usize>) {
        full_fence();
        let asleep = self.announced.load(Ordering::SeqCst);
        let idle = self.idle.load(Ordering::Relaxed);
        if self.record.calls_one(things, idle, asleep) {
            match squad {
                None => self.wake_one(),
                Some(squad) => self.wake_one_of(squad),
            }
        }
    }

    /// Whether a thread wants to be called when a ladder gets another oldest frame. For a caller that has just changed
    /// a ladder: the fence orders that change before the load.
    pub(crate) fn is_watched(&self) -> bool {
        if !mutant!("is_watched_unfenced") {
            memory_fence();
        }
        self.watching.load(Ordering::Relaxed) > 0
    }

    /// [`is_watched`](Self::is_watched) without the fence. For a caller that has executed one, or that has left
    /// something under a lock that a watcher takes for its last look: a queue, but not a shelf, which is locked only if
    /// it is marked.
    pub(crate) fn has_watchers(&self) -> bool {
        self.watching.load(Ordering::Relaxed) > 0
    }

    /// A thread is about to watch. It prepares the ladders next.
    pub(crate) fn begin_watch(&self) {
        self.watching.fetch_add(1, Ordering::SeqCst);
        // Not all of the accesses that follow are sequentially consistent.
        memory_fence();
    }

    /// The thread that watched is awake.
    pub(crate) fn end_watch(&self) {
        self.watching.fetch_sub(1, Ordering::SeqCst);
    }

    /// A run has forked for the first time, or a scope has got its first task.
    pub(crate) fn begin_run(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
        full_fence();
        self.call_at(Moment::RunBegins);
    }

    /// A run that has forked, or a scope that has had a task, is over.
    pub(crate) fn end_run(&self) {
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether a run that has forked, or a scope that has had a task, is under way.
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::SeqCst) > 0
    }

    /// Makes sure that another thread looks for work. Called when a seat has become free, and when a scope has got a
    /// task.
    pub(crate) fn ensure_sentinel(&self) {
        full_fence();
        if self.is_active() {
            self.call(Occasion::Change, None);
        }
    }

    /// Called when there is more to share than what the caller has just taken, or when a ladder has something to share,
    /// or soon will: for any worker, or for those of `squad`. Makes one more sleeper look as well.
    pub(crate) fn call_for_more(&self, squad: Option<usize>) {
        full_fence();
        self.call(Occasion::More, squad);
    }

    /// Calls those that the policy names. If only the workers of `squad` may run what there is, calls those of it.
    fn call(&self, occasion: Occasion, squad: Option<usize>) {
        if occasion.calls_sentinel() && squad.is_none() {
            self.call_at(Moment::MoreToShare);
        }
        for _ in 0..occasion.sleepers() {
            match squad {
                None => self.wake_one(),
                Some(squad) => self.wake_one_of(squad),
            }
        }
    }

    /// Calls those whom the policy names at this moment, after a full fence.
    fn call_at(&self, moment: Moment) {
        match self.record.called_at(moment, self.squads.is_some()) {
            Called::Nobody => {}
            Called::Sentinel => self.call_sentinel(),
            Called::OneOfEachSquad => {
                let count = self.squads.iter().flatten().max().map_or(0, |last| last + 1);
                (0..count).for_each(|squad| self.wake_one_of(squad));
            }
            Called::Everyone => self.wake_all(),
        }
    }

    /// Makes a thread look for work: the sentinel, or a sleeper if there is no sentinel. A sentinel that naps looks
    /// soon by itself.
    fn call_sentinel(&self) {
        let role = self.sentinel.load(Ordering::SeqCst);
        let sentinel = match role {
            0 => Sentinel::Nobody,
            _ if self.sentinel_watches.load(Ordering::SeqCst) && !mutant!("sentinel_not_called") => Sentinel::Watches,
            _ => Sentinel::Looks,
        };
        match sentinel.call() {
            Call::Nobody => {}
            Call::Sleeper => self.wake_one(),
            Call::Sentinel => _ = self.wake(role - 1),
        }
    }

    /// Whether thread `me` sleeps, or is about to. A hint.
    pub(crate) fn is_asleep(&self, me: usize) -> bool {
        self.sleeping.first(me..me + 1).is_some()
    }

    /// Thread `me` is about to run something.
    pub(crate) fn going_busy(&self, me: usize) {
        self.end_idle();
        self.give_up_role(me);
        full_fence();
        if self.is_active() {
            self.call_at(Moment::WorkFound);
        }
    }

    fn give_up_role(&self, me: usize) {
        // A load and a store suffice, because only the thread that has the role takes it away.
        if self.sentinel.load(Ordering::SeqCst) == me + 1 {
            self.sentinel.store(0, Ordering::SeqCst);
        }
    }

    /// Wakes a sleeper. Called when there is something to run that no thread of the team knows of.
    pub(crate) fn call_one(&self) {
        full_fence();
        self.call(Occasion::Foreign, None);
    }

    /// Wakes thread `me`, if it sleeps. Called when there is something that only this thread may run.
    pub(crate) fn call_this(&self, me: usize) {
        memory_fence();
        if !mutant!("bound_not_called") {
            self.wake(me);
        }
    }

    fn wake_one(&self) {
        if self.announced.load(Ordering::SeqCst) > 0 {
            let _ = self.sleepers().any(|thread| self.wake(thread));
        }
    }

    /// Wakes the sleeper of a squad that has the lowest seat: if one of them may begin what only a head may, this one
    /// may.
    fn wake_one_of(&self, squad: usize) {
        let Some(squads) = &self.squads else { return };
        let is_of = |&thread: &usize| squads[thread] == squad && !mutant!("squad_not_called");
        if self.announced.load(Ordering::SeqCst) > 0 {
            let _ = self.sleepers().filter(is_of).any(|thread| self.wake(thread));
        }
    }

    /// Wakes all sleepers, which are to see something that the caller has written before.
    pub(crate) fn wake_all(&self) {
        full_fence();
        self.sleepers().for_each(|thread| {
            self.wake(thread);
        });
    }

    /// The threads that seem to sleep, the first one first.
    fn sleepers(&self) -> impl Iterator<Item = usize> {
        self.sleeping.iter(0..self.beds.len())
    }

    /// Wakes this thread, if it sleeps. Returns whether it did.
    fn wake(&self, thread: usize) -> bool {
        let sleeps = self.sleeping.remove(thread);
        if sleeps {
            self.announced.fetch_sub(1, Ordering::SeqCst);
            self.beds[thread].unpark();
        }
        sleeps
    }

    /// Sleeps as thread `me`. If it becomes the sentinel, and either the team is active or the sentinel may `linger`,
    /// it sleeps as `plan` says. With squads, so does every thread while the team is active. Otherwise it sleeps until
    /// it is called.
    ///
    /// `look` is called last before the sleep. It returns true if there is something to do after all. A thread that is
    /// about to watch must first prepare the ladders there.
    pub(crate) fn sleep(&self, me: usize, plan: Plan, linger: bool, look: impl FnOnce(Sleep) -> bool) -> Woken {
        let bed = &self.beds[me];
        // Counted before it is announced: the thread that finds the announcement lowers the count, which must not get
        // below zero.
        self.announced.fetch_add(1, Ordering::SeqCst);
        self.sleeping.insert(me);
        full_fence();
        let is_sentinel = self
            .sentinel
            .compare_exchange(0, me + 1, Ordering::SeqCst, Ordering::SeqCst)
            .map_or_else(|s| s == me + 1, |_| true);
        let mut called = match sleeps(plan, is_sentinel, self.squads.is_some(), linger, || self.is_active()) {
            Some(Plan::Nap(timeout)) => look(Sleep::Nap) || bed.park_timeout(timeout),
            Some(Plan::Watch(timeout)) => {
                self.sentinel_watches.store(true, Ordering::SeqCst);
                self.begin_watch();
                let called = look(Sleep::Watch) || bed.park_timeout(timeout);
                self.end_watch();
                self.sentinel_watches.store(false, Ordering::SeqCst);
                called
            }
            None => {
                if is_sentinel {
                    self.sentinel.store(0, Ordering::SeqCst);
                }
                full_fence();
                // While this thread had the role, the first fork of a run found the role taken, and has woken no
                // thread.
                let must_look = is_sentinel && self.is_active() && !mutant!("sentinel_no_second_look");
                if !(must_look || look(Sleep::UntilCalled) && !mutant!("sleep_no_second_look")) {
                    bed.park();
                }
                true
            }
        };
        // Retracted before the search, so that no thread wastes a call on this one. If another thread has already
        // retracted it, this thread has been called, and the token of that call must not end its next sleep.
        if self.sleeping.remove(me) {
            self.announced.fetch_sub(1, Ordering::SeqCst);
        } else {
            called = true;
            _ = bed.take_token();
        }
        if called { Woken::Called } else { Woken::TimedOut }
    }

    /// Thread `me`, which is idle, will not be back.
    pub(crate) fn leave(&self, me: usize) {
        self.going_busy(me);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread;

    /// Loom checks few threads, whose marks are in one word.
    #[test]
    fn sleepers_are_called_whichever_word_has_their_marks() {
        const THREADS: usize = 3 * usize::BITS as usize;
        const FIRST_OF_SECOND: usize = usize::BITS as usize;
        let squads = (0..THREADS).map(|thread| thread / FIRST_OF_SECOND).collect();
        let sleepers = Sleepers::new(THREADS, Some(squads));
        thread::scope(|scope| {
            let sleep = |me| {
                scope.spawn({
                    let sleepers = &sleepers;
                    move || sleepers.sleep(me, Plan::Nap(std::time::Duration::ZERO), false, |_| false)
                })
            };
            let others = [0, FIRST_OF_SECOND - 1, FIRST_OF_SECOND + 1, THREADS - 1].map(sleep);
            let first = sleep(FIRST_OF_SECOND);
            while sleepers.announced.load(Ordering::SeqCst) < 5 || sleepers.sleepers().count() < 5 {
                thread::yield_now();
            }
            assert!(sleepers.is_asleep(FIRST_OF_SECOND) && !sleepers.is_asleep(FIRST_OF_SECOND + 2));
            sleepers.call_for_more(Some(1));
            assert_eq!(first.join().expect("it sleeps and wakes"), Woken::Called);
            assert!(sleepers.sleepers().eq([0, FIRST_OF_SECOND - 1, FIRST_OF_SECOND + 1, THREADS - 1]));
            sleepers.wake_all();
            others.into_iter().for_each(|other| assert_eq!(other.join().expect("as above"), Woken::Called));
        });
        assert_eq!((sleepers.announced.load(Ordering::SeqCst), sleepers.sleepers().next()), (0, None));
    }
}
