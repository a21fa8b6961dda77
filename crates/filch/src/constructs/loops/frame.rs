//! The frame of a range loop as slow paths see it, and the parts that are split from it.
//!
//! A frame on the ladder says what is *left* of a loop, `lo..hi`, which is never empty. The block that its owner is
//! running is not part of it. To claim the next block, the owner pops the frame, as a return pops the frame of a fork,
//! and pushes it again if more is left. So the exclusion of the ladder protects `lo` and `hi`, and they need not be
//! atomic: a thief that sees a frame in the slot after its barrier knows that the owner's next pop will find E raised,
//! and wait for L.
//!
//! | variable | owner | others |
//! |---|---|---|
//! | `lo` | writes while the frame is off the ladder | read under L |
//! | `block` | writes under L, while the frame is off the ladder | read under L |
//! | `hi`, `parts` | reads and writes while the frame is off the ladder, or under L | read and write under L |
//! | a part | accessed by the worker that runs it, from the split until `done`; then by the owner, which frees it | |
//!
//! A split moves H only if it leaves nothing. Otherwise E stays raised above the frame. So the owner attends at its
//! next claim, and thereby acquires what was written under L. The model is `models/range.pml`.

use crate::engine::frame::part_memory::{PartMemory, fits};
use crate::engine::frame::{Claim, Divide, FrameKind, Header, Unbegun};
use crate::protocol::ladder::Claimed;
use filch_policy::{Left, loops};
use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};

/// The frame of a loop. It lives on the stack of the worker that runs the loop, or a part of it.
#[repr(C)]
pub(crate) struct RangeFrame {
    header: Header,
    /// The range that is left.
    lo: Cell<u64>,
    hi: Cell<u64>,
    /// How many iterations take a few microseconds; 0 if that is not known. Only the answer to an ask needs it, so it
    /// is written just before an answer.
    block: Cell<u64>,
    /// What all parts share. `kind.run` knows the type.
    shared: *const (),
    /// The parts that were split from this frame and have not been collected, newest first, which is in the order of
    /// their ranges.
    parts: Cell<*mut Part>,
}

/// A piece of a loop's range that has moved or is about to move. It lies in memory that the thief brings.
#[repr(C)]
pub(crate) struct Part {
    header: Header,
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    /// The `block` of the frame at the time of the split.
    pub(crate) block: u64,
    pub(crate) shared: *const (),
    /// The result, of a type that `kind.run` knows; null until the part has run. Written by the thief before `done`.
    pub(crate) result: UnsafeCell<*mut ()>,
    older: *mut Part,
}

impl RangeFrame {
    /// How parts leave the frame.
    pub(crate) const DIVIDE: Option<Divide> = {
        assert!(fits::<Part>(), "the memory that a thief brings is too small for a part of a loop");
        Some(Divide { left, split })
    };

    /// A frame whose parts are run by `kind`, the `divide` of which must be [`DIVIDE`](Self::DIVIDE).
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

    /// The pointer for a slot. It is valid for access to the whole frame.
    #[inline(always)]
    pub(crate) fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// The end of what is left. Called by the owner, while the frame is off the ladder.
    #[inline(always)]
    pub(crate) fn end(&self) -> u64 {
        self.hi.get()
    }

    /// Notes that the owner has claimed everything below `lo`. Called by the owner, while the frame is off the ladder.
    #[inline(always)]
    pub(crate) fn claim_to(&self, lo: u64) {
        self.lo.set(lo);
    }

    /// Notes where the rest begins, and how long blocks are. Called by the owner, which has just popped the frame and
    /// holds L, because a thief may have been at the frame when it was popped.
    pub(crate) fn update(&self, lo: u64, block: u64) {
        self.lo.set(lo);
        self.block.set(block);
    }

    /// Whether no part waits to be collected. Called by the owner, while the frame is off the ladder.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.parts.get().is_null()
    }

    /// Removes the newest part, which has the lowest indices. Called by the owner, while the frame is off the ladder.
    pub(crate) fn pop_part(&self) -> Option<NonNull<Part>> {
        let part = NonNull::new(self.parts.get())?;
        // SAFETY: parts live until the owner of their loop, the caller, frees them.
        self.parts.set(unsafe { part.as_ref() }.older);
        Some(part)
    }

    /// How many iterations are left. Called by the owner, while the frame is off the ladder, or under L.
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
/// As [`Divide`]; `frame` must be the header of a [`RangeFrame`].
unsafe fn left(frame: NonNull<Header>) -> Left {
    // SAFETY: the caller guarantees that this is the header of a `RangeFrame` that lives.
    unsafe { frame.cast::<RangeFrame>().as_ref() }.divisible()
}

/// Takes the upper half of what is left in `frame`, and writes it into `memory` with this claim.
///
/// # Safety
///
/// As [`Divide::split`]; `frame` must be the header of a [`RangeFrame`].
unsafe fn split(frame: NonNull<Header>, memory: NonNull<PartMemory>, claim: Claim) -> Claimed<Unbegun> {
    // SAFETY: the caller guarantees that this is the header of a `RangeFrame` that lives.
    let range = unsafe { frame.cast::<RangeFrame>().as_ref() };
    let (lo, hi) = (range.lo.get(), range.hi.get());
    debug_assert!(lo < hi, "a frame on the ladder has something left");
    let middle = loops::middle(lo, hi);
    let part = memory.cast::<Part>();
    let header = Header::new(range.header.kind());
    // SAFETY: the caller guarantees that this is memory for a part, to which no other thread has access.
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
    // SAFETY: a part starts with its header, and no other thread knows it yet.
    let unbegun = unsafe { Header::set_claim(header, claim) };
    range.parts.set(part.as_ptr());
    range.hi.set(middle);
    if middle == lo { Claimed::All(unbegun) } else { Claimed::Part(unbegun) }
}
