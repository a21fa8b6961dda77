//! A rung: the address of one slot. This file has what can be done to a slot alone; `owner.rs` has what also reads E.

use crate::sync::{AtomicPtr, Ordering, compare};
use std::ptr::{self, NonNull};

/// A place for one pointer to a frame: null while it is free, or one of the marks below.
pub(super) type Slot<F> = AtomicPtr<F>;

/// Values of a slot that are neither null nor a frame. Frames are aligned to more than the largest of them
/// (`LadderBox::new` checks that), so no frame has such an address.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// At the top of a ladder whose next fork must take the cold path first.
    Closed = 1,
    /// Above the last rung: the ladder has no room.
    Full = 2,
    /// At the place of the next oldest frame: a thread that sleeps wants to be told of it (`watch.rs`). May stay behind
    /// above the top.
    Watched = 3,
    /// At the place of a frame that is to be shared at once. May stay behind above the top.
    Eager = 4,
    /// Below the first rung: never free.
    Floor = 5,
}

impl Mark {
    pub(super) fn value<F>(self) -> *mut F {
        ptr::without_provenance_mut(self as usize)
    }
}

/// The largest mark that may stand at the top or above it. Larger values, the floor and frames, stand below the top.
const LAST_ABOVE: usize = Mark::Eager as usize;

/// Whether the value of a slot is a frame.
pub(super) fn is_frame<F>(value: *mut F) -> bool {
    value.addr() > Mark::Floor as usize
}

/// One rung of a ladder whose frames are of type `F`.
pub(crate) struct Rung<F>(NonNull<Slot<F>>);

impl<F> Clone for Rung<F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Rung<F> {}

impl<F> PartialEq for Rung<F> {
    fn eq(&self, other: &Self) -> bool {
        self.addr() == other.addr()
    }
}

impl<F> Eq for Rung<F> {}

impl<F> std::fmt::Debug for Rung<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rung({:#x})", self.addr())
    }
}

impl<F> Rung<F> {
    #[inline(always)]
    pub(crate) const fn new(slot: NonNull<AtomicPtr<F>>) -> Self {
        Rung(slot)
    }

    #[inline(always)]
    pub(crate) fn as_ptr(self) -> NonNull<AtomicPtr<F>> {
        self.0
    }

    /// The address by which rungs, H and E are compared.
    #[inline(always)]
    pub(crate) fn addr(self) -> usize {
        self.0.addr().get()
    }

    /// The rung above this one.
    ///
    /// # Safety
    ///
    /// There is a slot above this one.
    #[inline(always)]
    pub(crate) unsafe fn next(self) -> Self {
        // SAFETY: by contract, the result is inside the region.
        Rung(unsafe { self.0.add(1) })
    }

    /// The rung below this one.
    ///
    /// # Safety
    ///
    /// There is a slot below this one.
    #[inline(always)]
    pub(crate) unsafe fn prev(self) -> Self {
        // SAFETY: by contract, the result is inside the region.
        Rung(unsafe { self.0.sub(1) })
    }

    /// The slot, which any thread may read.
    ///
    /// # Safety
    ///
    /// The ladder outlives `'a`.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(self) -> &'a Slot<F> {
        // SAFETY: a rung points to an initialised slot, and by contract its ladder lives for `'a`.
        unsafe { self.0.as_ref() }
    }

    /// The value of the slot. Only the occupant stores frames; other threads may mark a free slot (`watch.rs`).
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    #[inline(always)]
    unsafe fn read(self) -> *mut F {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.load(Ordering::Relaxed)
    }

    /// Whether a fork may push here: the strand is current, the ladder is open and not full, and the slot is not
    /// marked. One comparison with null checks all of this.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    #[inline(always)]
    pub(crate) unsafe fn is_free(self) -> bool {
        // SAFETY: the ladder lives while it is occupied.
        compare::is_null(unsafe { self.slot() })
    }

    /// Whether the slot below this rung holds a frame or is the floor.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and there is a slot below this one.
    #[inline(always)]
    pub(crate) unsafe fn is_above_frame(self) -> bool {
        // SAFETY: by contract there is a slot below this one. The ladder lives while it is occupied.
        unsafe { compare::previous_exceeds::<LAST_ABOVE, _>(self.0) }
    }

    /// Whether the slot holds a frame.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    pub(crate) unsafe fn holds_frame(self) -> bool {
        // SAFETY: forwarded.
        is_frame(unsafe { self.read() })
    }

    /// Whether this is the slot above the last rung.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    pub(crate) unsafe fn is_full(self) -> bool {
        // SAFETY: forwarded.
        unsafe { self.read() }.addr() == Mark::Full as usize
    }

    /// Whether the ladder is closed at this rung, its top.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    pub(crate) unsafe fn is_closed(self) -> bool {
        // SAFETY: forwarded.
        unsafe { self.read() }.addr() == Mark::Closed as usize
    }

    /// Makes the next fork at this rung take the cold path.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top and free.
    pub(crate) unsafe fn close(self) {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.store(Mark::Closed.value(), Ordering::Relaxed);
    }

    /// Makes the next fork at this rung take the cold path, so that its frame may be shared at once. Does nothing if
    /// the slot is marked already.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top.
    pub(crate) unsafe fn make_eager(self) {
        // SAFETY: the ladder lives while it is occupied.
        let slot = unsafe { self.slot() };
        // A compare-exchange, so that it does not overwrite the mark of a thread that watches.
        let _ = slot.compare_exchange(ptr::null_mut(), Mark::Eager.value(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Undoes [`make_eager`](Self::make_eager), unless that mark is gone already.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top.
    pub(crate) unsafe fn be_patient(self) {
        // SAFETY: the ladder lives while it is occupied.
        let slot = unsafe { self.slot() };
        if slot.load(Ordering::Relaxed).addr() == Mark::Eager as usize {
            slot.store(ptr::null_mut(), Ordering::Relaxed);
        }
    }

    /// Undoes [`close`](Self::close), unless that mark is gone already.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top.
    pub(crate) unsafe fn open(self) {
        // SAFETY: forwarded.
        if unsafe { self.is_closed() } {
            // SAFETY: the ladder lives while it is occupied.
            unsafe { self.slot() }.store(ptr::null_mut(), Ordering::Relaxed);
        }
    }

    /// Pushes `frame`, which makes it visible to thieves.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is free. The frame lives at this address until a
    /// [`pop`](Self::pop) of this rung has returned true, or the worker that got the frame has finished with it.
    #[inline(always)]
    pub(crate) unsafe fn push(self, frame: NonNull<F>) {
        // Release: a thread that reads this pointer sees the frame.
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.store(frame.as_ptr(), Ordering::Release);
    }
}
