//! The memory of a ladder: a head and its slots in one region, aligned to its size.
//!
//! So the head is found from any rung by a mask, a strand is one word, and a page of slots costs memory only once it
//! has been used (fresh zero pages of the system are null slots already).

use super::rung::{Mark, Slot};
use super::{Claims, Ladder};
use crate::sync::{AtomicUsize, Mutex, process};
use crossbeam_utils::CachePadded;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{self, NonNull};

/// Bytes of a region; a power of two. Half a mebibyte of address space holds some 65,000 rungs.
const REGION_BYTES: usize = if cfg!(any(miri, loom)) { 8 << 10 } else { 512 << 10 };

/// Bytes at the start of a region reserved for the head, so that the capacity does not depend on its exact size.
const HEAD_BYTES: usize = if cfg!(any(miri, loom)) { 4 << 10 } else { 8 << 10 };

/// Most rungs a ladder can have: what the region holds less the head, the floor and the mark above the last rung.
pub(crate) const MAX_CAPACITY: usize = (REGION_BYTES - HEAD_BYTES) / size_of::<Slot<()>>() - 2;

/// What a ladder takes of the address space.
pub(crate) const REGION_BYTES_RESERVED: usize = 2 * REGION_BYTES;

/// Start of the region that `slot` lies in, with the provenance of the whole region.
#[inline(always)]
pub(super) fn start_of<F>(slot: NonNull<Slot<F>>) -> *const u8 {
    slot.as_ptr().map_addr(|address| address & !(REGION_BYTES - 1)).cast()
}

/// Owns the region of one ladder.
pub(crate) struct LadderBox<F, O> {
    head: NonNull<Ladder<F, O>>,
    allocation: NonNull<u8>,
    owns: PhantomData<Ladder<F, O>>,
}

// SAFETY: owns a `Ladder`, and is as good to send and share as that is.
unsafe impl<F, O: Send> Send for LadderBox<F, O> {}
// SAFETY: as above.
unsafe impl<F, O: Sync> Sync for LadderBox<F, O> {}

/// Twice the region: wherever the allocation starts, an aligned region lies inside. Asking the allocator to align would
/// make it clear the memory by hand, and so touch every page.
fn layout() -> Layout {
    const { assert!(REGION_BYTES.is_power_of_two()) };
    Layout::from_size_align(REGION_BYTES_RESERVED, align_of::<usize>()).expect("a constant layout is valid")
}

impl<F, O> LadderBox<F, O> {
    /// A ladder of `capacity` rungs, or `None` where there is no memory for it.
    ///
    /// # Panics
    ///
    /// If `capacity` is not in 1..=[`MAX_CAPACITY`].
    pub(crate) fn new(capacity: usize, owner: O) -> Option<Self> {
        assert!((1..=MAX_CAPACITY).contains(&capacity), "capacity {capacity} is not in 1..={MAX_CAPACITY}");
        const {
            assert!(size_of::<Ladder<F, O>>() <= HEAD_BYTES);
            assert!(align_of::<F>() > Mark::Floor as usize);
        }
        // SAFETY: the layout has a size.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout()) })?;
        let start = allocation.as_ptr().map_addr(|address| address.next_multiple_of(REGION_BYTES));
        let head = start.cast::<Ladder<F, O>>();
        // SAFETY: HEAD_BYTES is less than REGION_BYTES, so this is inside the region.
        let floor = unsafe { start.add(HEAD_BYTES) }.cast::<Slot<F>>();
        #[cfg(loom)]
        for i in 0..MAX_CAPACITY + 2 {
            // SAFETY: MAX_CAPACITY + 2 slots fit behind the head.
            let slot = unsafe { floor.add(i) };
            // SAFETY: inside the region, and not yet initialised (loom's atomics are not made of zeros).
            unsafe { slot.write(Slot::new(ptr::null_mut())) };
        }
        // SAFETY: slot 0 of those behind the head; null pointers are valid slots.
        unsafe { (*floor).store(Mark::Floor.value(), crate::sync::Ordering::Relaxed) };
        // SAFETY: capacity + 1 is at most MAX_CAPACITY + 1, the last slot behind the head.
        let full = unsafe { floor.add(capacity + 1) };
        // SAFETY: as above.
        unsafe { (*full).store(Mark::Full.value(), crate::sync::Ordering::Relaxed) };
        let first = floor.addr() + size_of::<Slot<F>>();
        let ladder = Ladder {
            bound: CachePadded::new(AtomicUsize::new(first)),
            claims: CachePadded::new(Claims {
                head: AtomicUsize::new(first),
                lock: Mutex::new(()),
                generation: process::generation(),
            }),
            floor: NonNull::new(floor)?,
            owner,
        };
        // SAFETY: aligned far beyond `Ladder`, inside the allocation, and nobody else knows it yet.
        unsafe { head.write(ladder) };
        Some(LadderBox { head: NonNull::new(head)?, allocation, owns: PhantomData })
    }
}

impl<F, O> Deref for LadderBox<F, O> {
    type Target = Ladder<F, O>;

    fn deref(&self) -> &Ladder<F, O> {
        // SAFETY: initialised by `new` and owned until drop.
        unsafe { self.head.as_ref() }
    }
}

impl<F, O> Drop for LadderBox<F, O> {
    fn drop(&mut self) {
        #[cfg(loom)]
        for i in 0..MAX_CAPACITY + 2 {
            // SAFETY: initialised by `new`, and dropped once.
            unsafe { ptr::drop_in_place(self.floor.as_ptr().add(i)) };
        }
        // SAFETY: initialised by `new`, dropped once, and no longer shared since it is owned. Slots need no drop.
        unsafe { ptr::drop_in_place(self.head.as_ptr()) };
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(self.allocation.as_ptr(), layout()) };
    }
}
