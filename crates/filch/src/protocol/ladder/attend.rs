//! Attending: an owner that has found E above its rung settles under L what has happened.

use super::rung::is_frame;
use super::{Ladder, Rung, Slot};
use crate::sync::{Ordering, lock_soon};
use std::ptr::NonNull;

impl<F, O> Ladder<F, O> {
    /// Brings H and E back to where the owner stands, after a pop of `rung` has found E above it. Returns true if the
    /// frame that was at `rung` is gone. Then all frames below it are gone as well, and the owner's ladder is empty.
    ///
    /// `give` is called once, under L, with the oldest frame, if there is one below `rung`. It returns true if it gives
    /// all of that frame away. It must not run user code. The frame at `rung` has been popped, and H does not move past
    /// it.
    ///
    /// # Safety
    ///
    /// The caller occupies this ladder and has just popped `rung`.
    #[cold]
    pub(crate) unsafe fn attend(&self, rung: Rung<F>, give: impl FnOnce(Option<NonNull<F>>) -> bool) -> bool {
        let held = (!mutant!("reset_without_lock")).then(|| lock_soon(&self.claims.lock, self.claims.generation));
        let head = self.claims.head.load(Ordering::Relaxed);
        let gone = head > rung.addr();
        let rest = head.min(rung.addr());
        if gone {
            self.claims.head.store(rest, Ordering::Relaxed);
        }
        // A swap, not a store. Either it reads what another thread has raised E to, and acquires what that thread wrote
        // before; or that raise comes later and is kept. E is never set below H, because the owner must notice that a
        // frame has been taken.
        let rest = if mutant!("reset_to_zero") { 0 } else { rest };
        self.bound.swap(rest, Ordering::AcqRel);
        // The ask word may be read only now: an asker that posts after this read also raises E after the swap above.
        let oldest = (head < rung.addr()).then(|| self.head_rung());
        // SAFETY: the ladder lives while it is occupied. (The slots from H to the owner's rung hold frames, because
        // only the owner pops them.)
        let oldest = oldest.and_then(|oldest| NonNull::new(unsafe { oldest.slot() }.load(Ordering::Relaxed)));
        if give(oldest) {
            let above = head + size_of::<Slot<F>>();
            self.claims.head.store(above, Ordering::Relaxed);
            self.bound.fetch_max(above, Ordering::AcqRel);
        }
        drop(held);
        gone
    }

    /// The oldest frame below `top`, as its owner sees it without L. Another thread may take it at any time. It lives
    /// until the owner pops it, and after that until what is done with it is done.
    ///
    /// # Safety
    ///
    /// The caller occupies this ladder, whose top is `top`.
    pub(crate) unsafe fn oldest_of_owner(&self, top: Rung<F>) -> Option<NonNull<F>> {
        let oldest = self.head_rung();
        // H may be above `top`, if the frame that was there has just been taken.
        if oldest.addr() >= top.addr() {
            return None;
        }
        // SAFETY: the ladder lives while it is occupied.
        let frame = unsafe { oldest.slot() }.load(Ordering::Relaxed);
        NonNull::new(frame).filter(|_| is_frame(frame))
    }

    /// Makes the owner attend at its next return. The caller must have written before what the owner is to find there.
    pub(crate) fn raise(&self) {
        self.bound.fetch_max(usize::MAX, Ordering::AcqRel);
    }
}
