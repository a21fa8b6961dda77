//! The owner settles under L why the bound stands above its rung.

use super::{Ladder, Rung};
use crate::sync::{Ordering, lock_soon};

impl<F, O> Ladder<F, O> {
    /// Called when a pop of `rung` found E > t: brings H and E back to where the owner stands. True if the frame that
    /// was at `rung` is gone, which also means that all below it are: the owner has an empty ladder from here up.
    ///
    /// # Safety
    ///
    /// The caller occupies this ladder and has just popped `rung`.
    #[cold]
    pub(crate) unsafe fn attend(&self, rung: Rung<F>) -> bool {
        let held = (!cfg!(filch_mutant = "reset_without_lock")).then(|| lock_soon(&self.claims.lock));
        let head = self.claims.head.load(Ordering::Relaxed);
        let gone = head > rung.addr();
        let rest = head.min(rung.addr());
        if gone {
            self.claims.head.store(rest, Ordering::Relaxed);
        }
        // A swap, never a store: either it reads from the release of whoever raised E, so that what they wrote before is
        // seen below, or their raise comes later and survives. Never below H: a frame already taken must be noticed.
        let rest = if cfg!(filch_mutant = "reset_to_zero") { 0 } else { rest };
        self.bound.swap(rest, Ordering::AcqRel);
        // Here, still under L, the request word is taken and the oldest frame given (design, section 5).
        drop(held);
        gone
    }
}
