//! A rung: the address of one slot. `owner.rs` has what its ladder's occupant does there.

use crate::sync::AtomicPtr;
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
pub(super) const LAST_ABOVE: usize = Mark::Eager as usize;

/// Whether the value of a slot is a frame.
#[inline(always)]
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
}
