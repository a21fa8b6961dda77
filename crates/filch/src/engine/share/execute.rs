//! Running a task, and a frame that has been claimed, to its end and past it.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::current;
use crate::engine::frame::{Header, Rung};
use crate::engine::team::{Ladder, Worker};
use crate::engine::views::hypermap;
use std::ptr::NonNull;

/// Runs `frame` at `top` of `ladder`, as the innermost of its worker's tasks. `wake` is called if the frame's owner
/// sleeps; the frame itself may be gone by then.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top` and whose worker has room for a task, and `frame` is its to run.
pub(crate) unsafe fn execute(ladder: &Ladder, top: Rung, frame: NonNull<Header>, wake: impl FnOnce()) {
    let worker: &Worker = ladder.owner();
    // User code's panics are caught by `run`; the frame's owner waits for this to come to its end.
    let abort = AbortOnUnwind::arm();
    // SAFETY: claimed frames live until they are done.
    let header = unsafe { frame.as_ref() };
    let kind = header.kind();
    // SAFETY: claimed.
    let claim = unsafe { header.claim() };
    worker.tasks.begin(top.addr(), claim.origin);
    // Whatever it forks can be asked for; nobody asks a worker between two tasks, or one that waits.
    worker.open();
    let run = || {
        // SAFETY: claimed by the caller and called once, and `top` is the top of the ladder that the caller occupies.
        unsafe { (kind.run)(frame, top) };
    };
    // SAFETY: forwarded.
    let views = hypermap::run_task(|| unsafe { work_at(ladder, top, run) });
    worker.close();
    // SAFETY: the caller runs the frame.
    unsafe { claim.leave(views) };
    // From here on the frame belongs to its owner again, who may return at once.
    let sleeps = claim.done.set();
    worker.tasks.end();
    if sleeps {
        wake();
    }
    abort.disarm();
}

/// Runs `f`, which works on `ladder` from `top` up and leaves it as it finds it.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`.
pub(crate) unsafe fn work_at<R>(ladder: &Ladder, top: Rung, f: impl FnOnce() -> R) -> R {
    // What it forks first is left for those who have nothing to do.
    if ladder.owner().leaves() {
        // SAFETY: forwarded.
        unsafe { top.make_eager() };
    }
    // Restored afterwards: with a strand smuggled into another pool's run, the caller works on another ladder than
    // this.
    let result = current::working_at(top, f);
    // SAFETY: forwarded.
    let settled = unsafe { ladder.is_settled_at(top) };
    assert!(settled, "a task left its worker's ladder other than it found it: a stackful coroutine?");
    result
}
