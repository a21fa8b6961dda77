//! The take: a thief removes the oldest frame of a running worker (Frigo, Leiserson and Randall 1998, section 5).

use super::rung::{Rung, Slot, is_frame};
use super::{Frame, Ladder};
use crate::sync::{Ordering, fence, try_lock};
use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::Deref;
use std::ptr::{self, NonNull};

/// A frame that lives throughout `'a`, as a pointer to all of it.
pub(crate) struct FrameRef<'a, F>(NonNull<F>, PhantomData<&'a F>);

impl<F> FrameRef<'_, F> {
    /// # Safety
    ///
    /// The frame lives throughout `'a`.
    pub(crate) unsafe fn new(frame: NonNull<F>) -> Self {
        Self::on_ladder(frame)
    }

    /// A frame that is on its ladder throughout `'a`. The contract of `push` makes it live there.
    pub(super) fn on_ladder(frame: NonNull<F>) -> Self {
        FrameRef(frame, PhantomData)
    }

    pub(crate) fn as_ptr(&self) -> NonNull<F> {
        self.0
    }
}

impl<F> Deref for FrameRef<'_, F> {
    type Target = F;

    fn deref(&self) -> &F {
        // SAFETY: it lives throughout `'a`, as `new` and `on_ladder` demand.
        unsafe { self.0.as_ref() }
    }
}

/// The reason why a take got nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// There was nothing to take. The victim was not interrupted.
    Empty,
    /// The victim must not be interrupted yet, and was not.
    TooSoon,
    /// The frame stays with its owner, and H has moved past it.
    Passed,
    /// Another thief, or the owner, holds L. The victim was not interrupted.
    Contended,
    /// The owner came back for the frame first, or the claim or the barrier was refused. Unless the barrier was
    /// refused, the victim was interrupted in vain.
    Failed,
}

/// What a thief gets from the frame at a rung, to run it: that frame itself, or a part that has been split from it.
#[derive(Debug)]
pub(crate) enum Claimed<T> {
    /// Nothing is left at the rung. H moves past it.
    All(T),
    /// Something is left at the rung. H stays.
    Part(T),
}

impl<T> Claimed<T> {
    /// What is to be run.
    pub(crate) fn into_inner(self) -> T {
        let (Claimed::All(claimed) | Claimed::Part(claimed)) = self;
        claimed
    }
}

/// What a thief does about the frame that it has found.
pub(crate) enum Verdict<T> {
    /// It gets this.
    Claims(Claimed<T>),
    /// It leaves the frame to its owner, and H moves past the frame. The owner notices at its next pop or look, as if
    /// the frame had been taken, and attends; that brings H back. Until then thieves find what is above the frame.
    Passes,
    /// It leaves the frame where it is.
    Leaves,
}

impl<F: Frame> Ladder<F> {
    /// Whether there seems to be something to take. Costs two loads.
    pub(crate) fn has_frame(&self) -> bool {
        is_frame(self.head_slot().load(Ordering::Relaxed))
    }

    /// Takes the oldest frame, if `decide` says so once the frame is certain to be there.
    ///
    /// `may_disturb` is called under L, once there seems to be a frame. If it returns true, the attempt interrupts the
    /// victim.
    ///
    /// `decide` runs under L, before the owner can notice anything. The owner sees what `decide` writes into the frame
    /// once it has found its frame gone. `decide` must not run user code.
    ///
    /// On success, what was claimed belongs to the caller. The caller must run it, because its owner waits for it.
    pub(crate) fn take<T>(
        &self,
        may_disturb: impl FnOnce() -> bool,
        decide: impl FnOnce(FrameRef<'_, F>) -> Verdict<T>,
    ) -> Result<T, Miss> {
        if !self.has_frame() {
            return Err(Miss::Empty);
        }
        let Some(held) = try_lock(&self.claims.lock) else {
            return Err(Miss::Contended);
        };
        if !may_disturb() {
            return Err(Miss::TooSoon);
        }

        let slot = self.head_slot();
        let head = ptr::from_ref(slot).addr();
        let above = head + size_of::<Slot<F>>();
        let before = self.bound.fetch_max(above, Ordering::AcqRel);
        let is_ordered = fence::heavy();
        // The one load that decides. If it reads null, the owner was first. If it reads a frame, every later return to
        // this rung finds E raised.
        let value = slot.load(Ordering::Acquire);
        let frame = NonNull::new(value).filter(|_| is_frame(value) && is_ordered);
        match frame.map(FrameRef::on_ladder).map_or(Verdict::Leaves, decide) {
            Verdict::Claims(Claimed::All(frame)) => {
                self.claims.head.store(above, Ordering::Relaxed);
                drop(held);
                return Ok(frame);
            }
            Verdict::Passes => {
                self.claims.head.store(above, Ordering::Relaxed);
                drop(held);
                return Err(Miss::Passed);
            }
            // E stays above the rung, so the owner's next pop of it attends and then sees what is left.
            Verdict::Claims(Claimed::Part(frame)) => {
                if mutant!("split_lowers_bound") {
                    let _ = self.bound.compare_exchange(above, head, Ordering::AcqRel, Ordering::Relaxed);
                }
                drop(held);
                return Ok(frame);
            }
            Verdict::Leaves => {}
        }
        if before < above {
            // Lower only what this call has raised: if another thread has raised E further since, that must stay. The
            // value before was H, or a little more if the ladder is watched.
            let _ = self.bound.compare_exchange(above, before, Ordering::AcqRel, Ordering::Relaxed);
        }
        drop(held);
        Err(Miss::Failed)
    }

    /// Slot H.
    pub(super) fn head_slot(&self) -> &Slot<F> {
        let head = self.oldest();
        // H is never zero: it starts at the first rung and only moves between rungs.
        let rung = Rung::new(self.first.map_addr(|first| NonZero::new(head).unwrap_or(first)));
        // SAFETY: the ladder lives while it is borrowed.
        unsafe { rung.slot() }
    }
}
