//! What a visit can use: the half-filled batches of its worker, and the worker's workspace.

use super::batch::{Batch, Items};
use super::counts::OwnCounts;
use crate::constructs::strand::Strand;
use crate::engine::recording::Key;
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::team::stop::Stop;
use crate::protocol::lanes::Lanes;
use crate::sync::clock;
use filch_policy::traversals::Size;
use std::fmt;
use std::mem;

/// The worklist of a traversal as a visit sees it. It takes new items, and has the [workspace](Self::workspace) of the
/// worker.
///
/// See [`traverse`](crate::traverse()).
pub struct Worklist<'t, T, W> {
    lanes: &'t Lanes<Batch<T>>,
    lane: usize,
    strand: Strand<'t>,
    /// Offers work to workers that do not take part, after a batch has been left where it can be stolen.
    offer: &'t dyn Fn(),
    stop: &'t Stop,
    /// The new items of this phase. They are left in the lane when there are `limit` of them, or visited next.
    fresh: Vec<T>,
    limit: usize,
    fresh_next: Vec<T>,
    next_limit: usize,
    /// How many items of the batch that is being visited have been left to thieves.
    cut: usize,
    own: &'t mut Own<T, W>,
    /// For a profile: in front of the numbers of phases.
    name: Key,
}

/// What stays in a lane when its occupant leaves, for the next occupant.
pub(super) struct Own<T, W> {
    pub(super) workspace: W,
    pub(super) size: Size,
    pub(super) counts: OwnCounts,
    /// How many items this worker has left for the phase after `phase`.
    left_next: usize,
    /// The phase of the latest batch, `usize::MAX` before the first.
    phase: usize,
    /// The memory of batches that are done.
    spare: Vec<Vec<T>>,
}

/// How many such vectors are kept: as many as a thief may bring in a row.
const MAX_SPARE: usize = 64;

/// The largest that is kept.
const MAX_SPARE_BYTES: usize = 1 << 16;

impl<T, W> Own<T, W> {
    pub(super) fn new(workspace: W, size: Size) -> Self {
        Own { workspace, size, counts: OwnCounts::default(), left_next: 0, phase: usize::MAX, spare: Vec::new() }
    }

    fn empty(&mut self, capacity: usize) -> Vec<T> {
        self.spare.pop().unwrap_or_else(|| Vec::with_capacity(capacity))
    }

    /// Keeps the memory of a batch that is done.
    fn recycle(&mut self, batch: Vec<T>) {
        debug_assert!(batch.is_empty());
        if self.spare.len() < MAX_SPARE && batch.capacity() * size_of::<T>() <= MAX_SPARE_BYTES {
            self.spare.push(batch);
        }
    }
}

impl<'t, T, W> Worklist<'t, T, W> {
    pub(super) fn new(
        lanes: &'t Lanes<Batch<T>>,
        lane: usize,
        strand: Strand<'t>,
        own: &'t mut Own<T, W>,
        offer: &'t dyn Fn(),
        stop: &'t Stop,
    ) -> Self {
        let (fresh, fresh_next) = (own.empty(0), own.empty(0));
        let name = Key::new();
        Worklist { lanes, lane, strand, offer, stop, fresh, limit: 1, fresh_next, next_limit: 1, cut: 0, own, name }
    }

    /// Adds an item to this phase.
    ///
    /// Work: a comparison and a store, and a lock for one item of each batch.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.fresh.push(item);
        if self.fresh.len() >= self.limit {
            self.leave_batch();
        }
    }

    /// Adds an item to the next phase, which begins when this one is over on all workers. The same work as
    /// [`push`](Self::push).
    #[inline(always)]
    pub fn push_next(&mut self, item: T) {
        self.fresh_next.push(item);
        if self.fresh_next.len() >= self.next_limit {
            self.leave_next_batch();
        }
    }

    /// The workspace of this worker.
    #[inline(always)]
    pub fn workspace(&mut self) -> &mut W {
        &mut self.own.workspace
    }

    /// Leaves the items that have been added to this phase as a batch now, however few they are. Together with
    /// [`queue_depth`](Self::queue_depth), this is for programs that decide the size of batches themselves, with a
    /// large [`Batches::Fixed`](crate::Batches::Fixed).
    pub fn flush(&mut self) {
        self.leave_batch();
    }

    /// How many batches of this worker wait to be begun, by it or by a thief. Adaptive batches are sized by this
    /// number, which tells how busy thieves are (Cong et al. 2008, section 3.3).
    pub fn queue_depth(&self) -> usize {
        self.lanes.depth(self.lane)
    }

    /// How many phases have ended.
    pub fn phase(&self) -> usize {
        self.lanes.phase()
    }

    /// Stops the traversal: no further item is visited, and the items that wait are dropped. Visits under way are
    /// finished.
    pub fn stop(&mut self) {
        self.stop.request();
    }

    /// Whether the traversal has been stopped, by [`stop`](Self::stop) or by a panic.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// A strand, for visits that fork.
    pub fn strand(&mut self) -> Strand<'_> {
        self.strand.reborrow()
    }

    #[cold]
    #[inline(never)]
    fn leave_batch(&mut self) {
        if let Some(batch) = Batch::of(&mut self.fresh, || self.own.empty(self.limit)) {
            self.lanes.push(self.lane, batch.spawned());
            self.own.counts.batches += 1;
            self.set_limit();
            (self.offer)();
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_next_batch(&mut self) {
        let items = self.fresh_next.len();
        // The new vector has room for as many items, not for `next_limit`, which the user may have set higher than
        // there is memory for.
        if let Some(batch) = Batch::of(&mut self.fresh_next, || self.own.empty(items)) {
            self.lanes.push_next(self.lane, batch.spawned(), items);
            self.own.counts.batches += 1;
            self.own.left_next += items;
            self.set_next_limit();
        }
    }

    fn set_limit(&mut self) {
        self.limit = self.own.size.of_now(self.lanes.depth(self.lane));
    }

    /// The next phase is expected to be as long as this one was, or longer once more items than that have been added to
    /// it.
    fn set_next_limit(&mut self) {
        let size = &self.own.size;
        self.next_limit = size.of_next(size.share(self.lanes.phase_items()).max(self.own.left_next));
    }

    /// Visits a batch, then the half-filled batch that these visits have made, and so on until there is none. A
    /// half-filled batch is swapped in rather than left and fetched again (Cong et al. 2008, section 3.3).
    pub(super) fn work(&mut self, batch: Batch<T>, visit: &impl Fn(&mut Self, &mut Vec<T>)) {
        self.own.counts.tasks += 1;
        if self.own.phase != self.lanes.phase() {
            self.own.phase = self.lanes.phase();
            self.own.left_next = 0;
            self.own.counts.phases += 1;
        }
        self.set_next_limit();
        let _begun = batch.begin();
        // In a profile, a phase waits for all batches of the one before it.
        let phase = self.own.phase as u64;
        self.name.at(phase).wait();
        let mut batch = match batch.items {
            Items::Many(items) => items,
            Items::One(item) => {
                let mut items = self.own.empty(1);
                items.push(item);
                items
            }
        };
        loop {
            self.set_limit();
            self.visit_all(&mut batch, visit);
            if self.is_stopped() {
                return;
            }
            if self.fresh.is_empty() {
                break;
            }
            mem::swap(&mut batch, &mut self.fresh);
            self.own.counts.swaps += 1;
            if self.queue_depth() > 0 {
                (self.offer)();
            }
        }
        self.own.recycle(batch);
        self.name.at(phase + 1).post();
    }

    fn visit_all(&mut self, batch: &mut Vec<T>, visit: &impl Fn(&mut Self, &mut Vec<T>)) {
        end_if_cancelled(self.strand.occupied());
        let items = batch.len();
        self.cut = 0;
        let begin = self.own.size.times_next().then(clock::now_ns);
        while !batch.is_empty() && !self.is_stopped() {
            visit(self, batch);
        }
        let visited = (items - self.cut).saturating_sub(batch.len());
        self.own.counts.items += visited as u64;
        if let Some(begin) = begin {
            self.own.size.note(clock::now_ns() - begin, visited);
        }
    }

    /// Visits one item of `batch` after the other, the newest first: what it refers to is likely to be in the cache.
    ///
    /// Items may be dearer than those before, by which the size of the batch was chosen. So where this worker has
    /// nothing else that thieves could get, it looks at the clock after 1, 2, 4 items and so on. If the batch takes
    /// longer than it should, half of the rest is left to them.
    pub(crate) fn visit_each(&mut self, batch: &mut Vec<T>, visit: &impl Fn(&mut Self, T)) {
        let (mut visited, mut look, mut since_ns) = (0_usize, 1_usize, None);
        while !self.is_stopped()
            && let Some(item) = batch.pop()
        {
            visit(self, item);
            visited += 1;
            if visited == look && batch.len() > 1 {
                end_if_cancelled(self.strand.occupied());
                look = if self.queue_depth() == 0 && self.cuts(batch, &mut since_ns) { visited + 1 } else { 2 * look };
            }
        }
    }

    /// Leaves half of `batch` to thieves, if it takes long. Returns whether it does.
    #[cold]
    fn cuts(&mut self, batch: &mut Vec<T>, since_ns: &mut Option<u64>) -> bool {
        let now_ns = clock::now_ns();
        if !self.own.size.is_dear(now_ns - *since_ns.get_or_insert(now_ns)) {
            return false;
        }
        // The older half.
        let newer = batch.split_off(batch.len() / 2);
        let mut older = mem::replace(batch, newer);
        self.cut += older.len();
        if let Some(older) = Batch::of(&mut older, Vec::new) {
            self.lanes.push(self.lane, older.spawned());
            self.own.counts.batches += 1;
            self.set_limit();
            (self.offer)();
        }
        true
    }

    /// Leaves the items for the next phase. Called before the worker runs dry in this one.
    pub(super) fn finish_phase(&mut self) {
        self.leave_next_batch();
    }

    pub(super) fn counts(&mut self) -> &mut OwnCounts {
        &mut self.own.counts
    }
}

impl<T, W> fmt::Debug for Worklist<'_, T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worklist")
            .field("phase", &self.phase())
            .field("queue_depth", &self.queue_depth())
            .finish_non_exhaustive()
    }
}
