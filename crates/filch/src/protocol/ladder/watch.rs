//! Watching: how a thread that sleeps for long learns of the next frame, although a fork does not look for sleepers.
//!
//! While any thread watches, every ladder is prepared so that its worker calls when the ladder gets another oldest
//! frame:
//!
//! * E is a little above H, so the return to that rung attends.
//! * Slot H is never null. Where it holds no frame, it is [marked](super::rung::Mark::Watched): the fork there takes
//!   the cold path, removes the mark and calls.
//!
//! A thread that is about to sleep prepares every ladder in this way, then looks once more. A worker that lowers E or
//! moves H prepares the ladder again: the owner after `attend`; a taker after its take, and it then calls for the frame
//! that it has uncovered. A few instructions lie between the owner's look at its slot and its push, and a mark that
//! arrives in between is overwritten. So every such sleep has a timeout.
//!
//! The model is `models/watch.pml`.

use super::rung::Mark;
use super::{Frame, Ladder, Occupied};
use crate::sync::Ordering;
use filch_policy::Wish;
use std::ptr;

/// How far E is above H while a ladder is watched, in bytes. It is less than a slot, so it raises E above one rung
/// only.
pub(super) const WATCHED: usize = 1;

impl<F: Frame> Ladder<F> {
    /// Prepares the ladder so that the owner attends when it comes back to the oldest frame, and calls when it forks
    /// while it has no frame.
    ///
    /// Any thread may call this at any time, once a watcher has announced itself by a sequentially consistent access.
    #[cold]
    pub(crate) fn watch(&self) {
        let slot = self.head_slot();
        // E first, then the slot: if the slot holds a frame now, the owner's return to it is still to come and finds E.
        self.bound.fetch_max(ptr::from_ref(slot).addr() + WATCHED, Ordering::SeqCst);
        let _ = slot.compare_exchange(ptr::null_mut(), Mark::Watched.value(), Ordering::SeqCst, Ordering::Relaxed);
    }

    /// Makes the fork that brings the next oldest frame take the cold path, so that it may share the frame at once.
    /// Does nothing if there is a frame already, or another mark.
    ///
    /// Any thread may call this at any time. The owner may push a frame at the same moment, and then does not notice.
    #[cold]
    pub(crate) fn be_eager(&self) {
        let slot = self.head_slot();
        if slot.load(Ordering::Relaxed).is_null() {
            let _ = slot.compare_exchange(ptr::null_mut(), Mark::Eager.value(), Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

const WATCHED_MARK: usize = Mark::Watched as usize;
const EAGER_MARK: usize = Mark::Eager as usize;

impl<F: Frame> Occupied<'_, F> {
    /// Removes a mark that asks for the next frame to be told of, or shared. Returns which of these, if there was one.
    pub(crate) fn take_mark(self) -> Option<Wish> {
        let slot = self.slot();
        let wish = match slot.load(Ordering::Relaxed).addr() {
            WATCHED_MARK => Wish::Tell,
            EAGER_MARK => Wish::Share,
            _ => return None,
        };
        slot.store(ptr::null_mut(), Ordering::Relaxed);
        Some(wish)
    }
}
