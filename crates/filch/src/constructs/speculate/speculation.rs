//! What a procedure shares with its children and their inlets: the way to abort.

use crate::engine::team::stop::{StopWithin, Stops};
use std::fmt;

/// Some children that may be aborted together.
///
/// [`Strand::speculate`](crate::Strand::speculate) makes speculations. Children and inlets do not get theirs as an
/// argument, they capture it.
pub struct Speculation(StopWithin);

impl Speculation {
    /// `requests` comes from a [look](Stops::look) at the stops around.
    #[inline(always)]
    pub(super) fn within(around: Stops, requests: usize) -> Self {
        Speculation(StopWithin::new(around, requests))
    }

    /// Aborts the children: those that have not begun are dropped, and so are those that are spawned from now on. Those
    /// that run learn it at their next fork, item of a loop, node of a search, or look. No further inlet runs.
    ///
    /// Returns at once. Any thread may call this. If an inlet runs at that moment on another thread, it is the last.
    ///
    /// Work: a store and an addition. (Cilk walks the tree of the children and interrupts workers; Frigo, Leiserson and
    /// Randall 1998, section 5.)
    pub fn abort(&self) {
        self.0.request();
    }

    /// Whether the children have been [aborted](Self::abort), because of this speculation or of one around it, or
    /// because one of its strands has panicked.
    #[inline(always)]
    pub fn is_aborted(&self) -> bool {
        self.0.acquire()
    }

    /// The stops around the procedure.
    pub(super) fn around(&self) -> Stops {
        self.0.around()
    }

    /// The stops around a child.
    ///
    /// # Safety
    ///
    /// The result is used only by children, which end before this.
    #[inline(always)]
    pub(super) unsafe fn stops(&self) -> Stops {
        // SAFETY: guaranteed by the caller. A speculation is borrowed by its procedure, so it does not move.
        unsafe { self.0.inside() }
    }

    /// Runs `f`. If it panics, aborts the children.
    #[inline(always)]
    pub(super) fn aborting_on_panic<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Abort<'s>(&'s Speculation);
        impl Drop for Abort<'_> {
            fn drop(&mut self) {
                self.0.abort();
            }
        }
        let abort = Abort(self);
        let result = f();
        std::mem::forget(abort);
        result
    }
}

impl fmt::Debug for Speculation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Speculation").field("is_aborted", &self.is_aborted()).finish_non_exhaustive()
    }
}
