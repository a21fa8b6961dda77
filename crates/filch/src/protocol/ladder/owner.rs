//! What the owner of a ladder does at every return, and at looks in between: it compares E with its rung.

use super::Ladder;
use super::rung::Rung;
use super::watch::WATCHED;
use crate::sync::{Ordering, compare, fence};
use std::ptr;

impl<F> Rung<F> {
    /// Whether a frame below this rung can be taken, and no ask waits.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, of owner type `O`.
    #[inline(always)]
    pub(crate) unsafe fn is_covered<O>(self) -> bool {
        // H ≤ E, and all slots from H to the top hold frames. So if E is below this rung, there is a frame below it. An
        // asker raises E as far as it goes, above every rung.
        // SAFETY: by contract the types are those of the ladder, which lives while it is occupied.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        ladder.bound.load(Ordering::Relaxed) < self.addr()
    }

    /// Whether a thread wants something that a pop of this rung would attend to, other than to be told of the next
    /// frame.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, of owner type `O`.
    #[inline(always)]
    pub(crate) unsafe fn is_wanted<O>(self) -> bool {
        // SAFETY: by contract the types are those of the ladder, which lives while it is occupied.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        compare::exceeds(&ladder.bound, self.addr() + WATCHED)
    }

    /// Pops the frame, which hides it from thieves. If this returns true, no thread wants anything, and the frame is
    /// the caller's again. If it returns false, [`Ladder::attend`] tells whose the frame is.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder, whose owner type is `O`. It has pushed at this rung, and has popped all that it
    /// pushed above.
    #[inline(always)]
    pub(crate) unsafe fn pop<O>(self) -> bool {
        // Relaxed: a thread that reads the null learns that there is no frame here, and goes away. It reads nothing
        // that this thread has written before. The null may become visible before older stores to other slots. That
        // does no harm, because thieves read slot H only, and while that is null there is nothing to take. The next
        // push is a release again, and the fence keeps the null ahead of the load of E (`models/ladder.pml`,
        // SLOT_OVERTAKE; `models/range.pml` and `models/chain.pml`, POP_RELAXED).
        // SAFETY: the ladder lives while it is occupied.
        unsafe { self.slot() }.store(ptr::null_mut(), Ordering::Relaxed);
        fence::light();
        // SAFETY: by contract the types are those of the ladder.
        let ladder = unsafe { Ladder::<F, O>::of(self) };
        !compare::exceeds(&ladder.bound, self.addr())
    }
}
