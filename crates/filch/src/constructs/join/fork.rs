//! The fast path of a fork. Every rare case is a call of a cold function.
//!
//! This is the first of four files that tell the story of a join. The next one is `engine/share/victim.rs`: what the
//! owner does when its return finds that another worker wants something. Then come `engine/share/thief.rs`, the other
//! worker, and `engine/wait/join_end.rs`, the wait for a frame that has gone.

use crate::constructs::join::context::Context;
use crate::constructs::join::frame::JoinFrame;
use crate::constructs::join::unwind::{Unrun, Unwinding};
use crate::constructs::strand::Strand;
use crate::engine::frame::Rung;
use crate::engine::share::way::Way;
use crate::engine::share::{victim, way};
use crate::engine::team::Worker;
use crate::engine::user_code::before_user_code;

/// Pushes a frame with `b` at `rung`, runs `a`, and then runs `b` if no other worker has it. `is_top` says whether the
/// caller has seen that the slot at `rung` is free. If not, `recover` says what to do.
///
/// # Safety
///
/// The current thread must occupy the ladder of `rung`, whose top must be at `rung` or above.
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
        // SAFETY: by the contract of this function.
        match unsafe { recover(rung) } {
            Way::Push(top) => rung = top,
            // SAFETY: `recover` told this fork to share, and `top` is the top.
            Way::Share(top) => return unsafe { share(top, a, b) },
            // SAFETY: by the contract of this function.
            Way::Full => return unsafe { overflow(rung, a, b) },
        }
    }
    // A frame above an empty slot could be run twice (models/ladder.pml, STALE_KEPT).
    debug_assert!(
        // SAFETY: by the contract of this function; below every rung there is a slot, the floor at least.
        unsafe { rung.is_above_frame() },
        "a fork leaves no hole below it"
    );
    // SAFETY: by the contract of this function.
    unsafe { before_user_code(rung) };
    let frame = JoinFrame::new(b);
    // SAFETY: the rung is free. The frame lives until `pop` below has returned true, until `attend` has returned false,
    // or until `wait` has returned. If `a` unwinds, `unwinding` guarantees the same.
    unsafe { rung.push(frame.header()) };
    let unwinding = Unwinding::new(rung, &frame);
    // SAFETY: the rung was free, so the mark above the last rung, or a rung, is above it.
    let above = unsafe { rung.next() };
    // SAFETY: while `a` runs, the frame at `rung` keeps the top at `above` or higher.
    let ra = a(unsafe { Strand::at(above) }, Context::STAYED);
    std::mem::forget(unwinding);
    // SAFETY: this thread pushed the frame above, and `a` has popped everything that it pushed. If `pop` says that a
    // worker wants something, the frame in `attend` is the one just popped.
    if !unsafe { rung.pop::<Worker>() } && unsafe { victim::attend(rung, frame.header()) } {
        // SAFETY: `attend` has said that the frame is gone.
        return (ra, unsafe { frame.wait(rung) });
    }
    // SAFETY: the frame has not been taken, and it is off the ladder, so it cannot be taken any more.
    let b = unsafe { frame.take_closure() };
    // SAFETY: the frame has been popped, so the top is at `rung`. `b` pops everything that it pushes.
    let rb = b(unsafe { Strand::at(rung) }, Context::STAYED);
    (ra, rb)
}

/// A fork while other workers sleep: leaves `b` where a worker that wakes up finds it, instead of on the ladder, and
/// runs `a`. Then it runs `b` if no worker has begun it.
///
/// # Safety
///
/// The current thread must occupy the ladder of `top`, which must be its top, and must have been told to
/// [share](Way::Share).
#[cold]
#[inline(never)]
unsafe fn share<A, B, RA, RB>(top: Rung, a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Strand<'_>, Context) -> RA,
    B: FnOnce(Strand<'_>, Context) -> RB + Send,
    RB: Send,
{
    let frame = JoinFrame::new(b);
    // SAFETY: by the contract of this function. `wait` below waits for the frame, or `unwinding` does if `a` unwinds.
    let _descent = unsafe { way::share(top, frame.header()) };
    let unwinding = Unwinding::new(top, &frame);
    // SAFETY: by the contract of this function; `a` pops everything that it pushes.
    let ra = a(unsafe { Strand::at(top) }, Context::STAYED);
    std::mem::forget(unwinding);
    // SAFETY: shared above.
    let rb = unsafe { frame.wait(top) };
    (ra, rb)
}

/// A fork on a full ladder: runs both branches here, in order, without a frame. It takes the rung and not a reference
/// to the strand: with a reference, the strand would have to be in memory on every fork.
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
    // SAFETY: by the contract of this function.
    let top = unsafe { way::top_from(rung) };
    let b = Unrun::new(top, b);
    // SAFETY: no frame below `top` is popped before the branches have returned.
    let ra = a(unsafe { Strand::at(top) }, Context::STAYED);
    // SAFETY: the same, and `a` has popped everything that it pushed.
    let rb = b.take()(unsafe { Strand::at(top) }, Context::STAYED);
    (ra, rb)
}
