//! The owner settles under L why the bound stands above its rung.

use super::{Ladder, Rung, Slot};
use crate::sync::{Ordering, lock_soon};
use std::ptr::NonNull;

impl<F, O> Ladder<F, O> {
    /// Called when a pop of `rung` found E > t: brings H and E back to where the owner stands. True if the frame that
    /// was at `rung` is gone, which also means that all below it are: the owner has an empty ladder from here up.
    ///
    /// `give` is asked once, under L, with the oldest frame if there is one below `rung`: true gives all of that frame
    /// away. What it writes into the frame, the owner sees once it has found its frame gone. It must not run user
    /// code. The frame at `rung` itself has been popped, and H does not move past it.
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
        // A swap, never a store: either it reads from the release of whoever raised E, so that what they wrote before
        // is seen below, or their raise comes later and survives. Never below H: a frame already taken must be
        // noticed.
        let rest = if mutant!("reset_to_zero") { 0 } else { rest };
        self.bound.swap(rest, Ordering::AcqRel);
        // Only now may the ask word be read: an ask posted after this look raises E after it, too.
        let oldest = (head < rung.addr()).then(|| self.head_rung());
        // SAFETY: the ladder lives. Between H and the owner's rung there are frames, which the owner, here, has not
        // popped.
        let oldest = oldest.and_then(|oldest| NonNull::new(unsafe { oldest.slot() }.load(Ordering::Relaxed)));
        if give(oldest) {
            let above = head + size_of::<Slot<F>>();
            self.claims.head.store(above, Ordering::Relaxed);
            self.bound.fetch_max(above, Ordering::AcqRel);
        }
        drop(held);
        gone
    }

    /// Makes the owner attend at its next return. Whatever it is to find there has been written before.
    pub(crate) fn raise(&self) {
        self.bound.fetch_max(usize::MAX, Ordering::AcqRel);
    }
}
