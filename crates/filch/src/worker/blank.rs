//! The memory that a thief brings along for a part of a loop, so that neither its victim nor anybody under a lock
//! allocates.

use super::items::ItemsPart;
use super::range::Part;
use crate::sync::{AtomicPtr, Ordering};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};

/// A part of whatever loop.
pub(crate) union AnyPart {
    _range: ManuallyDrop<Part>,
    _items: ManuallyDrop<ItemsPart>,
}

/// Memory for a part.
pub(crate) type Blank = MaybeUninit<AnyPart>;

/// Takes a part out of its memory, which is freed.
///
/// # Safety
///
/// `part` was written into a blank, nobody else has it, and it is not used again.
pub(crate) unsafe fn unpack<P>(part: NonNull<P>) -> P {
    // SAFETY: written, and read once.
    let value = unsafe { part.read() };
    // SAFETY: blanks come from `Box::into_raw`.
    drop(unsafe { Box::from_raw(part.cast::<Blank>().as_ptr()) });
    value
}

/// One blank, or none. Belongs to the occupant of its worker's cell; while an ask of that one stands, to whoever
/// accepts it, who is known to be one by the ask word: relaxed accesses suffice.
pub(super) struct BlankCell(AtomicPtr<Blank>);

impl BlankCell {
    pub(super) fn new() -> Self {
        BlankCell(AtomicPtr::new(ptr::null_mut()))
    }

    /// Sees to it that there is one.
    pub(super) fn make(&self) {
        if self.0.load(Ordering::Relaxed).is_null() {
            self.0.store(Box::into_raw(Box::new(Blank::uninit())), Ordering::Relaxed);
        }
    }

    /// Takes it out. It came from `Box::into_raw`.
    pub(super) fn take(&self) -> Option<NonNull<Blank>> {
        let blank = NonNull::new(self.0.load(Ordering::Relaxed));
        if !mutant!("blank_kept") {
            self.0.store(ptr::null_mut(), Ordering::Relaxed);
        }
        blank
    }
}

impl Drop for BlankCell {
    fn drop(&mut self) {
        if let Some(blank) = self.take() {
            // SAFETY: from `Box::into_raw`, and nobody has it.
            drop(unsafe { Box::from_raw(blank.as_ptr()) });
        }
    }
}
