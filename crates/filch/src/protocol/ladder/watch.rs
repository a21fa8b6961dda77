//! Watching: how somebody who sleeps for long learns of the next frame, though a fork looks at no sleepers.
//!
//! While anybody watches, every ladder is kept so that it tells when it comes to have another oldest frame:
//!
//! * E is a little above H: the return to that rung attends.
//! * slot H is never null, but [marked](super::rung::Mark::Watched): the fork there goes the cold way, takes the mark
//!   away and calls.
//!
//! Who is about to sleep sees to that, for every ladder; then it looks once more. Whoever lowers E or moves H sees to
//! it again: the owner after `attend`, a taker after its take, which then calls for what it has uncovered. The owner's
//! look at its slot and its push are some instructions apart, and a mark that comes between is overwritten; so nobody
//! sleeps for ever.
//!
//! The model is `models/watch.pml`.

use super::rung::Mark;
use super::{Ladder, Rung};
use crate::sync::Ordering;
use std::ptr;

/// How far above H, and so above a rung at rest, E is if a ladder is watched; less than a slot.
pub(super) const WATCHED: usize = 1;

impl<F, O> Ladder<F, O> {
    /// Sees to it that the owner attends when it comes back to the oldest frame, and calls when it forks with none.
    ///
    /// By anybody, at any time. Announced before, by a sequentially consistent access, that somebody watches.
    #[cold]
    pub(crate) fn watch(&self) {
        let rung = self.head_rung();
        // First E, then the slot: a frame seen there is one that the owner has yet to come back to.
        self.bound.fetch_max(rung.addr() + WATCHED, Ordering::SeqCst);
        // SAFETY: `self` is borrowed, so the ladder lives.
        let slot = unsafe { rung.slot() };
        let _ = slot.compare_exchange(ptr::null_mut(), Mark::Watched.value(), Ordering::SeqCst, Ordering::Relaxed);
    }
}

/// What a mark wants of the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Somebody sleeps who wants to know of it.
    Tell,
    /// It shall be shared at once.
    Share,
}

const WATCHED_MARK: usize = Mark::Watched as usize;
const EAGER_MARK: usize = Mark::Eager as usize;

impl<F> Rung<F> {
    /// Takes a mark away that asks for the next frame to be told of, or shared. True if there was one.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, and this rung is its top.
    pub(crate) unsafe fn take_mark(self) -> Option<Wish> {
        // SAFETY: the ladder lives while it is occupied.
        let slot = unsafe { self.slot() };
        let wish = match slot.load(Ordering::Relaxed).addr() {
            WATCHED_MARK => Wish::Tell,
            EAGER_MARK => Wish::Share,
            _ => return None,
        };
        slot.store(ptr::null_mut(), Ordering::Relaxed);
        Some(wish)
    }
}
