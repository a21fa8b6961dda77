//! Whether a frame is ready to leave its ladder, where something has to be [prepared](crate::engine::share::prepare)
//! first; whether its worker is preparing one, and whether a thief has ordered something from it.

use super::{FrameRef, Header};
use crate::sync::{AtomicBool, Ordering};
use filch_policy::Left;
use std::ptr::NonNull;

/// What is known about a frame of a ladder that has to be prepared before it leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Ready {
    /// Nothing.
    #[default]
    Unknown,
    /// This frame is ready.
    Now(NonNull<Header>),
    /// This frame could not be prepared.
    NotNow(NonNull<Header>),
}

impl Ready {
    /// Whether `frame` may leave its ladder now.
    pub(crate) fn allows(self, frame: &Header) -> bool {
        frame.kind().prepare.is_none() || matches!(self, Ready::Now(ready) if ready == frame.into())
    }

    /// Whether `frame` could not be prepared.
    pub(crate) fn refuses(self, frame: &Header) -> bool {
        matches!(self, Ready::NotNow(unready) if unready == frame.into())
    }

    /// Whether others pass by `frame`, which is on a ladder: it could not be prepared, or nothing is left of it, as of
    /// the frame of a procedure without a latent child. What is left of a frame that has to be prepared is not known
    /// before that.
    ///
    /// # Safety
    ///
    /// The caller holds the L of the ladder, under which it has found the frame there.
    pub(crate) unsafe fn passes(self, frame: &FrameRef<'_>) -> bool {
        let divide = frame.kind().divide.filter(|_| frame.kind().prepare.is_none());
        // SAFETY: guaranteed by the caller; the table is that of the frame's own type.
        let is_empty = divide.is_some_and(|divide| unsafe { (divide.left)(frame.as_ptr()) } == Left::Nothing);
        is_empty || self.refuses(frame)
    }
}

/// What a worker has to prepare.
#[derive(Debug, Default)]
pub(crate) struct Preparing {
    /// Whether the occupant is preparing a frame. Only the occupant writes it.
    pub(crate) is_under_way: AtomicBool,
    /// Whether a thief has left an order. Thieves set it, under L and before H moves. The occupant clears it.
    is_ordered: AtomicBool,
}

impl Preparing {
    /// Leaves an order. The caller is a thief that holds the L of the worker's ladder and moves H.
    pub(crate) fn order(&self) {
        self.is_ordered.store(true, Ordering::Relaxed);
    }

    /// Whether a thief has left an order. For the occupant only, which has locked L since H has moved.
    pub(crate) fn take_order(&self) -> bool {
        self.is_ordered.load(Ordering::Relaxed) && self.is_ordered.swap(false, Ordering::Relaxed)
    }
}
