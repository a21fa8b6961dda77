//! The frame of a range loop: for its owner ([`OffLadder`], [`Shown`], [`Wanted`]), and as slow paths see it.
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
//!
//! A split moves H only if it leaves nothing. Otherwise E stays raised above the frame. So the owner attends at its
//! next claim, and thereby acquires what was written under L. The model is `models/range.pml`.

use super::indices::{Indices, Rest};
use crate::constructs::parts::{Departed, Divided, Parts};
use crate::engine::frame::part_memory::PartMemory;
use crate::engine::frame::{Claim, Divide, Header, Unbegun};
use crate::engine::share::at_fork::{self, show_to_watchers};
use crate::engine::share::at_return::{attend_parts, take_off};
use crate::engine::share::descent::Descent;
use crate::engine::team::{Occupied, Pushed, Returned, Top};
use crate::protocol::ladder::Claimed;
use filch_policy::{Left, loops};
use std::cell::Cell;
use std::ptr::NonNull;

/// The frame of a loop. It lives on the stack of the worker that runs the loop, or a part of it.
#[repr(C)]
pub(crate) struct RangeFrame<'s, 'i, D: Divided> {
    header: Header,
    /// The range that is left.
    rest: Rest<'i>,
    /// How many iterations take a few microseconds; 0 if that is not known. Only the answer to an ask needs it, so it
    /// is written just before an answer.
    block: Cell<u64>,
    pub(super) shared: &'s D,
    parts: Parts<'s, D>,
}

/// What a part of a loop is to do: its indices, and the `block` of the frame at the time of the split.
pub(super) struct Work<'i> {
    pub(super) indices: Indices<'i>,
    pub(super) block: u64,
}

impl<'s, 'i, D: Divided<Work = Work<'i>, Label = ()>> RangeFrame<'s, 'i, D> {
    /// How parts leave the frame.
    pub(super) const DIVIDE: Option<Divide> = Some(Divide { left: left::<D>, split: split::<D> });

    /// A frame with all of `indices`, and those that the owner has: none.
    #[inline(always)]
    pub(super) fn new(shared: &'s D, indices: Indices<'i>) -> (Self, Indices<'i>) {
        let header = Header::new(D::KIND);
        let (rest, own) = Rest::new(indices);
        (RangeFrame { header, rest, block: Cell::new(0), shared, parts: Parts::new() }, own)
    }

    /// The frame, which has not been on a ladder.
    #[inline(always)]
    pub(super) fn off_ladder(&'s mut self) -> OffLadder<'s, 'i, D> {
        OffLadder(self)
    }

    /// The pointer for a slot. It is valid for access to the whole frame.
    #[inline(always)]
    fn header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    /// How much is left. Under L.
    fn left(&self) -> Left {
        let block = self.block.get();
        match self.rest.hi() - self.rest.lo() {
            0 => Left::Nothing,
            left if loops::is_divisible(left, block) => Left::Plenty,
            1 => Left::One,
            _ => Left::Some,
        }
    }
}

/// A frame that is off the ladder: only its owner, the holder, uses it.
pub(super) struct OffLadder<'s, 'i, D: Divided>(&'s RangeFrame<'s, 'i, D>);

impl<'s, 'i, D: Divided<Work = Work<'i>, Label = ()>> OffLadder<'s, 'i, D> {
    /// The frame, for a guard that takes it [off](Self::take_off).
    pub(super) fn frame(&self) -> &'s RangeFrame<'s, 'i, D> {
        self.0
    }

    /// Takes the frame off the ladder if it is still there, for a guard that runs while a panic unwinds.
    ///
    /// # Safety
    ///
    /// The owner of the frame, the caller, has no other handle to it that it goes on to use. `frame` was shown at `at`
    /// if anywhere, and what this thread has pushed above has been popped.
    pub(super) unsafe fn take_off<'l>(frame: &'s RangeFrame<'s, 'i, D>, at: Occupied<'l>) -> (Top<'l>, Self) {
        // The answer is not needed: if the frame is gone, the parts are in its list.
        // SAFETY: the caller guarantees that no other frame is there.
        let (top, _) = unsafe { take_off(at, frame.header()) };
        (top, OffLadder(frame))
    }

    /// The end of what is left.
    #[inline(always)]
    pub(super) fn end(&self) -> u64 {
        self.0.rest.hi()
    }

    /// Makes what is left below `end` the owner's, which has the indices before it, and leaves the others in the frame.
    #[inline(always)]
    pub(super) fn claim(&mut self, own: Indices<'i>, end: u64) -> Indices<'i> {
        self.0.rest.claim(own, end)
    }

    /// Leaves parts for idle workers.
    ///
    /// # Safety
    ///
    /// As for [`at_fork::share_parts`].
    pub(super) unsafe fn share<'l>(&mut self, top: &Top<'l>) -> Descent<'l> {
        // SAFETY: guaranteed by the caller; a range can be divided.
        unsafe { at_fork::share_parts(top, self.0.header()) }
    }

    /// Pushes the frame, with everything that is left.
    ///
    /// # Safety
    ///
    /// The frame lives until it has been popped, it is popped, and its parts are joined before what they share ends.
    #[inline(always)]
    pub(super) unsafe fn show<'l>(self, top: Top<'l>) -> Shown<'l, 's, 'i, D> {
        if !top.is_free() {
            show_to_watchers(*top);
        }
        // SAFETY: guaranteed by the caller; a mark has been removed.
        Shown { pushed: unsafe { top.push(self.0.header()) }, frame: self.0 }
    }

    /// Whether no part waits to be collected.
    #[inline(always)]
    pub(super) fn is_whole(&self) -> bool {
        self.0.parts.is_empty()
    }

    /// Removes the newest part, which has the lowest indices.
    pub(super) fn pop_part(&mut self) -> Option<Departed<'s, D>> {
        self.0.parts.pop()
    }
}

/// A frame on the ladder.
#[must_use]
pub(super) struct Shown<'l, 's, 'i, D: Divided> {
    pushed: Pushed<'l>,
    frame: &'s RangeFrame<'s, 'i, D>,
}

impl<'l, 's, 'i, D: Divided<Work = Work<'i>, Label = ()>> Shown<'l, 's, 'i, D> {
    #[inline(always)]
    pub(super) fn above(&mut self) -> Top<'_> {
        self.pushed.above()
    }

    /// Pops the frame.
    #[inline(always)]
    pub(super) fn pop(self) -> Result<(Top<'l>, OffLadder<'s, 'i, D>), Wanted<'l, 's, 'i, D>> {
        let Shown { pushed, frame } = self;
        match pushed.pop() {
            Ok(top) => Ok((top, OffLadder(frame))),
            Err(returned) => Err(Wanted { returned, frame }),
        }
    }
}

/// A frame that was popped when E was raised. A thief may be at it.
#[must_use]
pub(super) struct Wanted<'l, 's, 'i, D: Divided> {
    returned: Returned<'l>,
    frame: &'s RangeFrame<'s, 'i, D>,
}

impl<'l, 's, 'i, D: Divided<Work = Work<'i>, Label = ()>> Wanted<'l, 's, 'i, D> {
    /// Gives other workers what they want, before which the owner's indices are put back into the frame; returns those
    /// that are not. They are all put back, unless an older frame of this ladder cannot be prepared now: then nothing
    /// is given. `block` is how many iterations take a few microseconds.
    pub(super) fn attend(self, own: Indices<'i>, block: u64) -> ((Top<'l>, OffLadder<'s, 'i, D>), Indices<'i>) {
        let (frame, lo) = (self.frame, own.lo());
        let own = Cell::new(Some(own));
        // SAFETY: a range can be divided until nothing is left.
        let top = unsafe {
            attend_parts(self.returned, &|| {
                own.set(own.take().map(|own| frame.rest.claim(own, lo)));
                frame.block.set(block);
            })
        };
        ((top, OffLadder(frame)), own.into_inner().expect("there are indices, if none"))
    }
}

/// How much is left of `frame`.
///
/// # Safety
///
/// As for [`Divide`]; `frame` must be the header of a [`RangeFrame`] of this type.
unsafe fn left<'i, D: Divided<Work = Work<'i>, Label = ()>>(frame: NonNull<Header>) -> Left {
    // SAFETY: the caller guarantees that this is the header of a `RangeFrame` that lives.
    unsafe { frame.cast::<RangeFrame<'_, '_, D>>().as_ref() }.left()
}

/// Takes the upper half of what is left in `frame`, and writes it into `memory` with this claim.
///
/// # Safety
///
/// As for [`Divide::split`]; `frame` must be the header of a [`RangeFrame`] of this type.
unsafe fn split<'i, D: Divided<Work = Work<'i>, Label = ()>>(
    frame: NonNull<Header>,
    memory: Box<PartMemory>,
    claim: Claim,
) -> Claimed<Unbegun> {
    // SAFETY: the caller guarantees that this is the header of a `RangeFrame` that lives.
    let RangeFrame { rest, block, shared, parts, .. } = unsafe { frame.cast::<RangeFrame<'_, '_, D>>().as_ref() };
    let (lo, hi) = (rest.lo(), rest.hi());
    debug_assert!(lo < hi, "a frame on the ladder has something left");
    let middle = loops::middle(lo, hi);
    let work = Work { indices: rest.split_off(middle), block: block.get() };
    let part = parts.add(memory, claim, shared, work, ());
    if middle == lo { Claimed::All(part) } else { Claimed::Part(part) }
}
