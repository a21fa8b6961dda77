//! Waiting in the midst of other work, for a scope or for a task with a handle. Meanwhile the worker helps with parts
//! of what it waits for, on a spare ladder if it has older frames on its own.

use crate::engine::frame::task::Goal;
use crate::engine::seats::held_seats;
use crate::engine::team::Top;
use crate::engine::wait::join_end::wait_on;
use crate::engine::wait::spare_ladder::work_aside;
use crate::engine::wait::while_closed;

/// Returns when `is_called`. Before a sleep `announce` is called: it shows others that this worker sleeps, and returns
/// false if there is nothing to wait for. Whoever makes `is_called` true wakes the worker of `own` then.
pub(super) fn wait_aside(
    own: &Top<'_>,
    goal: Goal,
    is_across: bool,
    is_called: &dyn Fn() -> bool,
    announce: &dyn Fn() -> bool,
) {
    let worker = own.owner();
    let wait = |top: &Top<'_>| wait_on(**own, top, goal, is_called, announce);
    let wait = || work_aside(own, |top| held_seats::waiting_on(top.ladder(), top.rung(), || wait(top)));
    while_closed(worker, || worker.while_waiting(is_across, wait));
}
