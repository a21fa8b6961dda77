//! Lanes: where the batches of a traversal wait, and how its end is noticed (design, section 9; xws.txt, sections 2.2
//! and 2.3).
//!
//! Every worker that takes part occupies a lane. A lane has two lists of batches: those of the phase that is *now*, a
//! stack to its occupant and a queue to thieves, and those of the *next* one.
//!
//! ```text
//!   lane      lists, under the lane's lock                          written by
//!             now, next      batches                                 its occupant; thieves (now); who advances the phase
//!             is_busy        its occupant has a batch in hand        its occupant; who advances the phase never finds it set
//!             holds          it is counted                           its occupant; thieves; who advances the phase
//!             len, changes   of now; peeked at without the lock      with now
//!   all       holding        how many lanes are counted              who changes a `holds`; thieves before they let go
//!             phase, is_over                                         who advances the phase
//! ```
//!
//! **A lane is counted** while it has batches of this phase, or its occupant has one in hand. The count changes when
//! somebody runs dry or steals, never with a batch or an item. Four rules keep it above zero as long as there is work:
//!
//! * A thief that takes a batch counts its own lane in *before* it lets go of the victim's lock. If it has emptied a
//!   lane whose occupant has nothing in hand, which need not come back to see that, it takes over that lane's count
//!   instead.
//! * Who runs dry uncounts its lane under the lock that shows it empty, and only then lowers the count.
//! * Who finds its own lane counted already, because the phase has changed since it last looked there, gives one back.
//! * Who steals several, of a lane that nobody works in, decides whether it has emptied it by what is left then, and
//!   puts the others into its own lane as it shows that it has one in hand.
//!
//! So whoever lowers the count to zero is alone: nobody has a batch, and nobody can get one. The phase is over. Who
//! knows that does what it likes with it, user code included, and then **advances the phase**, under all locks: swaps
//! the lists of every lane that has something for the next, and counts these. If there is none, the traversal is over.
//! Lanes without a next phase take no notice: their workers may skip phases.
//!
//! **Nobody needs to stay.** A worker that has found nothing in any lane after it ran dry may leave: if there was work,
//! somebody else has it in hand and will look at all lanes in turn; who advances the phase looks afterwards itself.
//!
//! Checked by `models/lanes.pml` with its mutants, and these sources by loom (`loom_tests.rs`).

#[cfg(all(test, loom))]
mod loom_tests;

use crate::sync::{AtomicBool, AtomicUsize, Mutex, Ordering, lock};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::mem;

pub(crate) struct Lanes<B> {
    lanes: Box<[CachePadded<Lane<B>>]>,
    /// How many lanes hold work of this phase.
    holding: CachePadded<AtomicUsize>,
    /// How often it has been advanced.
    phase: CachePadded<AtomicUsize>,
    /// How many items the phase began with.
    phase_items: AtomicUsize,
    is_over: AtomicBool,
}

struct Lane<B> {
    /// Thieves look at this all the time: on a line of its own, so that they do not slow down the locking.
    shown: CachePadded<Shown>,
    lists: Mutex<Lists<B>>,
}

/// What can be seen of `now` without the lock.
struct Shown {
    len: AtomicUsize,
    /// How often it has changed.
    changes: AtomicUsize,
}

struct Lists<B> {
    now: VecDeque<B>,
    next: VecDeque<B>,
    /// In the batches of `next`.
    next_items: usize,
    is_busy: bool,
    holds: bool,
}

/// A batch that somebody has in hand now.
pub(crate) struct Found<B> {
    pub(crate) batch: B,
    /// From another lane.
    pub(crate) is_stolen: bool,
}

/// What somebody has who is through with a batch.
pub(crate) enum Next<B> {
    Batch(B),
    /// Nothing: it has run dry.
    Nothing,
    /// Nothing, and nobody has anything, or can get it, until the caller [advances](Lanes::advance) the phase. If it
    /// does not, because all has been stopped, nobody ever does.
    PhaseIsOver,
}

/// What a thief sees of a lane without locking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glance {
    pub(crate) lane: usize,
    pub(crate) depth: usize,
    pub(crate) changes: usize,
}

impl<B> Lane<B> {
    fn new() -> Self {
        let lists = Lists { now: VecDeque::new(), next: VecDeque::new(), next_items: 0, is_busy: false, holds: false };
        let shown = Shown { len: AtomicUsize::new(0), changes: AtomicUsize::new(0) };
        Lane { shown: CachePadded::new(shown), lists: Mutex::new(lists) }
    }

    /// Under the lock.
    fn show(&self, lists: &Lists<B>) {
        self.shown.len.store(lists.now.len(), Ordering::Relaxed);
        // Says whom to steal from, and nothing else; to the model checker it is many more interleavings.
        if !cfg!(loom) {
            let changes = &self.shown.changes;
            changes.store(changes.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }
}

impl<B> Lanes<B> {
    /// So many lanes, with the batches `first`, of `items` items, in that of index `home`.
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

    /// Whether all is done. Acquires what was done.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Which phase it is, to somebody who has a batch of it in hand.
    pub(crate) fn phase(&self) -> usize {
        self.phase.load(Ordering::Relaxed)
    }

    /// How many items this phase began with.
    pub(crate) fn phase_items(&self) -> usize {
        self.phase_items.load(Ordering::Relaxed)
    }

    /// How many batches wait in a lane, at a glance.
    pub(crate) fn depth(&self, lane: usize) -> usize {
        self.lanes[lane].shown.len.load(Ordering::Relaxed)
    }

    /// Leaves a batch for this phase in the lane of the caller, who has one in hand.
    pub(crate) fn push(&self, me: usize, batch: B) {
        let lane = &self.lanes[me];
        let mut lists = lock(&lane.lists);
        debug_assert!(lists.is_busy && lists.holds);
        lists.now.push_back(batch);
        lane.show(&lists);
    }

    /// Leaves a batch of so many items for the next phase in the lane of the caller, who has one in hand.
    pub(crate) fn push_next(&self, me: usize, batch: B, items: usize) {
        let mut lists = lock(&self.lanes[me].lists);
        debug_assert!(lists.is_busy && lists.holds);
        lists.next.push_back(batch);
        lists.next_items += items;
    }

    /// The newest batch of the caller's lane, once it is through with the one that it had in hand.
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

    /// How many items have been left for the next phase, to the one who knows that this one is over.
    pub(crate) fn next_items(&self) -> usize {
        self.lanes.iter().map(|lane| lock(&lane.lists).next_items).sum()
    }

    /// A batch for a caller that has none in hand: of its own lane, the newest, or the oldest of another's, if `may`
    /// says so; of those, lane `first` is looked at first. Nothing if there was none.
    pub(crate) fn find(&self, me: usize, first: usize, mut may: impl FnMut(Glance) -> bool) -> Option<Found<B>> {
        if let Some(batch) = self.get_own(me) {
            return Some(Found { batch, is_stolen: false });
        }
        let count = self.count();
        let others = (0..count).map(|distance| (first + distance) % count).filter(|&lane| lane != me);
        let mut shown = others.filter(|&lane| self.depth(lane) > 0 && may(self.glance(lane)));
        shown.find_map(|victim| self.steal(me, victim))
    }

    /// How many batches wait in the lane with the most, at a glance.
    pub(crate) fn deepest(&self) -> usize {
        (0..self.count()).map(|lane| self.depth(lane)).max().unwrap_or(0)
    }

    fn glance(&self, lane: usize) -> Glance {
        Glance { lane, depth: self.depth(lane), changes: self.lanes[lane].shown.changes.load(Ordering::Relaxed) }
    }

    /// The newest batch of the caller's lane, if there is one.
    pub(crate) fn get_own(&self, me: usize) -> Option<B> {
        let lane = &self.lanes[me];
        if self.depth(me) == 0 {
            return None;
        }
        let mut lists = lock(&lane.lists);
        let batch = lists.now.pop_back()?;
        lane.show(&lists);
        // It is counted: it had a batch.
        lists.is_busy = true;
        Some(batch)
    }

    fn steal(&self, me: usize, victim: usize) -> Option<Found<B>> {
        let (batch, more) = {
            let lane = &self.lanes[victim];
            let mut lists = lock(&lane.lists);
            let batch = lists.now.pop_front()?;
            // Of a lane that nobody works in, half: its batches would be fetched one by one. Until they are in this
            // worker's lane nobody sees them, but that is counted from before they leave.
            let half = if lists.is_busy { 0 } else { lists.now.len() / 2 };
            let more: VecDeque<_> = lists.now.drain(..half).collect();
            lane.show(&lists);
            if lists.now.is_empty() && !lists.is_busy && !mutant!("abandoned_count") {
                // Nobody may come to see that: the count of that lane becomes that of this one.
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
            // By who advanced the phase, after this worker had last looked here.
            self.holding.fetch_sub(1, Ordering::Relaxed);
        }
        if !more.is_empty() {
            lists.now.extend(more);
            lane.show(&lists);
        }
        Some(Found { batch, is_stolen: true })
    }

    /// Begins the next phase, or ends the traversal. By the one who has been told that the phase is over.
    #[cold]
    pub(crate) fn advance(&self) {
        // All of them, in one order, while everybody else has one at most: a thief must not see this phase here and the
        // next there.
        let mut all: Vec<_> = self.lanes.iter().map(|lane| (lane, lock(&lane.lists))).collect();
        let count = all.iter().filter(|(_, lists)| !lists.next.is_empty()).count();
        if count == 0 {
            self.is_over.store(true, Ordering::Release);
            return;
        }
        self.phase_items.store(all.iter().map(|(_, lists)| lists.next_items).sum(), Ordering::Relaxed);
        self.phase.store(self.phase() + 1, Ordering::Relaxed);
        // Before any of it can be found.
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
