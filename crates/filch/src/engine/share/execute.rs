//! Running a claimed frame to its end, and handing it back to its owner.

use crate::engine::frame::Header;
use crate::engine::seats::current;
use crate::engine::team::Top;
use crate::engine::views::hypermap;
use crate::sync::abort::AbortOnUnwind;
use std::ptr::NonNull;

/// Runs `frame` at `top`, as the innermost of its worker's tasks. Calls `wake` if the frame's owner sleeps.
/// The frame may be gone by then.
///
/// # Safety
///
/// The caller has the frame, which has been claimed and has not begun.
pub(crate) unsafe fn execute(top: &Top<'_>, frame: NonNull<Header>, wake: impl FnOnce()) {
    let worker = top.owner();
    // `run` catches panics of user code. If anything else unwound, the owner of the frame would wait for ever.
    let abort = AbortOnUnwind::arm();
    // SAFETY: the frame lives until it is done. It has been claimed, and this worker has acquired the claim with it.
    let claim = unsafe { Header::claim_of(frame) };
    worker.tasks.begin(top.rung().addr(), claim.origin);
    let tier = worker.set_tier(claim.tier());
    // What the frame's work forks can be asked for. Between two tasks, or while it waits, a worker cannot be asked.
    worker.open();
    // SAFETY: the caller has the frame, and this is called once.
    let run = |top: Top<'_>| unsafe { Header::run(frame, top) };
    let views = hypermap::run_task(|| work_at(top, run));
    worker.close();
    worker.set_tier(tier);
    // SAFETY: this thread runs the frame, and `done` is not set yet.
    unsafe { claim.leave(views) };
    // From here on the frame belongs to its owner again, which may return at once.
    let sleeps = claim.done.set();
    worker.tasks.end();
    if sleeps {
        wake();
    }
    abort.disarm();
}

/// Runs `f`, which works from `top` upwards and leaves the ladder as it found it.
pub(crate) fn work_at<R>(top: &Top<'_>, f: impl FnOnce(Top<'_>) -> R) -> R {
    top.check();
    // If some worker is idle, what `f` forks first is shared at once.
    let (leaves, forks_across) = (top.owner().team().sharing.leaves(top.owner()), top.owner().forks_across());
    if top.owner().record.begins_eager(leaves, forks_across) {
        top.make_eager();
    }
    // The hint is restored afterwards, because the caller may be working on another ladder than this one. A strand that
    // was smuggled into a run of another pool leads to this.
    let result = current::working_at(top.rung(), || f(top.again()));
    assert!(top.is_settled(), "a task left its worker's ladder other than it found it: a stackful coroutine?");
    result
}
