//! The memory that a thief brings for a part of a frame, so that its victim does not allocate, and no worker allocates
//! under a lock.

use crate::sync::{AtomicPtr, Ordering};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

/// Words of memory for a part.
const WORDS: usize = if cfg!(loom) { 64 } else { 18 };

/// Memory for a part of any kind.
#[repr(C, align(8))]
pub(crate) struct PartMemory(MaybeUninit<[u64; WORDS]>);

impl PartMemory {
    pub(crate) fn new() -> Self {
        PartMemory(MaybeUninit::uninit())
    }

    /// Puts a part into this memory, until [`unpack`].
    pub(crate) fn pack<P>(self: Box<Self>, part: P) -> NonNull<P> {
        const {
            let fits = size_of::<P>() <= size_of::<Self>() && align_of::<P>() <= align_of::<Self>();
            assert!(fits, "the memory that a thief brings is too small for this part");
        }
        let memory = NonNull::from(Box::leak(self)).cast();
        // SAFETY: a part fits, and no other thread has this memory.
        unsafe { memory.write(part) };
        memory
    }
}

/// Takes a part out of its memory, and frees the memory.
///
/// # Safety
///
/// `part` comes from [`PartMemory::pack`]. Only the caller has it, and it is not used again.
pub(crate) unsafe fn unpack<P>(part: NonNull<P>) -> P {
    // SAFETY: the caller guarantees that the part was written and that it is not read again.
    let value = unsafe { part.read() };
    // SAFETY: memory for parts comes from a box, and only the caller has it.
    drop(unsafe { Box::from_raw(part.cast::<PartMemory>().as_ptr()) });
    value
}

/// Memory for one part, or none. It is there for the occupant of its worker, and while an ask of that worker is
/// outstanding, for the victim that accepts the ask.
pub(crate) struct PartMemoryCell(AtomicPtr<PartMemory>);

impl PartMemoryCell {
    pub(crate) fn new() -> Self {
        PartMemoryCell(AtomicPtr::new(ptr::null_mut()))
    }

    /// Allocates the memory if there is none.
    pub(crate) fn make(&self) {
        if self.0.load(Ordering::Relaxed).is_null() {
            self.0.store(Box::into_raw(Box::new(PartMemory::new())), Ordering::Release);
        }
    }

    /// Takes the memory out.
    pub(crate) fn take(&self) -> Option<Box<PartMemory>> {
        let memory = if mutant!("blank_kept") {
            self.0.load(Ordering::Acquire)
        } else {
            self.0.swap(ptr::null_mut(), Ordering::Acquire)
        };
        // SAFETY: the memory comes from `Box::into_raw`, and it has just been taken out of the cell.
        NonNull::new(memory).map(|memory| unsafe { Box::from_raw(memory.as_ptr()) })
    }
}

impl Drop for PartMemoryCell {
    fn drop(&mut self) {
        drop(self.take());
    }
}
