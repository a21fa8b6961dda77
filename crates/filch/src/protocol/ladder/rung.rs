//! A rung: the address of one slot. What the owner does to it on every fork and return.

use super::Ladder;
use super::watch::WATCHED;
use crate::sync::{AtomicPtr, Ordering, compare, fence};
use std::ptr::{self, NonNull};

/// A place for one frame pointer, null when free, or one of the marks below.
pub(super) type Slot<F> = AtomicPtr<F>;

/// Values of a slot that are neither null nor a frame. Frames are aligned to more than this, and not in page 0.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// The top of a ladder whose next fork must take the cold path first.
    Closed = 1,
    /// Above the last rung: the ladder has no room.
    Full = 2,
    /// The place of the next oldest frame: somebody sleeps who wants to know of it (`watch.rs`). May be left above the
    /// top.
    Watched = 3,
    /// A place whose next frame is to be shared at once. May be left above the top.
    Eager = 4,
    /// Below the first rung: never free.
    Floor = 5,
}

impl Mark {
    pub(super) fn value<F>(self) -> *mut F {
        ptr::without_provenance_mut(self as usize)
    }
}

/// Marks up to this one may stand at the top or above it; what is larger, floor or frame, stands below the top.
const LAST_ABOVE: usize = Mark::Eager as usize;

/// Whether a slot's value is a frame.
pub(super) fn is_frame<F>(value: *mut F) -> bool {
    value.addr() > Mark::Floor as usize
}

/// One rung of a ladder of frames `F`.
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

    /// The number by which rungs, H and E compare.
    #[inline(always)]
    pub(crate) fn addr(self) -> usize {
        self.0.addr().get()
    }

    /// # Safety
    ///
    /// There is a slot above this one.
    #[inline(always)]
    pub(crate) unsafe fn next(self) -> Self {
        // SAFETY: by contract the result is inside the region.
        Rung(unsafe { self.0.add(1) })
    }

    /// # Safety
    ///
    /// There is a slot below this one.
    #[inline(always)]
    pub(crate) unsafe fn prev(self) -> Self {
        // SAFETY: by contract the result is inside the region.
        Rung(unsafe { self.0.sub(1) })
    }

    /// The slot, which any thread may read.
    ///
    /// # Safety
    ///
    /// The ladder outlives `'a`.
    #[inline(always)]
    pub(super) unsafe fn slot<'a>(self) -> &'a Slot<F> {
        // SAFETY: a rung points to an initialised slot of a ladder that lives, by contract.
        unsafe { self.0.as_ref() }
    }

    /// The slot's value. Only the occupant writes frames; others may mark a free slot (`watch`).
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    #[inline(always)]
    unsafe fn read(self) -> *mut F {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.load(Ordering::Relaxed)
    }

    /// Whether a fork may push here: the strand is current, the ladder open and not full. One comparison for all three.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder.
    #[inline(always)]
    pub(crate) unsafe fn is_free(self) -> bool {
        // SAFETY: the ladder lives while it is occupied.
        compare::is_null(unsafe { self.slot() })
    }

    /// Whether below this rung there is a frame or the floor.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and there is a slot below this one.
    #[inline(always)]
    pub(crate) unsafe fn is_above_frame(self) -> bool {
        // SAFETY: forwarded; the ladder lives while it is occupied.
        unsafe { compare::previous_exceeds::<LAST_ABOVE, _>(self.0) }
    }

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

    /// Sends the next fork at this rung into the cold path.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top and free.
    pub(crate) unsafe fn close(self) {
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.store(Mark::Closed.value(), Ordering::Relaxed);
    }

    /// Sends the next fork at this rung into the cold path, if it is free, so that it may be shared at once.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top.
    pub(crate) unsafe fn make_eager(self) {
        // SAFETY: the ladder lives while it is occupied.
        let slot = unsafe { self.slot() };
        // Not over a mark of somebody who watches.
        let _ = slot.compare_exchange(ptr::null_mut(), Mark::Eager.value(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Undoes [`make_eager`](Self::make_eager), if nobody has.
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

    /// Undoes [`close`](Self::close), if nobody has.
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

    /// Whether a frame below this rung can be taken, and nobody wants anything.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, of owner type `O`.
    #[inline(always)]
    pub(crate) unsafe fn is_covered<O>(self) -> bool {
        // E is above H as long as somebody wants something, and at rest no less; all slots from H to the top hold
        // frames. SAFETY: the types are those of the ladder, by contract.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        ladder.bound.load(Ordering::Relaxed) < self.addr()
    }

    /// Whether somebody wants something that a pop of this rung would attend to; not only to know of it.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, of owner type `O`.
    #[inline(always)]
    pub(crate) unsafe fn is_wanted<O>(self) -> bool {
        // SAFETY: the types are those of the ladder, by contract.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        compare::exceeds(&ladder.bound, self.addr() + WATCHED)
    }

    /// The way out of a fork: shows `frame` to thieves.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder and this rung is free. The frame lives, at this address, until a
    /// [`pop`](Self::pop) of this rung has returned true, or whoever took the frame has let go of it.
    #[inline(always)]
    pub(crate) unsafe fn push(self, frame: NonNull<F>) {
        // Release: whoever reads this pointer sees the frame.
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.store(frame.as_ptr(), Ordering::Release);
    }

    /// The way back: hides the frame again. True if nobody wants anything: it is the caller's again. False: call
    /// [`Ladder::attend`] to learn whose it is.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, of owner type `O`, and has pushed at this rung and popped all that it pushed
    /// above.
    #[inline(always)]
    pub(crate) unsafe fn pop<O>(self) -> bool {
        // Relaxed: who reads the null learns that there is no frame here, and goes; nothing that this thread has
        // written before is looked at on the strength of it. It may be seen before older stores to other slots:
        // thieves read slot H only, and below a null at H there is nothing to take. The next push is a release
        // again, and the fence keeps the null ahead of the look at E (`models/ladder.pml`, SLOT_OVERTAKE;
        // `models/range.pml`, POP_RELAXED; chain.pml, POP_RELAXED). SAFETY: the ladder lives while it is
        // occupied.
        unsafe { self.slot() }.store(ptr::null_mut(), Ordering::Relaxed);
        fence::light();
        // SAFETY: the types are those of the ladder, by contract.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        !compare::exceeds(&ladder.bound, self.addr())
    }
}
