//! Waiting in the midst of other work, for a scope or for a task with a handle. Meanwhile the worker helps with parts
//! of what it waits for, on a spare ladder if it has older frames on its own.

use crate::engine::entry::loans;
use crate::engine::entry::waiters::Registered;
use crate::engine::frame::task::Goal;
use crate::engine::seats::held_seats;
use crate::engine::share::at_return;
use crate::engine::share::thief::Thief;
use crate::engine::team::{Occupied, Top};
use crate::engine::wait::join_end::help_or_pause;
use crate::engine::wait::rest::Resting;
use crate::engine::wait::spare_ladder::work_aside;
use crate::engine::wait::while_closed;
use std::cell::Cell;

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

/// Waits as the worker of `own`, and helps at `top`.
fn wait_on(own: Occupied<'_>, top: &Top<'_>, goal: Goal, is_called: &dyn Fn() -> bool, announce: &dyn Fn() -> bool) {
    let (team, worker) = (own.owner().team(), own.owner());
    let thief = Thief {
        team,
        top: top.again(),
        is_called,
        is_met_with_silence: Cell::new(false),
        going_busy: &|| Resting::interrupt(worker),
        may_nap: announce,
    };
    let mut registered = None;
    let mut rest = Resting::new(own);
    while !is_called() {
        team.must_have_threads();
        if held_seats::holds_several_seats() {
            let registered = registered.get_or_insert_with(|| Registered::for_end(team, goal));
            loans::lend(registered, Some(top.ladder()));
        }
        // This thread does not return meanwhile, and may have older frames.
        at_return::look(top);
        help_or_pause(&thief, &mut rest, goal, announce);
    }
}
