//! Running a claimed frame to its end, and handing it back to its owner.

use crate::engine::cancel::region::Around;
use crate::engine::frame::Unbegun;
use crate::engine::frame::task::Origin;
use crate::engine::meters::activity::Activity;
use crate::engine::seats::current;
use crate::engine::team::{Occupied, Top, Worker};
use crate::engine::views::hypermap;
use crate::sync::abort::AbortOnUnwind;
use crate::sync::memory_fence;

/// Runs `frame` at `top`, as the innermost of its worker's tasks. Calls `wake` if the frame's owner sleeps.
/// The frame may be gone by then.
pub(crate) fn execute(top: &Top<'_>, frame: Unbegun, wake: &dyn Fn()) {
    let worker = top.owner();
    // `run` catches panics of user code. If anything else unwound, the owner of the frame would wait for ever.
    let abort = AbortOnUnwind::arm();
    let origin = frame.claim().origin;
    begin_part(worker, top, origin, worker.around_part_of(origin.parent));
    let tier = worker.set_tier(frame.claim().tier());
    // What the frame's work forks can be asked for. Between two tasks, or while it waits, a worker cannot be asked.
    worker.open();
    let doing = worker.activity.begin_frame(Activity::Task, frame.addr());
    let (ran, views) = hypermap::run_task(|| work_at(top, |top| frame.run(top)));
    drop(doing);
    worker.close();
    worker.settle_unwinding();
    worker.set_tier(tier);
    let sleeps = ran.end(views);
    end_part(**top);
    if sleeps {
        wake();
    }
    abort.disarm();
}

/// Begins a task that is a part of something inside of the regions `around`, for a worker that is about to look whether
/// it is cancelled.
pub(crate) fn begin_part(worker: &Worker, top: &Top<'_>, origin: Origin, around: Around) {
    worker.tasks.begin(top.rung().addr(), origin, around);
    if !around.is_none() {
        // Whoever cancels sets the flag first and then calls all workers; this one may have been made meanwhile.
        memory_fence();
    }
}

/// Ends the innermost task of the worker at `top`. What goes on there may have been cancelled meanwhile, when that
/// task, which is in other regions, attended.
pub(crate) fn end_part(top: Occupied<'_>) {
    let tasks = &top.owner().tasks;
    tasks.end();
    if tasks.around().is_cancelled() {
        top.ladder().raise();
    }
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
