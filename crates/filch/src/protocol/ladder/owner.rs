//! What the occupant of a ladder reads and writes there: slots, marks, and E at every return and at looks in between.

use super::Frame;
use super::Ladder;
use super::occupied::{Occupied, Pushed};
use super::rung::{LAST_ABOVE, Mark, Slot, is_frame};
use super::watch::WATCHED;
use crate::sync::{AtomicUsize, Ordering, compare, fence};
use std::ptr;

impl<'l, F: Frame> Occupied<'l, F> {
    #[inline(always)]
    pub(crate) fn ladder(self) -> &'l Ladder<F> {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { Ladder::of(self.rung()) }
    }

    /// The value that the layer above keeps with the ladder.
    #[inline(always)]
    pub(crate) fn owner(self) -> &'l F::Owner {
        self.ladder().owner()
    }

    #[inline(always)]
    pub(super) fn slot(self) -> &'l Slot<F> {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.rung().slot() }
    }

    /// The value of the slot. Only the occupant stores frames; other threads may mark a free slot (`watch.rs`).
    #[inline(always)]
    pub(super) fn read(self) -> *mut F {
        self.slot().load(Ordering::Relaxed)
    }

    /// Whether a fork may push here, if the top is not below: the strand is current, the ladder is open and not full,
    /// and the slot is not marked. One comparison with null checks all of this.
    #[inline(always)]
    pub(crate) fn is_free(self) -> bool {
        compare::is_null(self.slot())
    }

    /// Whether there is a frame below, or the floor.
    #[inline(always)]
    pub(crate) fn is_above_frame(self) -> bool {
        // SAFETY: below every rung there is a slot, the floor at least. The ladder lives while it is occupied.
        unsafe { compare::previous_exceeds::<LAST_ABOVE, _>(self.rung().as_ptr()) }
    }

    #[inline(always)]
    pub(crate) fn holds_frame(self) -> bool {
        is_frame(self.read())
    }

    /// Whether this is the slot above the last rung.
    pub(crate) fn is_full(self) -> bool {
        self.has(Mark::Full)
    }

    /// Whether the ladder is closed here, at its top.
    pub(crate) fn is_closed(self) -> bool {
        self.has(Mark::Closed)
    }

    /// Makes the ladder full from this rung, the first, until it is [opened](Self::unshut): no fork finds room. Nothing
    /// is on the ladder.
    pub(crate) fn shut(self) {
        debug_assert!(self.is_first() && !self.holds_frame());
        self.slot().store(Mark::Full.value(), Ordering::Relaxed);
    }

    /// Undoes [`shut`](Self::shut).
    pub(crate) fn unshut(self) {
        debug_assert!(self.is_shut());
        self.slot().store(ptr::null_mut(), Ordering::Relaxed);
    }

    /// Whether the ladder is full from its first rung, which is this one.
    pub(crate) fn is_shut(self) -> bool {
        self.is_full() && self.is_first()
    }

    fn is_first(self) -> bool {
        self.rung() == self.ladder().first()
    }

    fn has(self, mark: Mark) -> bool {
        self.read().addr() == mark as usize
    }

    /// Makes the next fork here take the cold path. Does nothing if there is a frame, or the end of the ladder.
    pub(crate) fn close(self) {
        if !self.holds_frame() && !self.is_full() {
            self.slot().store(Mark::Closed.value(), Ordering::Relaxed);
        }
    }

    /// Undoes [`close`](Self::close), unless that mark is gone already.
    pub(crate) fn open(self) {
        self.unmark(Mark::Closed);
    }

    /// Makes the next fork here take the cold path, so that its frame may be shared at once. Does nothing if the slot
    /// is marked already.
    pub(crate) fn make_eager(self) {
        // A compare-exchange, so that it does not overwrite the mark of a thread that watches.
        let (free, eager) = (ptr::null_mut(), Mark::Eager.value());
        let _ = self.slot().compare_exchange(free, eager, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Undoes [`make_eager`](Self::make_eager), unless that mark is gone already.
    pub(crate) fn be_patient(self) {
        self.unmark(Mark::Eager);
    }

    fn unmark(self, mark: Mark) {
        if self.has(mark) {
            self.slot().store(ptr::null_mut(), Ordering::Relaxed);
        }
    }

    /// Whether a frame below this rung can be taken, and no ask waits.
    #[inline(always)]
    pub(crate) fn is_covered(self) -> bool {
        // H ≤ E, and all slots from H to the top hold frames. So if E is below this rung, there is a frame below it. An
        // asker raises E as far as it goes, above every rung.
        self.ladder().bound.load(Ordering::Relaxed) < self.rung().addr()
    }

    /// Whether a thread wants something that a pop of this rung would attend to, other than to be told of the next
    /// frame.
    #[inline(always)]
    pub(crate) fn is_wanted(self) -> bool {
        self.until_wanted().is_exceeded()
    }

    /// The limit that E exceeds when this rung [is wanted](Self::is_wanted).
    #[inline(always)]
    pub(crate) fn until_wanted(self) -> Limit<'l> {
        Limit { bound: &self.ladder().bound, limit: self.rung().addr() + WATCHED }
    }

    /// The limit that E exceeds when this rung is no longer [covered](Self::is_covered).
    #[inline(always)]
    pub(crate) fn until_bare(self) -> Limit<'l> {
        Limit { bound: &self.ladder().bound, limit: self.rung().addr() - 1 }
    }

    /// A limit that E never exceeds.
    pub(crate) fn until_never(self) -> Limit<'l> {
        Limit { bound: &self.ladder().bound, limit: usize::MAX }
    }
}

/// A limit on E, for code that looks at it time and again.
#[derive(Clone, Copy)]
pub(crate) struct Limit<'l> {
    bound: &'l AtomicUsize,
    limit: usize,
}

impl Limit<'_> {
    #[inline(always)]
    pub(crate) fn is_exceeded(self) -> bool {
        compare::exceeds(self.bound, self.limit)
    }
}

impl<F: Frame> Pushed<'_, F> {
    /// Hides the frame from thieves. Returns whether no thread wants anything.
    #[inline(always)]
    pub(super) fn hide(&self) -> bool {
        let at = self.at();
        // Relaxed: a thread that reads the null learns that there is no frame here, and goes away. It reads nothing
        // that this thread has written before. The null may become visible before older stores to other slots. That
        // does no harm, because thieves read slot H only, and while that is null there is nothing to take. The next
        // push is a release again, and the fence keeps the null ahead of the load of E (`models/ladder.pml`,
        // SLOT_OVERTAKE; `models/range.pml` and `models/chain.pml`, POP_RELAXED).
        at.slot().store(ptr::null_mut(), Ordering::Relaxed);
        fence::light();
        !compare::exceeds(&at.ladder().bound, at.rung().addr())
    }
}
