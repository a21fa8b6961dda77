//! A value that one worker computes while others of its team wait for it.
//!
//! The worker [computes](compute_named) under a name, so the others [find](await_named) parts of the computation, and
//! run these only. If it has older frames, it computes on a spare ladder, for the reason that `spare_ladder.rs` gives:
//! what it forks would lie above them, where waiters cannot get it.

use crate::engine::frame::task::{Goal, Origin};
use crate::engine::meters::activity::Activity;
use crate::engine::seats::{held_seats, inlet};
use crate::engine::share::execute::work_at;
use crate::engine::share::{at_fork, descent};
use crate::engine::team::{Occupied, Top};
use crate::engine::wait::aside::wait_aside;
use crate::engine::wait::spare_ladder::work_aside;
use crate::engine::wait::while_closed;
use crate::sync::abort::AbortOnUnwind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Calls `f` at the top of a ladder, under the name of `goal`, or returns the payload of its panic. Does not unwind.
pub(crate) fn compute_named<R>(at: Occupied<'_>, goal: Goal, f: impl FnOnce(Top<'_>) -> R) -> thread::Result<R> {
    let worker = at.owner();
    // Unwind safety: the caller resumes the panic.
    let f = |top: Top<'_>| catch_unwind(AssertUnwindSafe(|| f(top)));
    // Where it cannot have a name, nobody helps.
    if thread::panicking() || inlet::is_here() || worker.team().is_left_behind() || !worker.tasks.has_room() {
        return f(at.top());
    }
    let top = at_fork::top_of_forked(at);
    let (parent, tier, around) = (worker.tasks.innermost(), worker.tier(), worker.tasks.around());
    // `f` catches panics of user code. If anything else unwound, frames on this stack would go with it.
    let abort = AbortOnUnwind::arm();
    let compute = |top: &Top<'_>| {
        let me = top.owner();
        me.tasks.begin(top.rung().addr(), Origin { parent, goal }, around);
        let before = me.set_tier(tier);
        me.open();
        let doing = me.activity.begin(Activity::Task);
        let result = work_at(top, f);
        drop(doing);
        me.close();
        me.set_tier(before);
        me.tasks.end();
        result
    };
    let result =
        while_closed(worker, || held_seats::waiting_on(top.ladder(), top.rung(), || work_aside(&top, compute)));
    descent::mark_again(*top);
    abort.disarm();
    result
}

/// Returns when `is_over`, for a worker of the team that computes under the name of `goal`. Whoever makes `is_over`
/// true wakes the worker of `at` then.
pub(crate) fn await_named(at: Occupied<'_>, goal: Goal, is_over: &dyn Fn() -> bool) {
    let top = at_fork::top_of_forked(at);
    wait_aside(&top, goal, false, is_over, &|| !is_over());
    descent::mark_again(*top);
}
