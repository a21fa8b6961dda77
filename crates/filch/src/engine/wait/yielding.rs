//! Yielding: a worker in the middle of its work runs something else, if there is something, and goes on.
//!
//! What it runs is one task or one frame. It has a name, as what a waiter runs has, so waiters find its parts. It runs
//! aside if the worker has older frames, for the reasons that `spare_ladder.rs` gives.
//!
//! A worker also runs its own oldest frame: it gives the frame to a spare worker, and plays that worker. So the first
//! branch of a join may yield until its second branch has run, also where there is no other worker.

use crate::engine::frame::ready::Ready;
use crate::engine::frame::{Claim, FrameRef, Place};
use crate::engine::seats::ambient::end_if_cancelled;
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::seats::inlet;
use crate::engine::share::execute::execute;
use crate::engine::share::run_tasks::run_tasks;
use crate::engine::share::thief::Thief;
use crate::engine::share::{at_fork, descent};
use crate::engine::spawned::Spawned;
use crate::engine::team::{Occupied, Top};
use crate::engine::wait::spare_ladder::{work_aside, work_on_spare};
use crate::engine::wait::while_closed;
use crate::protocol::ladder::Claimed;
use crate::sync::abort::AbortOnUnwind;
use filch_policy::End;
use std::cell::Cell;

/// Where a worker looks for something to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Among its own tasks and frames.
    Local,
    /// Among those of all workers, its own ones first.
    All,
}

/// Runs something. Returns false if there was nothing, and `None` if this thread works for no team.
pub(crate) fn yields(reach: Reach) -> Option<bool> {
    current::with(|here| here.map(|here| yields_at(here, reach)))
}

fn yields_at(at: Occupied<'_>, reach: Reach) -> bool {
    let worker = at.owner();
    end_if_cancelled(at);
    // A task would run inside a destructor, or want the state of a speculation that this thread has. And what another
    // thread holds in the parent of this process is lost.
    let is_inside = std::thread::panicking() || inlet::is_here();
    if is_inside || worker.team().is_left_behind() || !worker.tasks.has_room() {
        return false;
    }
    let top = at_fork::top_of_forked(at);
    // What runs below catches panics of user code. If anything else unwound, frames on this stack would go with it.
    let abort = AbortOnUnwind::arm();
    let run = || {
        run_own_task(&top) || run_left_frame(&top) || run_own_frame(&top) || reach == Reach::All && run_of_others(&top)
    };
    let has_run = while_closed(worker, || held_seats::waiting_on(top.ladder(), top.rung(), run));
    descent::mark_again(*top);
    abort.disarm();
    has_run
}

/// Runs `latent` and nothing else. Always returns true.
fn run(top: &Top<'_>, latent: Spawned) -> bool {
    work_aside(top, |top| run_tasks(top, latent, &|| {}, &|| true));
    true
}

/// Runs a task that this worker has spawned, or that only this thread may run.
fn run_own_task(top: &Top<'_>) -> bool {
    let worker = top.owner();
    let bound = worker.team().bound_here().and_then(|queue| queue.get_any(End::Oldest));
    let own = bound.or_else(|| top.spawned().get_any());
    own.is_some_and(|latent| run(top, latent))
}

/// Runs the oldest frame that this worker has left for others, if it has left one.
fn run_left_frame(top: &Top<'_>) -> bool {
    let Some(frame) = top.owner().shelf.hand_over(&|_| true) else { return false };
    top.owner().team().sharing.at_empty_shelf(top.ladder());
    work_aside(top, |top| execute(top, frame, &|| {}));
    true
}

/// Gives the oldest frame of this worker, or a part of it, to a spare worker, and runs it there.
fn run_own_frame(top: &Top<'_>) -> bool {
    let ladder = top.ladder();
    if !ladder.has_frame() {
        return false;
    }
    let is_passed = Cell::new(false);
    let has_run = work_on_spare(ladder, |spare| {
        let (me, thief) = (ladder.owner(), spare.owner());
        // What the spare worker gets may be a part of a loop, which needs memory.
        thief.part_memory.make();
        let mut claimed = None;
        let give = |oldest: Option<FrameRef<'_>>| {
            // SAFETY: this runs under L.
            if oldest.as_ref().is_some_and(|oldest| unsafe { Ready::default().passes(oldest) }) {
                is_passed.set(true);
                return true;
            }
            let oldest = oldest.filter(|frame| Ready::default().allows(frame));
            claimed = oldest.map(|frame| {
                let claim = Claim::new(frame.as_ptr(), me.tasks.holder(ladder.oldest()), me.index, Place::Nowhere);
                // SAFETY: this runs under L, and tells the ladder if the frame leaves.
                unsafe { thief.claim(&frame, claim) }
            });
            matches!(claimed, Some(Claimed::All(_)))
        };
        top.attend(give);
        // An ask may have come before E was lowered. It is answered at the next return.
        ladder.raise();
        me.team().watch_again(ladder);
        let Some(frame) = claimed.map(Claimed::into_inner) else { return false };
        thief.note_taken(&frame);
        execute(spare, frame, &|| {});
        true
    });
    // There may be another frame above one that is empty.
    has_run == Some(true) || is_passed.get() && run_own_frame(top)
}

/// Runs a task or a frame of another worker.
fn run_of_others(top: &Top<'_>) -> bool {
    let (worker, team) = (top.owner(), top.owner().team());
    if let Some(latent) = team.find_in_other_queues(worker, |queue| queue.get_any(End::Oldest)) {
        worker.counters.spawns_moved.bump();
        return run(top, latent);
    }
    work_aside(top, |top| thief(top).visit_all(None))
}

fn thief<'t>(top: &'t Top<'_>) -> Thief<'t> {
    Thief {
        team: top.owner().team(),
        top: top.again(),
        is_called: &|| false,
        going_busy: &|| {},
        may_nap: &|| false,
        is_met_with_silence: Cell::new(false),
    }
}

/// Whether this worker has something to run; `None` if this thread works for no team.
pub(crate) fn has_pending() -> Option<bool> {
    current::with(|here| {
        let worker = here?.owner();
        let is_bound = || worker.team().bound_here().is_some_and(|queue| !queue.is_empty());
        Some(!worker.spawned.is_empty() || here?.ladder().has_frame() || worker.shelf.kept() > 0 || is_bound())
    })
}
