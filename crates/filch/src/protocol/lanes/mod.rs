//! Lanes: where the batches of a traversal wait, and how the end of each phase is detected (Cong, Kodali,
//! Krishnamoorthy, Lea, Saraswat and Wen 2008, sections 2.2 and 2.3).
//!
//! Every worker that takes part in a traversal occupies a lane. A lane has two lists of batches: those of the phase
//! that is *now*, and those of the *next* phase. The first list is a stack to the occupant of the lane and a queue to
//! thieves.
//!
//! ```text
//!            state                                         written by
//!   lane     under the lane's lock:
//!              now, next     the two lists                 occupant; thieves (now only); advancer
//!              is_busy       occupant has a batch in hand  occupant; the advancer never finds it set
//!              holds         the lane is counted           occupant; thieves; advancer
//!            len, changes    of `now`, read without lock   with `now`
//!   all      holding         how many lanes are counted    with `holds`; thieves before they unlock the victim's lane
//!            phase, is_over                                advancer
//! ```
//!
//! The *advancer* is the worker that has lowered `holding` to zero.
//!
//! **A lane is counted** while it has batches of this phase, or its occupant has one in hand. The count changes when a
//! worker runs dry or steals, never per batch or per item. Four rules keep it above zero as long as there is work:
//!
//! * A thief that takes a batch counts its own lane in *before* it releases the victim's lock. If it has emptied a lane
//!   whose occupant has nothing in hand, it takes over that lane's count instead, because that occupant need not come
//!   back to see that its lane is empty.
//! * A worker that runs dry uncounts its lane under the lock that shows the lane empty, and only then lowers the count.
//! * A thief that finds its own lane counted already, because the phase has changed since it last looked there, lowers
//!   the count by one.
//! * A thief that takes several batches, from a lane whose occupant has nothing in hand, decides by what is left
//!   afterwards whether it has emptied that lane. It puts the others into its own lane under the same lock under which
//!   it shows that it has a batch in hand.
//!
//! So the worker that lowers the count to zero is alone: no worker has a batch, and none can get one. The phase is
//! over. That worker may now run any code, user code included. Then it **advances the phase**, under all locks: it
//! swaps the lists of every lane that has something for the next phase, and counts these lanes. If there is no such
//! lane, the traversal is over. Workers of other lanes take no notice, and so may skip phases.
//!
//! **No worker has to stay.** A worker that has run dry and then found nothing in any lane may leave. If there was
//! work, another worker has it in hand and will look at all lanes later; and the worker that advances the phase looks
//! at them afterwards.
//!
//! `models/lanes.pml` checks the protocol, with its mutants. Loom checks these sources (`loom_tests.rs`). May import:
//! `sync`.

#[cfg(all(test, loom))]
mod loom_tests;

use crate::sync::{AtomicBool, AtomicUsize, Mutex, Ordering, lock};
use crossbeam_utils::CachePadded;
use filch_policy::traversals::Glance;
use std::collections::VecDeque;
use std::mem;

pub(crate) struct Lanes<B> {
    lanes: Box<[CachePadded<Lane<B>>]>,
    /// How many lanes are counted: those that hold work of this phase.
    holding: CachePadded<AtomicUsize>,
    /// How often the phase has been advanced.
    phase: CachePadded<AtomicUsize>,
    /// How many items this phase began with.
    phase_items: AtomicUsize,
    is_over: AtomicBool,
}

struct Lane<B> {
    /// Thieves read this all the time. It has a cache line of its own, so that they do not slow down the lock.
    shown: CachePadded<Shown>,
    lists: Mutex<Lists<B>>,
}

/// What threads can see of `now` without the lock.
struct Shown {
    len: AtomicUsize,
    /// How often `now` has changed.
    changes: AtomicUsize,
}

struct Lists<B> {
    now: VecDeque<B>,
    next: VecDeque<B>,
    /// The number of items in the batches of `next`.
    next_items: usize,
    is_busy: bool,
    holds: bool,
}

/// A batch that its finder has in hand from now on.
pub(crate) struct Found<B> {
    pub(crate) batch: B,
    /// Whether it comes from another lane.
    pub(crate) is_stolen: bool,
}

/// What a worker that is through with a batch gets.
pub(crate) enum Next<B> {
    Batch(B),
    /// Nothing: the worker has run dry.
    Nothing,
    /// Nothing, and no worker has anything or can get anything until the caller [advances](Lanes::advance) the phase.
    /// If the caller does not do that, because the traversal has been stopped, no worker ever does.
    PhaseIsOver,
}

impl<B> Lane<B> {
    fn new() -> Self {
        let lists = Lists { now: VecDeque::new(), next: VecDeque::new(), next_items: 0, is_busy: false, holds: false };
        let shown = Shown { len: AtomicUsize::new(0), changes: AtomicUsize::new(0) };
        Lane { shown: CachePadded::new(shown), lists: Mutex::new(lists) }
    }

    /// Shows how `lists` has changed. Called under the lock.
    fn show(&self, lists: &Lists<B>) {
        self.shown.len.store(lists.now.len(), Ordering::Relaxed);
        // Only a hint to thieves. It is left out under loom, where it would add many interleavings.
        if !cfg!(loom) {
            let changes = &self.shown.changes;
            changes.store(changes.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }
}

impl<B> Lanes<B> {
    /// Makes `count` lanes. Lane `home` gets the batches `first`, which have `items` items in all.
    pub(crate) fn new(count: usize, home: usize, first: impl IntoIterator<Item = B>, items: usize) -> Self {
        let lanes: Box<[_]> = (0..count).map(|_| CachePadded::new(Lane::new())).collect();
        let is_over = {
            let mut lists = lock(&lanes[home].lists);
            lists.now.extend(first);
            lists.holds = !lists.now.is_empty();
            lanes[home].show(&lists);
            !lists.holds
        };
        Lanes {
            lanes,
            holding: CachePadded::new(AtomicUsize::new(usize::from(!is_over))),
            phase: CachePadded::new(AtomicUsize::new(0)),
            phase_items: AtomicUsize::new(items),
            is_over: AtomicBool::new(is_over),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Whether the traversal is over. Acquires what has been done in it.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// The number of this phase, for a worker that has a batch of it in hand or has been told that it is over.
    pub(crate) fn phase(&self) -> usize {
        self.phase.load(Ordering::Relaxed)
    }

    /// How many items this phase began with.
    pub(crate) fn phase_items(&self) -> usize {
        self.phase_items.load(Ordering::Relaxed)
    }

    /// How many batches wait in a lane, read without its lock.
    pub(crate) fn depth(&self, lane: usize) -> usize {
        self.lanes[lane].shown.len.load(Ordering::Relaxed)
    }

    /// Leaves a batch for this phase in the lane of the caller, which has a batch in hand.
    pub(crate) fn push(&self, me: usize, batch: B) {
        let lane = &self.lanes[me];
        let mut lists = lock(&lane.lists);
        debug_assert!(lists.is_busy && lists.holds);
        lists.now.push_back(batch);
        lane.show(&lists);
    }

    /// Leaves a batch of `items` items for the next phase in the lane of the caller, which has a batch in hand.
    pub(crate) fn push_next(&self, me: usize, batch: B, items: usize) {
        let mut lists = lock(&self.lanes[me].lists);
        debug_assert!(lists.is_busy && lists.holds);
        lists.next.push_back(batch);
        lists.next_items += items;
    }

    /// The newest batch of the caller's lane, for a caller that is through with the batch that it had in hand. If there
    /// is none, the lane is not counted any more.
    pub(crate) fn next_or_run_dry(&self, me: usize) -> Next<B> {
        {
            let lane = &self.lanes[me];
            let mut lists = lock(&lane.lists);
            debug_assert!(lists.is_busy && lists.holds);
            if let Some(batch) = lists.now.pop_back() {
                lane.show(&lists);
                return Next::Batch(batch);
            }
            lists.is_busy = false;
            lists.holds = false;
        }
        if self.holding.fetch_sub(1, Ordering::AcqRel) == 1 { Next::PhaseIsOver } else { Next::Nothing }
    }

    /// How many items have been left for the next phase. For the worker that has been told that this one is over.
    pub(crate) fn next_items(&self) -> usize {
        self.lanes.iter().map(|lane| lock(&lane.lists).next_items).sum()
    }

    /// Finds a batch for a caller that has none in hand: the newest of its own lane, or else the oldest of another lane
    /// for which `may` returns true. Of those, lane `first` comes first. Returns `None` if there was no such batch.
    pub(crate) fn find(&self, me: usize, first: usize, mut may: impl FnMut(Glance) -> bool) -> Option<Found<B>> {
        if let Some(batch) = self.get_own(me) {
            return Some(Found { batch, is_stolen: false });
        }
        let count = self.count();
        let others = (0..count).map(|distance| (first + distance) % count).filter(|&lane| lane != me);
        let mut shown = others.filter(|&lane| self.depth(lane) > 0 && may(self.glance(lane)));
        shown.find_map(|victim| self.steal(me, victim))
    }

    /// The number of batches in the lane that has the most, read without locks.
    pub(crate) fn deepest(&self) -> usize {
        (0..self.count()).map(|lane| self.depth(lane)).max().unwrap_or(0)
    }

    fn glance(&self, lane: usize) -> Glance {
        Glance { lane, depth: self.depth(lane), changes: self.lanes[lane].shown.changes.load(Ordering::Relaxed) }
    }

    /// Removes the newest batch of the caller's lane, if there is one.
    pub(crate) fn get_own(&self, me: usize) -> Option<B> {
        let lane = &self.lanes[me];
        if self.depth(me) == 0 {
            return None;
        }
        let mut lists = lock(&lane.lists);
        let batch = lists.now.pop_back()?;
        lane.show(&lists);
        // The lane is counted already, because it had a batch.
        lists.is_busy = true;
        Some(batch)
    }

    fn steal(&self, me: usize, victim: usize) -> Option<Found<B>> {
        let (batch, more) = {
            let lane = &self.lanes[victim];
            let mut lists = lock(&lane.lists);
            let batch = lists.now.pop_front()?;
            // From a lane whose occupant has nothing in hand, take half of the rest as well. Otherwise thieves would
            // fetch its batches one by one. No worker sees these batches until they are in the thief's lane, but the
            // count covers them from before they leave.
            let half = if lists.is_busy { 0 } else { lists.now.len() / 2 };
            let more: VecDeque<_> = lists.now.drain(..half).collect();
            lane.show(&lists);
            if lists.now.is_empty() && !lists.is_busy && !mutant!("abandoned_count") {
                // The occupant may not come back to see that, so the count of its lane becomes that of the thief's
                // lane.
                lists.holds = false;
            } else if !mutant!("steal_uncounted") {
                self.holding.fetch_add(1, Ordering::Relaxed);
            }
            (batch, more)
        };
        if mutant!("steal_uncounted") {
            self.holding.fetch_add(1, Ordering::Relaxed);
        }
        let lane = &self.lanes[me];
        let mut lists = lock(&lane.lists);
        lists.is_busy = true;
        if mem::replace(&mut lists.holds, true) && !mutant!("counted_twice") {
            // The worker that advanced the phase has counted this lane since its occupant last looked here.
            self.holding.fetch_sub(1, Ordering::Relaxed);
        }
        if !more.is_empty() {
            lists.now.extend(more);
            lane.show(&lists);
        }
        Some(Found { batch, is_stolen: true })
    }

    /// Begins the next phase, or ends the traversal. Called by the worker that has been told that the phase is over.
    #[cold]
    pub(crate) fn advance(&self) {
        // All locks at once, so that no thief sees this phase in one lane and the next phase in another. They are taken
        // in a fixed order, and every other thread holds at most one of them, so there is no deadlock.
        let mut all: Vec<_> = self.lanes.iter().map(|lane| (lane, lock(&lane.lists))).collect();
        let count = all.iter().filter(|(_, lists)| !lists.next.is_empty()).count();
        if count == 0 {
            self.is_over.store(true, Ordering::Release);
            return;
        }
        self.phase_items.store(all.iter().map(|(_, lists)| lists.next_items).sum(), Ordering::Relaxed);
        self.phase.store(self.phase() + 1, Ordering::Relaxed);
        // The count must be right before any of these batches can be found.
        self.holding.store(count, Ordering::Relaxed);
        for (lane, lists) in &mut all {
            let lists = &mut **lists;
            debug_assert!(lists.now.is_empty() && !lists.is_busy && !lists.holds);
            if !lists.next.is_empty() {
                mem::swap(&mut lists.now, &mut lists.next);
                lists.next_items = 0;
                lists.holds = true;
                lane.show(lists);
            }
        }
    }
}
