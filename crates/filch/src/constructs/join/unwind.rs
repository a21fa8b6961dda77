//! Panics that unwind through a fork.
//!
//! A fork has no `catch_unwind`. A guard settles its frame when the first branch unwinds. If the frame is still on the
//! ladder, or is taken back from a mailbox or a shelf, the second branch is dropped without running. If it has begun
//! elsewhere, it is awaited and its outcome is dropped. The payload of the first branch goes on, and another one goes
//! to the panic handler of the pool. A thief catches the panic of a branch, and the owner resumes it.

use crate::constructs::drop_while_unwinding::{drop_quietly, lose_payload};
use crate::constructs::join::context::Context;
use crate::constructs::join::frame::{Gone, JoinFrame, Outcome, Shown};
use crate::constructs::strand::Strand;
use crate::engine::team::{Pushed, Top};
use std::mem::ManuallyDrop;

/// A guard for a pushed frame while the first branch runs. It is disarmed when that branch returns, and dropped only if
/// that branch unwinds. After the drop no rung points to the frame, no thread uses it, and what it holds has been
/// dropped.
pub(crate) struct UnwindingPushed<'l, 'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    shown: ManuallyDrop<Shown<'l, 'f, B, RB>>,
}

impl<'l, 'f, B, RB> UnwindingPushed<'l, 'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    #[inline(always)]
    pub(crate) fn new(shown: Shown<'l, 'f, B, RB>) -> Self {
        UnwindingPushed { shown: ManuallyDrop::new(shown) }
    }

    /// The top, where the first branch runs.
    #[inline(always)]
    pub(crate) fn above(&mut self) -> Top<'_> {
        self.shown.above()
    }

    /// The first branch has returned.
    #[inline(always)]
    pub(crate) fn disarm(self) -> Shown<'l, 'f, B, RB> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again.
        unsafe { ManuallyDrop::take(&mut this.shown) }
    }
}

impl<B, RB> Drop for UnwindingPushed<'_, '_, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        let Shown { pushed, frame } = unsafe { ManuallyDrop::take(&mut self.shown) };
        // By value, and not as a whole: a reference to this would keep it in memory on every fork.
        settle(pushed, frame);
    }
}

/// [`UnwindingPushed`] for a frame that has been left for others without a push.
pub(crate) struct UnwindingLeft<'l, 'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    top: Top<'l>,
    gone: ManuallyDrop<Gone<'f, B, RB>>,
}

impl<'l, 'f, B, RB> UnwindingLeft<'l, 'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    pub(crate) fn new(top: Top<'l>, gone: Gone<'f, B, RB>) -> Self {
        UnwindingLeft { top, gone: ManuallyDrop::new(gone) }
    }

    pub(crate) fn top(&mut self) -> Top<'_> {
        self.top.reborrow()
    }

    /// The first branch has returned.
    pub(crate) fn disarm(self) -> Gone<'f, B, RB> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again.
        unsafe { ManuallyDrop::take(&mut this.gone) }
    }
}

impl<B, RB> Drop for UnwindingLeft<'_, '_, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        settle_gone(self.top.reborrow(), unsafe { ManuallyDrop::take(&mut self.gone) });
    }
}

/// Takes the frame off the ladder while a panic unwinds. That panic goes on. What the second branch has left is
/// dropped, and its own panic goes to the panic handler if there is one, because a second panic during unwinding would
/// abort the process.
#[cold]
#[inline(never)]
fn settle<B, RB>(pushed: Pushed<'_>, frame: &JoinFrame<B, RB>)
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    let mut shown = Shown { pushed, frame };
    shown.above().owner().note_unwinding();
    match shown.pop() {
        Ok((top, kept)) => drop_quietly(&top, kept.take()),
        Err((top, gone)) => settle_gone(top, gone),
    }
}

/// [`settle`], for a frame that is off the ladder and gone.
fn settle_gone<B, RB>(mut top: Top<'_>, gone: Gone<'_, B, RB>)
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    top.owner().note_unwinding();
    match gone.outcome(&mut top) {
        Outcome::Done(Ok(result)) => drop_quietly(&top, result),
        Outcome::Done(Err(payload)) => lose_payload(&top, payload),
        Outcome::Reclaimed(branch) => drop_quietly(&top, branch),
    }
}
