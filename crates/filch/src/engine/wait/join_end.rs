//! Waiting at a join for a frame that has gone.
//!
//! A waiter runs only parts of what it waits for: never an unrelated task that could keep it for an hour or want a lock
//! that it holds, and never a deeper stack than the program's own nesting asks for (design, section 6). A frame that
//! was given and that nobody has begun it takes back. Else it looks at all workers for frames, and at all pools for
//! tasks, that are parts of its goal (`task.rs`): whoever has one is found, whatever that one or anybody between them
//! is doing (`models/parts.pml`).
//!
//! While a panic unwinds it only sleeps: tasks would run inside a destructor, with `panicking()` true.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::Claim;
use crate::engine::frame::{Header, Rung};
use crate::engine::seat::waiters::Registered;
use crate::engine::seat::{held, loans};
use crate::engine::share::thief::Thief;
use crate::engine::task::Goal;
use crate::engine::team::{Ladder, Worker};
use crate::engine::wait::rest::Rest;
use crate::sync::clock;
use filch_policy::Plan;
use std::cell::Cell;
use std::time::Duration;

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// Whoever had the frame has run it.
    Done,
    /// The frame is its owner's again, not begun.
    Reclaimed,
}

/// Returns once `frame`, which was at `rung`, is done or the caller's again. If it is done, what it did comes, in
/// reducers, after everything that the caller has done so far.
///
/// # Safety
///
/// The caller owns `frame` and occupies the ladder of `rung`, which is its top. It has learnt from `attend` that the
/// frame is gone, and waits for it once.
#[cold]
pub(crate) unsafe fn wait(rung: Rung, frame: &Header) -> Waited {
    // SAFETY: gone, says the caller.
    let claim = unsafe { frame.claim() };
    // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
    let ladder = unsafe { Ladder::of(rung) };
    let worker = ladder.owner();
    let team = worker.team();
    let is_back = team.task_pool(claim.place()).is_some_and(|pool| pool.reclaim(frame.into()));
    if is_back {
        // Nobody has come for it, so nobody will for what it forks.
        // SAFETY: forwarded.
        unsafe { rung.be_patient() };
        worker.counters.forks_reclaimed.bump();
        return Waited::Reclaimed;
    }
    // The frame is on this thread's stack, and a thief is at it.
    let abort = AbortOnUnwind::arm();
    if !claim.done.is_set() {
        worker.close();
        // SAFETY: forwarded.
        held::waiting_on(ladder, rung, || unsafe { wait_for_thief(ladder, rung, claim) });
        loans::go_on();
        worker.open();
    }
    // SAFETY: the caller owns it, and it is done.
    unsafe { claim.absorb() };
    abort.disarm();
    Waited::Done
}

/// # Safety
///
/// As [`wait`].
unsafe fn wait_for_thief(ladder: &Ladder, rung: Rung, claim: &Claim) {
    let worker = ladder.owner();
    let team = worker.team();
    let goal = claim.origin.goal;
    let thief = Thief {
        team,
        ladder,
        top: rung,
        is_called: &|| claim.done.is_set(),
        is_met_with_silence: Cell::new(false),
        going_busy: &|| Rest::interrupt(worker),
    };
    let mut registered = None;
    let mut rest = Rest::new(worker);
    while !claim.done.is_set() {
        team.must_have_threads();
        if held::holds_several_seats() {
            let registered = registered.get_or_insert_with(|| Registered::for_end(team, goal));
            loans::lend(registered, Some(ladder));
        }
        // SAFETY: forwarded.
        unsafe { help_or_pause(&thief, &mut rest, goal, || claim.done.announce()) };
    }
}

/// One turn of somebody who waits for `goal`: runs a part of it, if there is one, and tasks may be run here and now;
/// else pauses. Before it sleeps, `announce` has the last word: it shows the sleeper where somebody must know, and
/// returns false if there is nothing to wait for any more.
///
/// # Safety
///
/// As [`Thief::visit`].
pub(crate) unsafe fn help_or_pause(
    thief: &Thief<'_>,
    rest: &mut Rest<'_>,
    goal: Goal,
    announce: impl FnOnce() -> bool,
) {
    let found = clock::now_ns();
    let may_help = !std::thread::panicking() && thief.ladder.owner().tasks.has_room();
    // SAFETY: forwarded.
    if may_help && unsafe { help(thief, goal) } {
        return rest.over(found);
    }
    if thief.is_met_with_silence.take() {
        // The other one may be waiting for this processor.
        std::thread::yield_now();
    }
    if let Some(idle) = rest.pause()
        && announce()
    {
        let worker = rest.worker();
        worker.counters.parks.bump();
        match rest.plan(idle, may_help && thief.sees_part_of(goal)) {
            Plan::Watch(timeout) if may_help => {
                if !watch(thief, worker, goal, timeout) {
                    rest.note_call();
                } else if thief.sees_part_of(goal) && !(thief.is_called)() {
                    worker.counters.late_wakes.bump();
                }
            }
            Plan::Nap(timeout) | Plan::Watch(timeout) => _ = worker.parker.park_timeout(timeout),
        }
    }
}

/// Sleeps, for so long at most, until there is a part of `goal`, or called for another reason. True if nobody has
/// called.
fn watch(thief: &Thief<'_>, worker: &Worker, goal: Goal, timeout: Duration) -> bool {
    let team = thief.team;
    worker.watches_for.set(Some(goal));
    team.sleepers.begin_watch();
    team.watch();
    let is_late = !thief.sees_part_of(goal) && !worker.parker.park_timeout(timeout);
    team.sleepers.end_watch();
    worker.watches_for.set(None);
    is_late
}

/// Runs one part of what is being waited for, or whatever there is, if the scheduler says so. False if there was none.
///
/// # Safety
///
/// As [`Thief::visit`].
unsafe fn help(thief: &Thief<'_>, goal: Goal) -> bool {
    // SAFETY: forwarded.
    if unsafe { thief.visit_parts_of(goal) } {
        return true;
    }
    // SAFETY: forwarded.
    thief.team.rules().waits_for_any() && !(thief.is_called)() && unsafe { thief.visit_all() }
}
