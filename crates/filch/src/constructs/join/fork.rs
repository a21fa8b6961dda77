//! The fast path of a fork. Every rare case is a call of a cold function.
//!
//! This is the first of four files that tell the story of a join. The next one is `engine/share/at_return.rs`: what the
//! owner does when its return finds that another worker wants something. Then come `engine/share/thief.rs`, the other
//! worker, and `engine/wait/join_end.rs`, the wait for a frame that has gone.

use crate::constructs::drop_while_unwinding::Quiet;
use crate::constructs::join::context::Context;
use crate::constructs::join::frame::JoinFrame;
use crate::constructs::join::unwind::{UnwindingLeft, UnwindingPushed};
use crate::constructs::strand::Strand;
use crate::engine::profile::site::Site;
use crate::engine::recording;
use crate::engine::share::at_fork::Way;
use crate::engine::team::{Occupied, Top};
use std::any::type_name;
use std::panic::Location;

/// Pushes a frame with `b` at `top`, runs `a`, and then runs `b` if no other worker has it. Without `top`, the slot at
/// `at` is not free, and `recover` says what to do.
#[inline(always)]
#[track_caller]
pub(crate) fn fork<'l, A, B, RA, RB>(
    at: Occupied<'l>,
    top: Option<Top<'l>>,
    recover: fn(Occupied<'l>) -> Way<'l>,
    a: A,
    b: B,
) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    let top = match top {
        Some(top) => top,
        None => match recover(at) {
            Way::Push(top) => top,
            Way::Share(top) => return share(top, None, a, b),
            Way::Full => return overflow(at, a, b, Location::caller()),
        },
    };
    // A frame above an empty slot could be run twice (models/ladder.pml, STALE_KEPT).
    debug_assert!(top.is_above_frame(), "a fork leaves no hole below it");
    let frame = JoinFrame::new(b);
    // SAFETY: the rung is free. The frame lives until `pop` below has returned it, or `wait` has. If `a` unwinds,
    // `unwinding` guarantees the same.
    let mut unwinding = UnwindingPushed::new(unsafe { frame.push(top) });
    let ra = a(Strand::of(unwinding.above()), Context::STAYED);
    let (top, b) = match unwinding.disarm().pop() {
        Ok((top, kept)) => (top, kept.take()),
        Err((top, gone)) => return (ra, gone.wait(top)),
    };
    let rb = b(Strand::of(top), Context::STAYED);
    (ra, rb)
}

/// A fork while other workers sleep: leaves `b` where a worker that wakes up finds it, instead of on the ladder, and
/// runs `a`. Then it runs `b` if no worker has begun it. With `to`, only that group may begin `b` at first.
#[cold]
#[inline(never)]
pub(crate) fn share<A, B, RA, RB>(mut top: Top<'_>, to: Option<usize>, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    let frame = JoinFrame::new(b);
    // SAFETY: `wait` below waits for the frame, or `unwinding` does if `a` unwinds.
    let (gone, _descent) = unsafe { frame.share(&top, to) };
    let mut unwinding = UnwindingLeft::new(top.reborrow(), gone);
    let ra = a(Strand::of(unwinding.top()), Context::STAYED);
    let gone = unwinding.disarm();
    (ra, gone.wait(top))
}

/// A fork on a full ladder: runs both branches here, in order, without a frame. It takes the rung and not a reference
/// to the strand: with a reference, the strand would have to be in memory on every fork. A profile
/// ([`engine::profile`](crate::engine::profile)) comes here at each fork that it times.
#[cold]
#[inline(never)]
fn overflow<A, B, RA, RB>(at: Occupied<'_>, a: A, b: B, location: &'static Location<'static>) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB,
{
    let mut top = at.top();
    let b = Quiet::new(*top, b);
    let code = overflow::<A, B, RA, RB> as *const () as usize;
    let mut part = recording::fork(*top, Site { location, name: type_name::<A>(), code });
    let ra = a(Strand::of(top.reborrow()), Context::STAYED);
    part.second();
    let rb = b.take()(Strand::of(top), Context::STAYED);
    (ra, rb)
}
