//! The memory that a thief brings along for a part of a frame, so that neither its victim nor anybody under a lock
//! allocates.

use crate::sync::{AtomicPtr, Ordering};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

/// Words in the memory of a part. Each kind of part asserts that it fits ([`fits`]).
const WORDS: usize = if cfg!(loom) { 64 } else { 16 };

/// Memory for a part, of whatever kind.
#[repr(C, align(8))]
pub(crate) struct PartMemory(MaybeUninit<[u64; WORDS]>);

impl PartMemory {
    pub(crate) fn new() -> Self {
        PartMemory(MaybeUninit::uninit())
    }
}

/// Whether a `P` can lie in the memory for a part: to be asserted when compiling.
pub(crate) const fn fits<P>() -> bool {
    size_of::<P>() <= size_of::<PartMemory>() && align_of::<P>() <= align_of::<PartMemory>()
}

/// Takes a part out of its memory, which is freed.
///
/// # Safety
///
/// `part` was written into the memory of a part, nobody else has it, and it is not used again.
pub(crate) unsafe fn unpack<P>(part: NonNull<P>) -> P {
    // SAFETY: written, and read once.
    let value = unsafe { part.read() };
    // SAFETY: memory of parts comes from `Box::into_raw`.
    drop(unsafe { Box::from_raw(part.cast::<PartMemory>().as_ptr()) });
    value
}

/// Memory for one part, or none. Belongs to the occupant of its worker's cell; while an ask of that one stands, to whoever
/// accepts it, who is known to be one by the ask word: relaxed accesses suffice.
pub(crate) struct PartMemoryCell(AtomicPtr<PartMemory>);

impl PartMemoryCell {
    pub(crate) fn new() -> Self {
        PartMemoryCell(AtomicPtr::new(ptr::null_mut()))
    }

    /// Sees to it that there is one.
    pub(crate) fn make(&self) {
        if self.0.load(Ordering::Relaxed).is_null() {
            self.0.store(Box::into_raw(Box::new(PartMemory::new())), Ordering::Relaxed);
        }
    }

    /// Takes it out. It came from `Box::into_raw`.
    pub(crate) fn take(&self) -> Option<NonNull<PartMemory>> {
        let blank = NonNull::new(self.0.load(Ordering::Relaxed));
        if !cfg!(filch_mutant = "blank_kept") {
            self.0.store(ptr::null_mut(), Ordering::Relaxed);
        }
        blank
    }
}

impl Drop for PartMemoryCell {
    fn drop(&mut self) {
        if let Some(blank) = self.take() {
            // SAFETY: from `Box::into_raw`, and nobody has it.
            drop(unsafe { Box::from_raw(blank.as_ptr()) });
        }
    }
}
