//! A panic passes a fork.

use super::{Context, JoinFrame, Strand};
use crate::worker::{Rung, Worker, cold};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Stands for a frame while the first branch runs. Forgotten when that returns; dropped only if it unwinds, and then
/// no rung may point to the frame any more, nobody may be using it, and what it holds must be dropped.
pub(super) struct Unwinding<'f, B, RB>
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
    pub(super) fn new(rung: Rung, frame: &'f JoinFrame<B, RB>) -> Self {
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

/// Takes the frame off the ladder while a panic passes. That panic wins; what the second branch has left is dropped, its
/// own panics with it: two at once would abort the process.
#[cold]
#[inline(never)]
fn settle<B, RB>(rung: Rung, frame: &JoinFrame<B, RB>)
where
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    // SAFETY: the fork pushed at this rung, and the first branch has popped what it pushed: whatever unwinds through a
    // fork comes by here.
    let gone = !unsafe { rung.pop::<Worker>() } && unsafe { cold::attend(rung) };
    if gone {
        // SAFETY: `attend` says that it is gone.
        match unsafe { frame.outcome(rung) } {
            Ok(result) => drop_quietly(result),
            Err(payload) => drop_payload(payload),
        }
    } else {
        // SAFETY: nobody has taken the frame, and now nobody can.
        drop_quietly(unsafe { frame.take_closure() });
    }
}

/// Drops `value`, and the payload of the panic if that panics.
fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        drop_payload(payload);
    }
}

/// Payloads whose drop panics with a payload whose drop panics, and so on, are followed this far, then forgotten.
const NESTED_PAYLOADS: usize = 16;

fn drop_payload(mut payload: Box<dyn Any + Send>) {
    for _ in 0..NESTED_PAYLOADS {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(next) => payload = next,
        }
    }
    std::mem::forget(payload);
}
