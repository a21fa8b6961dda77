//! The memory of a ladder: a head and its slots in one region, which is aligned to its size.
//!
//! Because of the alignment a mask finds the head from any rung, and a strand is one word. The system's fresh pages are
//! zero, and a null slot is zero as well. So a page of slots takes memory only once it has been used.

use super::layout::{HEAD_BYTES, MAX_CAPACITY, REGION_BYTES, REGION_BYTES_RESERVED};
use super::rung::{Mark, Slot};
use super::{Claims, Frame, Ladder};
use crate::sync::{AtomicUsize, Mutex, Ordering, process};
use crossbeam_utils::CachePadded;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{self, NonNull};

/// What lies behind the head: the floor, the rungs, and the mark above the last one.
type Slots<F> = [Slot<F>; MAX_CAPACITY + 2];

/// Owns the region of one ladder.
pub(crate) struct LadderBox<F: Frame> {
    head: NonNull<Ladder<F>>,
    allocation: NonNull<u8>,
    owns: PhantomData<Ladder<F>>,
}

// SAFETY: a `LadderBox` only owns a `Ladder`, which is `Send` if its owner is.
unsafe impl<F: Frame<Owner: Send>> Send for LadderBox<F> {}
// SAFETY: a `LadderBox` only lends out a `Ladder`, which is `Sync` if its owner is.
unsafe impl<F: Frame<Owner: Sync>> Sync for LadderBox<F> {}

/// Twice the size of a region: wherever the allocation starts, an aligned region lies inside it. If the allocator had
/// to align the region, it would clear the memory by hand, and so touch every page.
fn layout() -> Layout {
    const { assert!(REGION_BYTES.is_power_of_two()) };
    Layout::from_size_align(REGION_BYTES_RESERVED, align_of::<usize>()).expect("a constant layout is valid")
}

impl<F: Frame> LadderBox<F> {
    /// Makes a ladder of `capacity` rungs. Returns `None` if there is no memory for it.
    ///
    /// # Panics
    ///
    /// Panics if `capacity` is not in 1..=[`MAX_CAPACITY`].
    pub(crate) fn new(capacity: usize, owner: F::Owner) -> Option<Self> {
        assert!((1..=MAX_CAPACITY).contains(&capacity), "capacity {capacity} is not in 1..={MAX_CAPACITY}");
        const {
            assert!(size_of::<Ladder<F>>() <= HEAD_BYTES);
            assert!(align_of::<F>() > Mark::Floor as usize);
        }
        // SAFETY: the size of the layout is not zero.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout()) })?;
        let start = allocation.as_ptr().map_addr(|address| address.next_multiple_of(REGION_BYTES));
        let head = start.cast::<Ladder<F>>();
        let slots = start.wrapping_add(HEAD_BYTES).cast::<Slots<F>>();
        #[cfg(loom)]
        // SAFETY: the slots fit behind the head. They are not initialised yet, as loom's atomics are not all zeros.
        unsafe {
            slots.write(std::array::from_fn(|_| Slot::new(ptr::null_mut())));
        }
        // SAFETY: the slots are initialised: zeroed memory is a null slot.
        let all = unsafe { &*slots };
        all[0].store(Mark::Floor.value(), Ordering::Relaxed);
        all[capacity + 1].store(Mark::Full.value(), Ordering::Relaxed);
        let first = NonNull::new(slots.cast::<Slot<F>>().wrapping_add(1))?;
        let ladder = Ladder {
            bound: CachePadded::new(AtomicUsize::new(first.addr().get())),
            claims: CachePadded::new(Claims {
                head: AtomicUsize::new(first.addr().get()),
                lock: Mutex::new(()),
                generation: process::generation(),
            }),
            first,
            owner,
        };
        // SAFETY: the region is aligned to far more than a `Ladder`, and no other thread knows of it yet.
        unsafe { head.write(ladder) };
        Some(LadderBox { head: NonNull::new(head)?, allocation, owns: PhantomData })
    }
}

impl<F: Frame> Deref for LadderBox<F> {
    type Target = Ladder<F>;

    fn deref(&self) -> &Ladder<F> {
        // SAFETY: `new` has initialised it, and this box owns it until it is dropped.
        unsafe { self.head.as_ref() }
    }
}

impl<F: Frame> Drop for LadderBox<F> {
    fn drop(&mut self) {
        // SAFETY: `new` has initialised the slots, and nothing else drops them.
        #[cfg(loom)]
        unsafe {
            ptr::drop_in_place(self.head.as_ptr().wrapping_byte_add(HEAD_BYTES).cast::<Slots<F>>());
        }
        // SAFETY: `new` has initialised the head, nothing else drops it, and the box is the only owner. Other slots
        // than loom's need no drop.
        unsafe { ptr::drop_in_place(self.head.as_ptr()) };
        // SAFETY: `new` has allocated it with this layout.
        unsafe { dealloc(self.allocation.as_ptr(), layout()) };
    }
}
