//! A panic passes a fork.

use crate::constructs::join::context::Context;
use crate::constructs::join::frame::JoinFrame;
use crate::constructs::join::frame::Outcome;
use crate::constructs::quietly::{drop_quietly, lose_payload};
use crate::constructs::strand::Strand;
use crate::engine::frame::Rung;
use crate::engine::share::victim;
use crate::engine::team::Worker;

/// Stands for a frame while the first branch runs. Forgotten when that returns; dropped only if it unwinds, and then
/// no rung may point to the frame any more, nobody may be using it, and what it holds must be dropped.
pub(crate) struct Unwinding<'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    rung: Rung,
    frame: &'f JoinFrame<B, RB>,
}

impl<'f, B, RB> Unwinding<'f, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    #[inline(always)]
    pub(crate) fn new(rung: Rung, frame: &'f JoinFrame<B, RB>) -> Self {
        Unwinding { rung, frame }
    }
}

impl<B, RB> Drop for Unwinding<'_, B, RB>
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    #[inline(always)]
    fn drop(&mut self) {
        // By value: a reference to this guard would keep it in memory on every fork.
        settle(self.rung, self.frame);
    }
}

/// Takes the frame off the ladder, or back from where it was left, while a panic passes. That panic wins; what the
/// second branch has left is dropped, and its own panics go to the panic handler, if there is one: two at once would
/// abort the process.
#[cold]
#[inline(never)]
fn settle<B, RB>(rung: Rung, frame: &JoinFrame<B, RB>)
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    // SAFETY: the fork pushed at this rung, or left the frame for others and pushed nothing, and the first branch has
    // popped what it pushed: whatever unwinds through a fork comes by here.
    let is_left = !unsafe { rung.holds_frame() };
    // SAFETY: as above.
    let gone = is_left || !unsafe { rung.pop::<Worker>() } && unsafe { victim::attend(rung, frame.header()) };
    if gone {
        // SAFETY: left, or `attend` says that it is gone.
        match unsafe { frame.outcome(rung) } {
            Outcome::Done(Ok(result)) => return drop_quietly(rung, result),
            Outcome::Done(Err(payload)) => return lose_payload(rung, payload),
            Outcome::Reclaimed => {}
        }
    }
    // SAFETY: nobody has run the frame, and now nobody can.
    drop_quietly(rung, unsafe { frame.take_closure() });
}

/// A second branch that waits for its turn without a frame. Dropped by a panic of the first, it is dropped as quietly
/// as [`settle`] does it.
pub(crate) struct Unrun<B> {
    /// Of the ladder that this thread occupies.
    rung: Rung,
    branch: Option<B>,
}

impl<B> Unrun<B> {
    pub(crate) fn new(rung: Rung, branch: B) -> Self {
        Unrun { rung, branch: Some(branch) }
    }

    /// Its turn has come.
    pub(crate) fn take(mut self) -> B {
        self.branch.take().expect("there until taken or dropped")
    }
}

impl<B> Drop for Unrun<B> {
    fn drop(&mut self) {
        if let Some(branch) = self.branch.take() {
            drop_quietly(self.rung, branch);
        }
    }
}
