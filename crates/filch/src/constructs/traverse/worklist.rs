//! What a visitor has in hand: its worker's half-filled batches, and the worker's workspace.

use super::batch::Batch;
use super::counts::OwnCounts;
use crate::constructs::strand::Strand;
use crate::engine::stop::Stop;
use crate::protocol::lanes::Lanes;
use crate::sync::clock;
use filch_policy::traversals::Size;
use std::fmt;
use std::mem;

/// The worklist of a traversal, as a visitor sees it: where new items go, and the [workspace](Self::workspace) of the
/// worker.
///
/// See [`traverse`](crate::traverse()).
pub struct Worklist<'t, T, W> {
    lanes: &'t Lanes<Batch<T>>,
    lane: usize,
    strand: Strand<'t>,
    /// Offers work to those who do not take part, after a batch has been left where it can be stolen.
    offer: &'t dyn Fn(),
    stop: &'t Stop,
    /// To be left when it has reached its limit; or to be gone on with.
    fresh: Vec<T>,
    limit: usize,
    fresh_next: Vec<T>,
    next_limit: usize,
    own: &'t mut Own<T, W>,
}

/// What stays in a lane when its occupant leaves, for the next one.
pub(super) struct Own<T, W> {
    pub(super) workspace: W,
    pub(super) size: Size,
    pub(super) counts: OwnCounts,
    /// Items that this worker has left for the phase after `phase`.
    left_next: usize,
    phase: usize,
    /// Memory of batches that are done.
    spare: Vec<Vec<T>>,
}

/// So many are kept for batches to come; as many as a thief may bring in a row.
const MAX_SPARE: usize = 64;

/// And none that is larger.
const MAX_SPARE_BYTES: usize = 1 << 16;

impl<T, W> Own<T, W> {
    pub(super) fn new(workspace: W, size: Size) -> Self {
        Own { workspace, size, counts: OwnCounts::default(), left_next: 0, phase: 0, spare: Vec::new() }
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
        Worklist { lanes, lane, strand, offer, stop, fresh, limit: 1, fresh_next, next_limit: 1, own }
    }

    /// Adds an item to this phase.
    ///
    /// Work: a comparison and a store; for one item in a batch, a lock.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.fresh.push(item);
        if self.fresh.len() >= self.limit {
            self.leave_batch();
        }
    }

    /// Adds an item to the next phase, which begins when this one is over everywhere.
    #[inline(always)]
    pub fn push_next(&mut self, item: T) {
        self.fresh_next.push(item);
        if self.fresh_next.len() >= self.next_limit {
            self.leave_next_batch();
        }
    }

    /// What this worker keeps for itself.
    #[inline(always)]
    pub fn workspace(&mut self) -> &mut W {
        &mut self.own.workspace
    }

    /// Leaves what has been added to this phase as a batch now, however little it is. With
    /// [`queue_depth`](Self::queue_depth), for programs that size their batches themselves, under
    /// [`Batches::Fixed`](crate::Batches::Fixed) of a large number.
    pub fn flush(&mut self) {
        self.leave_batch();
    }

    /// How many batches of this worker wait to be begun, by it or a thief. The sign of progress that batches are sized
    /// by (xws.txt, section 3.3).
    pub fn queue_depth(&self) -> usize {
        self.lanes.depth(self.lane)
    }

    /// How many phases have ended.
    pub fn phase(&self) -> usize {
        self.lanes.phase()
    }

    /// Stops the traversal: nothing is begun any more, and what waits is dropped. Visits under way come to their end.
    pub fn stop(&mut self) {
        self.stop.request();
    }

    /// Whether the traversal is stopped, by [`stop`](Self::stop) or a panic.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// A strand, for a visitor that forks.
    pub fn strand(&mut self) -> Strand<'_> {
        self.strand.reborrow()
    }

    #[cold]
    #[inline(never)]
    fn leave_batch(&mut self) {
        if let Some(batch) = Batch::of(&mut self.fresh, || self.own.empty(self.limit)) {
            self.lanes.push(self.lane, batch);
            self.own.counts.batches += 1;
            self.set_limit();
            (self.offer)();
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_next_batch(&mut self) {
        let items = self.fresh_next.len();
        // With room for as many, not for `next_limit`: the user's number may be more than there is memory for.
        if let Some(batch) = Batch::of(&mut self.fresh_next, || self.own.empty(items)) {
            self.lanes.push_next(self.lane, batch, items);
            self.own.counts.batches += 1;
            self.own.left_next += items;
            self.set_next_limit();
        }
    }

    fn set_limit(&mut self) {
        self.limit = self.own.size.of_now(self.lanes.depth(self.lane));
    }

    /// The next phase is likely to be as long as this one was; longer, once it is.
    fn set_next_limit(&mut self) {
        let size = &self.own.size;
        self.next_limit = size.of_next(size.share(self.lanes.phase_items()).max(self.own.left_next));
    }

    /// Visits a batch, then the half-filled one that has come about meanwhile, and so on until there is none: swapped
    /// in rather than left and fetched again (xws.txt, section 3.3).
    pub(super) fn work(&mut self, batch: Batch<T>, visit: &impl Fn(&mut Self, &mut Vec<T>)) {
        self.own.counts.tasks += 1;
        if self.own.phase != self.lanes.phase() {
            self.own.phase = self.lanes.phase();
            self.own.left_next = 0;
        }
        self.set_next_limit();
        let mut batch = match batch {
            Batch::Many(items) => items,
            Batch::One(item) => {
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
    }

    fn visit_all(&mut self, batch: &mut Vec<T>, visit: &impl Fn(&mut Self, &mut Vec<T>)) {
        let items = batch.len();
        let begin = self.own.size.times_next().then(clock::now_ns);
        while !batch.is_empty() && !self.is_stopped() {
            visit(self, batch);
        }
        let visited = items.saturating_sub(batch.len());
        self.own.counts.items += visited as u64;
        if let Some(begin) = begin {
            self.own.size.note(clock::now_ns() - begin, visited);
        }
    }

    /// Leaves what it has for the next phase, before it runs dry in this one.
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
