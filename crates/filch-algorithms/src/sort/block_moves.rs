//! Blocks moved to other slots, all at once and in place.
//!
//! Where blocks come from makes paths, which begin at empty slots, and cycles. One worker walks along them and cuts
//! them into *segments*. The block at each cut is saved first, and then all segments are moved at the same time.

use crate::fresh::Start;
use std::ptr;

/// What is in an empty slot, instead of a bucket.
pub(super) const EMPTY: u8 = u8::MAX;

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// The blocks of a segment. One of so many is saved, and a segment takes longer than handing it to a worker.
const SEGMENT: usize = 256;

/// Slots of a block each. The last one may have too few places; then the spare one stands for it.
pub(super) struct Slots<T> {
    pub(super) start: Start<T>,
    pub(super) block: usize,
    /// The number of those that have all their places.
    pub(super) whole: usize,
    pub(super) spare: Start<T>,
}

impl<T> Slots<T> {
    /// # Safety
    ///
    /// There is such a slot.
    pub(super) unsafe fn at(&self, slot: u32) -> *mut T {
        let slot = slot as usize;
        if slot == self.whole {
            return self.spare.0;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { self.start.at(slot * self.block) }
    }

    /// # Safety
    ///
    /// There are such slots, other than each other, and this call alone has their places.
    unsafe fn copy(&self, from: *const T, to: u32) {
        // SAFETY: guaranteed by the caller.
        let to = unsafe { self.at(to) };
        // SAFETY: as above.
        unsafe { ptr::copy_nonoverlapping(from, to, self.block) };
    }
}

/// A part of a path or a cycle: the slot `first` gets the block from where `from` says, and so on. The last slot gets
/// that of the slot `behind`, which has been saved.
struct Segment {
    first: u32,
    behind: u32,
    saved: Saved,
}

enum Saved {
    /// Nothing, because a path ends here.
    Not,
    /// By the segment itself, which is a whole cycle.
    Here,
    /// In the buffer, as the block with this number.
    At(usize),
}

/// Moves the block of slot `from[i]` to slot i, unless it is [`NONE`]. `bucket_of` is [`EMPTY`] for slots without a
/// block, and afterwards for all that are moved.
///
/// # Safety
///
/// `from` has slots with blocks, each at most once, and it has nothing else. This call alone has the slots.
pub(super) unsafe fn move_blocks<T: Send>(slots: &Slots<T>, from: &[u32], bucket_of: &mut [u8]) {
    let (mut segments, mut saved) = (Vec::new(), Vec::new());
    let mut walk = |first: u32, bucket_of: &mut [u8]| {
        let (mut at, mut begin, mut count) = (first, first, 0);
        loop {
            bucket_of[at as usize] = EMPTY;
            at = from[at as usize];
            count += 1;
            let is_end = at == NONE || at == first;
            if !is_end && count < SEGMENT {
                continue;
            }
            let saved = if at == NONE {
                Saved::Not
            } else if at == begin {
                Saved::Here
            } else {
                saved.push(at);
                Saved::At(saved.len() - 1)
            };
            segments.push(Segment { first: begin, behind: at, saved });
            if is_end {
                break;
            }
            (begin, count) = (at, 0);
        }
    };
    let is_moved = |slot: usize| from[slot] != NONE && from[slot] as usize != slot;
    let paths: Vec<usize> = (0..from.len()).filter(|&slot| bucket_of[slot] == EMPTY && is_moved(slot)).collect();
    paths.into_iter().for_each(|slot| walk(slot as u32, bucket_of));
    for slot in (0..from.len()).filter(|&slot| is_moved(slot)) {
        if bucket_of[slot] != EMPTY {
            walk(slot as u32, bucket_of);
        }
    }
    let mut buffer = Vec::<T>::with_capacity(saved.len() * slots.block);
    let buffer = Start(buffer.as_mut_ptr());
    // SAFETY: the buffer has room for as many blocks as are saved.
    let place = |number: usize| unsafe { buffer.at(number * slots.block) };
    filch::for_each((0_usize.., &saved), |_, (number, &slot)| {
        // SAFETY: there is this slot.
        let block = unsafe { slots.at(slot) };
        // SAFETY: it is read by this call alone, and the place is written by it alone.
        unsafe { ptr::copy_nonoverlapping(block, place(number), slots.block) };
    });
    filch::for_each(&segments, |_, segment| {
        let mut own = Vec::<T>::new();
        let last = match segment.saved {
            Saved::Not => None,
            Saved::At(number) => Some(place(number)),
            Saved::Here => {
                own.reserve_exact(slots.block);
                // SAFETY: there is this slot.
                let block = unsafe { slots.at(segment.behind) };
                // SAFETY: this segment alone has it, since it is in one cycle, and there is room.
                unsafe { ptr::copy_nonoverlapping(block, own.as_mut_ptr(), slots.block) };
                Some(own.as_mut_ptr())
            }
        };
        let mut at = segment.first;
        loop {
            let next = from[at as usize];
            if next == segment.behind {
                if let Some(last) = last {
                    // SAFETY: the slot is one of this segment, and its block has been moved, or saved.
                    unsafe { slots.copy(last, at) };
                }
                return;
            }
            // SAFETY: there is this slot.
            let block = unsafe { slots.at(next) };
            // SAFETY: as above. The next slot is one of this segment, too, because its block has not been saved.
            unsafe { slots.copy(block, at) };
            at = next;
        }
    });
}
