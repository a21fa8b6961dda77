//! Yielding: a worker in the middle of its work runs something else, if there is something, and goes on.
//!
//! What it runs is one task or one frame. It has a name, as what a waiter runs has, so waiters find its parts. It runs
//! aside if the worker has older frames, for the reasons that `spare_ladder.rs` gives.
//!
//! A worker also runs its own oldest frame: it gives the frame to a spare worker, and plays that worker. So the first
//! branch of a join may yield until its second branch has run, also where there is no other worker.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::current;
use crate::engine::execute::execute;
use crate::engine::frame::{Claim, Header, Place, Rung};
use crate::engine::held;
use crate::engine::inlet;
use crate::engine::prepare::Ready;
use crate::engine::run_tasks::run_tasks;
use crate::engine::share::thief::Thief;
use crate::engine::share::{descent, way};
use crate::engine::spawned::Spawned;
use crate::engine::team::Ladder;
use crate::engine::wait::closed::while_closed;
use crate::engine::wait::spare_ladder::{work_aside, work_on_spare};
use crate::protocol::ladder::Claimed;
use filch_policy::End;
use std::cell::Cell;
use std::ptr::NonNull;

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
    let hint = current::hint()?;
    // SAFETY: a thread with a hint occupies the ladder of the hint, and every rung of this type belongs to a `Ladder`,
    // which lives while it is occupied.
    let ladder = unsafe { Ladder::of(hint) };
    // A task would run inside a destructor, or want the state of a speculation that this thread has. And what another
    // thread holds in the parent of this process is lost.
    let is_inside = std::thread::panicking() || inlet::is_here();
    if is_inside || ladder.owner().team().is_left_behind() || !ladder.owner().tasks.has_room() {
        return Some(false);
    }
    // SAFETY: this thread occupies the ladder of the hint.
    let top = unsafe { way::top_of_forked(hint) };
    // What runs below catches panics of user code. If anything else unwound, frames on this stack would go with it.
    let abort = AbortOnUnwind::arm();
    let run = || {
        // SAFETY: this thread occupies the ladder, whose top is `top`. The worker has room, and its ask word is closed.
        if unsafe { run_own_task(ladder, top) } {
            return true;
        }
        // SAFETY: as above.
        if unsafe { run_left_frame(ladder, top) } || unsafe { run_own_frame(ladder, top) } {
            return true;
        }
        // SAFETY: as above.
        reach == Reach::All && unsafe { run_of_others(ladder, top) }
    };
    let has_run = while_closed(ladder.owner(), || held::waiting_on(ladder, top, run));
    // SAFETY: this thread occupies the ladder, and `top` is its top.
    unsafe { descent::mark_again(top) };
    abort.disarm();
    Some(has_run)
}

/// Runs `latent` and nothing else. Always returns true.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`. The worker has room, and its ask word is closed. The task has been
/// removed from its queue.
unsafe fn run(ladder: &Ladder, top: Rung, latent: Spawned) -> bool {
    work_aside(ladder, top, |ladder, top| {
        // SAFETY: guaranteed by the caller. A spare ladder is empty, this thread occupies it, too, and it has as much
        // room.
        unsafe { run_tasks(ladder, top, latent, &|| {}, &|| true) };
    });
    true
}

/// Runs a task that this worker has spawned, or that only this thread may run.
///
/// # Safety
///
/// As for [`run`].
unsafe fn run_own_task(ladder: &Ladder, top: Rung) -> bool {
    let worker = ladder.owner();
    let bound = worker.team().bound_here().and_then(|queue| queue.get_any(End::Oldest));
    // SAFETY: guaranteed by the caller.
    let own = bound.or_else(|| unsafe { worker.spawned.owned() }.get_any());
    // SAFETY: guaranteed by the caller; the task has been removed from its queue.
    own.is_some_and(|latent| unsafe { run(ladder, top, latent) })
}

/// Runs the oldest frame that this worker has left for others, if it has left one.
///
/// # Safety
///
/// As for [`run`].
unsafe fn run_left_frame(ladder: &Ladder, top: Rung) -> bool {
    let Some(frame) = ladder.owner().left.hand_over(&|_| true) else { return false };
    // SAFETY: the caller occupies the ladder. A spare ladder is empty, and this thread occupies it, too. The frame has
    // been claimed, and this thread has removed it from the pool.
    work_aside(ladder, top, |ladder, top| unsafe { execute(ladder, top, frame, || {}) });
    true
}

/// Gives the oldest frame of this worker, or a part of it, to a spare worker, and runs it there.
///
/// # Safety
///
/// As for [`run`].
unsafe fn run_own_frame(ladder: &Ladder, top: Rung) -> bool {
    if !ladder.has_frame() {
        return false;
    }
    let has_run = work_on_spare(ladder, |spare, first| {
        let (me, thief) = (ladder.owner(), spare.owner());
        // What the spare worker gets may be a part of a loop, which needs memory.
        thief.part_memory.make();
        let mut claimed = None;
        let give = |oldest: Option<NonNull<Header>>| {
            // SAFETY: the frame is on this ladder, so it lives.
            let oldest = oldest.filter(|&frame| unsafe { Ready::default().allows(frame) });
            claimed = oldest.map(|frame| {
                let claim = Claim::new(frame, me.tasks.holder(ladder.oldest()), me.index, Place::Nowhere);
                // SAFETY: this runs under L, and the frame is on this ladder.
                unsafe { thief.claim(frame, claim) }
            });
            matches!(claimed, Some(Claimed::All(_)))
        };
        // SAFETY: this thread occupies the ladder. `top` holds no frame, as if it had just been popped.
        unsafe { ladder.attend(top, give) };
        // An ask may have come before E was lowered. It is answered at the next return.
        ladder.raise();
        me.team().watch_again(ladder);
        let Some(Claimed::All(frame) | Claimed::Part(frame)) = claimed else { return false };
        thief.counters.forks_taken.bump();
        // SAFETY: this thread occupies the spare ladder, which is empty and whose worker has room. The frame has been
        // claimed for that worker above.
        unsafe { execute(spare, first, frame, || {}) };
        true
    });
    has_run == Some(true)
}

/// Runs a task or a frame of another worker.
///
/// # Safety
///
/// As for [`run`].
unsafe fn run_of_others(ladder: &Ladder, top: Rung) -> bool {
    let (worker, team) = (ladder.owner(), ladder.owner().team());
    if let Some(latent) = team.find_in_other_queues(worker, |queue| queue.get_any(End::Oldest)) {
        worker.counters.spawns_moved.bump();
        // SAFETY: guaranteed by the caller; the task has been removed from its queue.
        return unsafe { run(ladder, top, latent) };
    }
    // SAFETY: guaranteed by the caller. A spare ladder is empty, and this thread occupies it, too.
    work_aside(ladder, top, |ladder, top| unsafe { thief(ladder, top).visit_all(None) })
}

fn thief(ladder: &Ladder, top: Rung) -> Thief<'_> {
    Thief {
        team: ladder.owner().team(),
        ladder,
        top,
        is_called: &|| false,
        going_busy: &|| {},
        may_nap: &|| false,
        is_met_with_silence: Cell::new(false),
    }
}

/// Whether this worker has something to run; `None` if this thread works for no team.
pub(crate) fn has_pending() -> Option<bool> {
    current::with_ladder(|ladder| {
        let worker = ladder?.owner();
        let is_bound = || worker.team().bound_here().is_some_and(|queue| !queue.is_empty());
        Some(!worker.spawned.is_empty() || ladder?.has_frame() || worker.left.kept() > 0 || is_bound())
    })
}
