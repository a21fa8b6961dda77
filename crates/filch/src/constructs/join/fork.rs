//! The fast path. Everything rare is a call to something cold.

use crate::constructs::join::context::Context;
use crate::constructs::join::frame::JoinFrame;
use crate::constructs::join::unwind::{Unrun, Unwinding};
use crate::constructs::strand::Strand;
use crate::engine::frame::Rung;
use crate::engine::share::victim;
use crate::engine::share::way;
use crate::engine::share::way::Way;
use crate::engine::team::Worker;

/// Leaves a frame with `b` at `rung`, runs `a`, and then `b` if it is still there. `is_top`: whether a look at the
/// slots has shown that the fork may push there; if not, `recover` says what to do.
///
/// # Safety
///
/// The current thread occupies the ladder of `rung`, whose top is at `rung` or above.
#[inline(always)]
pub(crate) unsafe fn fork<A, B, RA, RB>(
    mut rung: Rung,
    is_top: bool,
    recover: unsafe fn(Rung) -> Way,
    a: A,
    b: B,
) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    if !is_top {
        // SAFETY: forwarded.
        match unsafe { recover(rung) } {
            Way::Push(top) => rung = top,
            // SAFETY: forwarded.
            Way::Share(top) => return unsafe { share(top, a, b) },
            // SAFETY: forwarded.
            Way::Full => return unsafe { overflow(rung, a, b) },
        }
    }
    // A frame above an empty slot could be run twice (models/ladder.pml, STALE_KEPT).
    debug_assert!(
        // SAFETY: forwarded; there is a slot below every rung, if only the floor.
        unsafe { rung.is_above_frame() },
        "a fork leaves no hole below it"
    );
    let frame = JoinFrame::new(b);
    // SAFETY: the rung is free. The frame lives until `pop` below has returned true, or `attend` false, or until it has
    // been awaited; `unwinding` sees to the same if `a` unwinds.
    unsafe { rung.push(frame.header()) };
    let unwinding = Unwinding::new(rung, &frame);
    // SAFETY: the rung was free, so there is a slot above it.
    let above = unsafe { rung.next() };
    // SAFETY: while `a` runs, the frame at `rung` keeps the top above it.
    let ra = a(unsafe { Strand::at(above) }, Context::STAYED);
    std::mem::forget(unwinding);
    // SAFETY: pushed above, by the occupant, and `a` has popped what it pushed. A wanted frame is settled at once.
    if !unsafe { rung.pop::<Worker>() } && unsafe { victim::attend(rung, frame.header()) } {
        // SAFETY: `attend` says that it is gone.
        return (ra, unsafe { frame.wait(rung) });
    }
    // SAFETY: nobody has taken the frame, and now nobody can.
    let b = unsafe { frame.take_closure() };
    // SAFETY: popped, so the top is at `rung`, and `b` will pop what it pushes.
    let rb = b(unsafe { Strand::at(rung) }, Context::STAYED);
    (ra, rb)
}

/// The fork while others sleep: leaves `b` where whoever comes finds it, not on the ladder, and runs `a`. Then `b`, if
/// nobody came.
///
/// # Safety
///
/// The current thread occupies the ladder of `top`, its top, and has been told to [share](Way::Share).
#[cold]
#[inline(never)]
unsafe fn share<A, B, RA, RB>(top: Rung, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    let frame = JoinFrame::new(b);
    // SAFETY: forwarded. The frame is waited for below, or by `unwinding` if `a` does.
    unsafe { way::share(top, frame.header()) };
    let unwinding = Unwinding::new(top, &frame);
    // SAFETY: forwarded; `a` pops what it pushes.
    let ra = a(unsafe { Strand::at(top) }, Context::STAYED);
    std::mem::forget(unwinding);
    // SAFETY: shared above.
    let rb = unsafe { frame.wait(top) };
    (ra, rb)
}

/// The fork of a full ladder: both branches here, in order, with no frame. Takes no reference to the strand, which
/// would have to live in memory for it on every fork.
///
/// # Safety
///
/// As [`fork`].
#[cold]
#[inline(never)]
unsafe fn overflow<A, B, RA, RB>(rung: Rung, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB,
{
    // SAFETY: forwarded.
    let top = unsafe { way::top_from(rung) };
    let b = Unrun::new(top, b);
    // SAFETY: nobody pops below `top` before the branches have returned.
    let ra = a(unsafe { Strand::at(top) }, Context::STAYED);
    // SAFETY: as above.
    let rb = b.take()(unsafe { Strand::at(top) }, Context::STAYED);
    (ra, rb)
}
