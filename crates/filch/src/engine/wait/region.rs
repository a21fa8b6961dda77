//! Running inside of a token, or outside of one.
//!
//! What runs there is a task of its own on the ladder of its thread, so that others find the region of what it forks,
//! and the tasks that it is a part of. Where too many tasks are nested, it works on a spare ladder, where the count
//! begins again.

use crate::engine::cancel::is_end;
use crate::engine::cancel::region::{Around, Region};
use crate::engine::cancel::token::Token;
use crate::engine::entry::enter::by_pointer;
use crate::engine::frame::task::{Goal, Origin, TaskId};
use crate::engine::meters::activity::Activity;
use crate::engine::seats::ambient::{end_if_cancelled, pass_on};
use crate::engine::share::execute::{begin_part, end_part};
use crate::engine::share::{at_fork, descent};
use crate::engine::team::{Occupied, Team, Top};
use crate::engine::wait::spare_ladder::work_apart;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// Runs `f` at `top`, inside of these regions instead of those around. They have the team in their lists. Unwinds if
/// one of them has been cancelled.
#[inline]
pub(crate) fn within<R>(top: Top<'_>, around: Around, f: impl FnOnce(Top<'_>) -> R) -> R {
    if top.owner().tasks.around() == around {
        return f(top);
    }
    by_pointer(f, |f| begin_and_run(top, around, f))
}

#[cold]
fn begin_and_run(top: Top<'_>, around: Around, f: &mut dyn FnMut(Top<'_>)) {
    // Whoever is inside of a task counts as being in a run that has forked.
    let mut top = at_fork::top_of_forked(*top);
    let (worker, at) = (top.owner(), *top);
    let parent = worker.tasks.innermost();
    if worker.tasks.has_room() {
        as_task(top.reborrow(), parent, around, f);
    } else {
        work_apart(at.ladder(), |apart| match apart {
            Some(apart) => {
                apart.owner().open();
                let _close = Close(**apart);
                let _doing = apart.owner().activity.begin(Activity::Task);
                as_task(apart.again(), parent, around, f);
            }
            // There is no memory for a ladder. What is around ends it, and looks of its own do.
            None => f(top.again()),
        });
    }
    descent::mark_again(at);
}

/// Stops others from asking the worker.
struct Close<'l>(Occupied<'l>);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.owner().close();
    }
}

/// Runs `f` as a task, for which nobody waits but this thread. The worker has room for it.
fn as_task(top: Top<'_>, parent: Option<TaskId>, around: Around, f: &mut dyn FnMut(Top<'_>)) {
    struct End<'l>(Occupied<'l>);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            end_part(self.0);
        }
    }
    let here = 0_usize;
    let origin = Origin { parent, goal: Goal::at(NonNull::from(&here)) };
    begin_part(top.owner(), &top, origin, around);
    let _end = End(*top);
    end_if_cancelled(*top);
    f(top);
}

/// Runs `enter` inside of `token`, with the regions that are around it then: it runs something [`within`] them. `None`
/// if the token was cancelled before that was done. While it runs, `team` is called if the token is cancelled; those
/// around call it already.
pub(crate) fn run<R>(token: &Token, around: Around, team: Option<&Team>, enter: impl FnOnce(Around) -> R) -> Option<R> {
    if token.is_cancelled() {
        return None;
    }
    let region = Region::new(token, around);
    // SAFETY: the region stays in this variable until what is inside has ended: `within` waits for that, also when it
    // unwinds. Those around it live as long.
    let inside = unsafe { region.inside() };
    // SAFETY: it is dropped at the end of this.
    let _calling = team.map(|team| unsafe { inside.innermost_call_while(team, 1) });
    // Unwind safety: as with a thread, what the end has left broken is up to the user.
    match catch_unwind(AssertUnwindSafe(|| enter(inside))) {
        Ok(result) => Some(result),
        // It goes on to the outermost region that is cancelled.
        Err(payload) if is_end(&*payload) && !around.is_cancelled() && token.is_cancelled() => None,
        Err(payload) => pass_on(payload),
    }
}

/// Runs `f` at the place of this thread, as [`run`].
pub(crate) fn run_at<R>(token: &Token, at: Occupied<'_>, f: impl FnOnce(Top<'_>) -> R) -> Option<R> {
    let worker = at.owner();
    let result = run(token, worker.tasks.around(), Some(worker.team()), |inside| within(at.top(), inside, f));
    // Nothing unwinds any more.
    worker.settle_unwinding();
    result
}
