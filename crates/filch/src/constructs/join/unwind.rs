//! Panics that unwind through a fork.
//!
//! A fork has no `catch_unwind`. A guard settles its frame when the first branch unwinds. If the frame is still on the
//! ladder, or is taken back from a mailbox or a shelf, the second branch is dropped without running. If it has begun
//! elsewhere, it is awaited and its outcome is dropped. The payload of the first branch goes on, and another one goes
//! to the panic handler of the pool. A thief catches the panic of a branch, and the owner resumes it.

use crate::constructs::join::context::Context;
use crate::constructs::join::frame::{JoinFrame, Outcome};
use crate::constructs::quietly::{drop_quietly, lose_payload};
use crate::constructs::strand::Strand;
use crate::engine::frame::Rung;
use crate::engine::share::victim;
use crate::engine::team::Worker;

/// A guard for a frame while the first branch runs. It is forgotten when that branch returns, and dropped only if that
/// branch unwinds. After the drop no rung points to the frame, no thread uses it, and what it holds has been dropped.
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

/// Takes the frame off the ladder, or back from where it was left, while a panic unwinds. That panic goes on. What the
/// second branch has left is dropped, and its own panic goes to the panic handler if there is one, because a second
/// panic during unwinding would abort the process.
#[cold]
#[inline(never)]
fn settle<B, RB>(rung: Rung, frame: &JoinFrame<B, RB>)
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    // SAFETY: the fork pushed the frame at this rung, or left it for others without a push. The first branch has popped
    // what it pushed: a panic passes a guard like this one at each of its forks.
    let is_left = !unsafe { rung.holds_frame() };
    // SAFETY: the frame at `rung` was pushed by this fork, and `attend` gets the frame that was just popped.
    let gone = is_left || !unsafe { rung.pop::<Worker>() } && unsafe { victim::attend(rung, frame.header()) };
    if gone {
        // SAFETY: the frame was left for others, or `attend` has said that it is gone.
        match unsafe { frame.outcome(rung) } {
            Outcome::Done(Ok(result)) => return drop_quietly(rung, result),
            Outcome::Done(Err(payload)) => return lose_payload(rung, payload),
            Outcome::Reclaimed => {}
        }
    }
    // SAFETY: no worker has run the frame, and it is off the ladder, so no worker can begin it.
    drop_quietly(rung, unsafe { frame.take_closure() });
}

/// A second branch that waits for its turn without a frame. If the first branch panics, this is dropped as [`settle`]
/// drops a branch: a panic in the drop goes to the panic handler.
pub(crate) struct Unrun<B> {
    /// A rung of the ladder that this thread occupies.
    rung: Rung,
    branch: Option<B>,
}

impl<B> Unrun<B> {
    pub(crate) fn new(rung: Rung, branch: B) -> Self {
        Unrun { rung, branch: Some(branch) }
    }

    /// Takes the branch, whose turn has come.
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
