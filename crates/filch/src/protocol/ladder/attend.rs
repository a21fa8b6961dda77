//! Attending: an owner that has found E above its rung settles under L what has happened.

use super::rung::is_frame;
use super::{Frame, FrameRef, Ladder, Returned, Slot, Top};
use crate::sync::{Ordering, lock_soon};
use std::ptr::NonNull;

impl<'l, F: Frame> Returned<'l, F> {
    /// Brings H and E back to where the owner stands, after a pop has found E above the rung. Returns the top, and
    /// whether the frame that has been popped is gone. Then all frames below it are gone as well, and the owner's
    /// ladder is empty.
    ///
    /// `give` is called once, under L, with the oldest frame, if there is one below. It returns true if it gives all of
    /// that frame away. It must not run user code. What has been popped is not on the ladder, and H does not move past
    /// it.
    #[cold]
    pub(crate) fn attend(self, give: impl FnOnce(Option<FrameRef<'_, F>>) -> bool) -> (Top<'l, F>, bool) {
        let (ladder, addr) = (self.at.ladder(), self.at.rung().addr());
        let held = (!mutant!("reset_without_lock")).then(|| lock_soon(&ladder.claims.lock, ladder.claims.generation));
        let head = ladder.oldest();
        let gone = head > addr;
        let rest = head.min(addr);
        if gone {
            ladder.claims.head.store(rest, Ordering::Relaxed);
        }
        // A swap, not a store. Either it reads what another thread has raised E to, and acquires what that thread wrote
        // before; or that raise comes later and is kept. E is never set below H, because the owner must notice that a
        // frame has been taken.
        let rest = if mutant!("reset_to_zero") { 0 } else { rest };
        ladder.bound.swap(rest, Ordering::AcqRel);
        // The ask word may be read only now: an asker that posts after this read also raises E after the swap above.
        // The slots from H to the owner's rung hold frames, because only the owner pops them.
        let oldest = (head < addr).then(|| ladder.head_slot().load(Ordering::Relaxed));
        if give(oldest.and_then(NonNull::new).map(FrameRef::on_ladder)) {
            let above = head + size_of::<Slot<F>>();
            ladder.claims.head.store(above, Ordering::Relaxed);
            ladder.bound.fetch_max(above, Ordering::AcqRel);
        }
        drop(held);
        (Top(self.at), gone)
    }
}

impl<F: Frame> Top<'_, F> {
    /// Attends where nothing has been popped.
    pub(crate) fn attend(&self, give: impl FnOnce(Option<FrameRef<'_, F>>) -> bool) {
        Returned::to(self.again()).attend(give);
    }

    /// The oldest frame, as its owner sees it without L. Another thread may take it at any time. It lives until the
    /// owner pops it, and after that until what is done with it is done.
    pub(crate) fn oldest(&self) -> Option<FrameRef<'_, F>> {
        // H may be above the top, if the frame that was there has just been taken.
        let is_below = self.ladder().oldest() < self.rung().addr();
        let frame = is_below.then(|| self.ladder().head_slot().load(Ordering::Relaxed))?;
        NonNull::new(frame).filter(|_| is_frame(frame)).map(FrameRef::on_ladder)
    }
}

impl<F: Frame> Ladder<F> {
    /// Makes the owner attend at its next return. The caller must have written before what the owner is to find there.
    pub(crate) fn raise(&self) {
        self.bound.fetch_max(usize::MAX, Ordering::AcqRel);
    }
}
