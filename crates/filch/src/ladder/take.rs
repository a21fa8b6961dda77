//! The take: a thief removes the oldest frame of a running worker (cilk5.txt, section 5).

use super::{Ladder, Rung, rung::is_frame};
use crate::sync::{Ordering, fence, try_lock};
use std::num::NonZero;
use std::ptr::NonNull;

/// Why a take brought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// There was nothing to take: the victim was not disturbed.
    Empty,
    /// It may not be disturbed now, and was not.
    TooSoon,
    /// Another thief, or the owner, holds L: the victim was not disturbed.
    Contended,
    /// The owner came back for the frame first, or the claim was refused, or the barrier: the victim was interrupted
    /// for nothing.
    Failed,
}

/// What a thief takes of the frame at a rung: a frame to run, which that one is, or has been split from it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Claimed<F> {
    /// Nothing is left: H moves past the rung.
    Rest(NonNull<F>),
    /// Something is left, and H stays.
    Part(NonNull<F>),
}

impl<F, O> Ladder<F, O> {
    /// Whether there is something to take, at the price of two loads.
    pub(crate) fn has_frame(&self) -> bool {
        // SAFETY: `self` is borrowed, so the ladder lives.
        is_frame(unsafe { self.head_rung().slot() }.load(Ordering::Relaxed))
    }

    /// Takes the oldest frame, if `claim` agrees once it is certain that the frame is there.
    ///
    /// `may_disturb` is asked under L, once there seems to be a frame: from there on the attempt costs the victim an
    /// interruption.
    ///
    /// `claim` runs under L and before the owner can notice: what it writes into the frame, the owner sees once it has
    /// found its frame gone. It must not run user code.
    ///
    /// On success what was claimed belongs to the caller, who must run it, and whose owner waits for it.
    pub(crate) fn take(
        &self,
        may_disturb: impl FnOnce() -> bool,
        claim: impl FnOnce(NonNull<F>) -> Option<Claimed<F>>,
    ) -> Result<NonNull<F>, Miss> {
        if !self.has_frame() {
            return Err(Miss::Empty);
        }
        let Some(held) = try_lock(&self.claims.lock) else {
            return Err(Miss::Contended);
        };
        if !may_disturb() {
            return Err(Miss::TooSoon);
        }

        let rung = self.head_rung();
        let head = rung.addr();
        let above = head + size_of::<super::Slot<F>>();
        let before = self.bound.fetch_max(above, Ordering::AcqRel);
        let is_ordered = fence::heavy();
        // The one load that decides. Null: the owner was here first. A frame: any later return to this rung meets E.
        // SAFETY: `self` is borrowed, so the ladder lives.
        let value = unsafe { rung.slot() }.load(Ordering::Acquire);
        let frame = NonNull::new(value).filter(|_| is_frame(value) && is_ordered);
        match frame.and_then(claim) {
            Some(Claimed::Rest(frame)) => {
                self.claims.head.store(above, Ordering::Relaxed);
                drop(held);
                return Ok(frame);
            }
            // E stays above the rung: the owner's next pop of it attends, and so sees what is left.
            Some(Claimed::Part(frame)) => {
                if mutant!("split_lowers_bound") {
                    let _ = self.bound.compare_exchange(above, head, Ordering::AcqRel, Ordering::Relaxed);
                }
                drop(held);
                return Ok(frame);
            }
            None => {}
        }
        if before < above {
            // Lower only what this call raised: if a signaller has raised E further since, that must stay. It was H, or
            // a little more where the ladder is watched.
            let _ = self.bound.compare_exchange(above, before, Ordering::AcqRel, Ordering::Relaxed);
        }
        drop(held);
        Err(Miss::Failed)
    }

    pub(super) fn head_rung(&self) -> Rung<F> {
        let head = self.claims.head.load(Ordering::Relaxed);
        // H is never null: it starts at the first rung and only moves between rungs.
        Rung::new(self.floor.map_addr(|floor| NonZero::new(head).unwrap_or(floor)))
    }
}
