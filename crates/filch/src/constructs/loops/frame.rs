//! The frame of a range loop, as slow paths know it, and the parts that are split from it.
//!
//! A frame on the ladder says what is *left* of a loop, `lo..hi`, and always something. The block that its owner is at
//! is not in it: to claim the next one the owner pops the frame, as a return pops a fork's, and pushes it again if
//! there is more. So the ladder's own exclusion guards `lo` and `hi`, which need no atomics: whoever takes sees a frame
//! in the slot after its barrier, and then the owner's next pop meets E and waits for L.
//!
//! | variable | owner | others |
//! |---|---|---|
//! | `lo` | writes while the frame is off the ladder | read under L |
//! | `block` | writes under L, while the frame is off the ladder | read under L |
//! | `hi`, `parts` | reads and writes while the frame is off the ladder, or under L | read and write under L |
//! | a part | from the split to its end whoever runs it; then the loop's owner, who frees it | |
//!
//! A split moves H only if it leaves nothing. Else E stays raised above the frame: the owner's next claim attends, and
//! so acquires what was written under L. The model is `models/range.pml`.

use crate::engine::frame::Header;
use crate::engine::frame::{Claim, Divide, FrameKind, Left};
use crate::engine::part_memory::{PartMemory, fits};
use crate::protocol::ladder::Claimed;
use filch_policy::loops;
use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};

/// A loop's frame. Lives on the stack of whoever runs the loop, or a part of it.
#[repr(C)]
pub(crate) struct RangeFrame {
    header: Header,
    /// What is left.
    lo: Cell<u64>,
    hi: Cell<u64>,
    /// How many iterations take a few microseconds; 0 if that is not known. Of use to askers only, so it is written
    /// before an answer.
    block: Cell<u64>,
    /// What all parts share, of a type that `kind.run` knows.
    shared: *const (),
    /// Those split from this frame and not yet collected, the newest first: in the order of their ranges.
    parts: Cell<*mut Part>,
}

/// A piece of a loop's range that has moved, or is about to. In memory of its own, which the thief brings.
#[repr(C)]
pub(crate) struct Part {
    header: Header,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    /// The frame's, when this was split from it.
    pub(crate) block: u64,
    pub(crate) shared: *const (),
    /// What it came to, of a type that `kind.run` knows; null until it has run. The thief's until `done`.
    pub(crate) result: UnsafeCell<*mut ()>,
    older: *mut Part,
}

impl RangeFrame {
    /// How parts leave it.
    pub(crate) const DIVIDE: Option<Divide> = {
        assert!(fits::<Part>(), "the memory that a thief brings is too small for a part of a loop");
        Some(Divide { left, split })
    };

    /// A frame that runs parts by `kind`, whose `divide` is [this](Self::DIVIDE).
    #[inline(always)]
    pub(crate) fn new(kind: &'static FrameKind, shared: *const (), hi: u64) -> Self {
        RangeFrame {
            header: Header::new(kind),
            lo: Cell::new(hi),
            hi: Cell::new(hi),
            block: Cell::new(0),
            shared,
            parts: Cell::new(ptr::null_mut()),
        }
    }

    /// What a slot points to. Good for the whole frame.
    #[inline(always)]
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// Where what is left ends. The caller is the owner, and the frame is off the ladder.
    #[inline(always)]
    pub(crate) fn end(&self) -> u64 {
        self.hi.get()
    }

    /// The owner has claimed all below `lo`; the frame is off the ladder.
    #[inline(always)]
    pub(crate) fn claim_to(&self, lo: u64) {
        self.lo.set(lo);
    }

    /// What is left begins at `lo`, and blocks are this long. The caller is the owner, has just popped the frame, and
    /// holds L: a thief may have been at it when it was popped.
    pub(crate) fn update(&self, lo: u64, block: u64) {
        self.lo.set(lo);
        self.block.set(block);
    }

    /// Whether nothing has been split off that has not been collected. By the owner, as `end`.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.parts.get().is_null()
    }

    /// Removes the newest part, which is the lowest. By the owner, as `end`.
    pub(crate) fn pop_part(&self) -> Option<NonNull<Part>> {
        let part = NonNull::new(self.parts.get())?;
        // SAFETY: parts live until their loop's owner, the caller, frees them.
        self.parts.set(unsafe { part.as_ref() }.older);
        Some(part)
    }

    /// How much is left. As `end`, or under L.
    pub(crate) fn left(&self) -> u64 {
        self.hi.get() - self.lo.get()
    }

    /// How much is left. Under L.
    pub(crate) fn divisible(&self) -> Left {
        let block = self.block.get();
        match self.left() {
            0 => Left::Nothing,
            left if loops::is_divisible(left, block) => Left::Plenty,
            1 => Left::One,
            _ => Left::Some,
        }
    }
}

/// How much is left of `frame`.
///
/// # Safety
///
/// As [`Divide`]; `frame` is the header of a [`RangeFrame`].
unsafe fn left(frame: NonNull<Header>) -> Left {
    // SAFETY: by contract.
    unsafe { frame.cast::<RangeFrame>().as_ref() }.divisible()
}

/// Takes the upper half of what is left in `frame`, into `memory`, with this claim.
///
/// # Safety
///
/// As [`Divide::split`]; `frame` is the header of a [`RangeFrame`].
unsafe fn split(frame: NonNull<Header>, memory: NonNull<PartMemory>, claim: Claim) -> Claimed<Header> {
    // SAFETY: by contract.
    let range = unsafe { frame.cast::<RangeFrame>().as_ref() };
    let (lo, hi) = (range.lo.get(), range.hi.get());
    debug_assert!(lo < hi, "a frame on the ladder has something left");
    let middle = loops::middle(lo, hi);
    let part = memory.cast::<Part>();
    let header = Header::new(range.header.kind());
    // SAFETY: memory of a part, nobody else's.
    unsafe {
        part.write(Part {
            header,
            lo: middle,
            hi,
            block: range.block.get(),
            shared: range.shared,
            result: UnsafeCell::new(ptr::null_mut()),
            older: range.parts.get(),
        });
    }
    let header = part.cast::<Header>();
    // SAFETY: a part starts with its header, and nobody knows it yet.
    unsafe { Header::set_claim(header, claim) };
    range.parts.set(part.as_ptr());
    range.hi.set(middle);
    if middle == lo { Claimed::Rest(header) } else { Claimed::Part(header) }
}
