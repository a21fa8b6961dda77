//! Waiting at a join for a frame that has gone.
//!
//! This is the fourth and last file of the story of a join. What happened before: a fork (`constructs/join/fork.rs`)
//! has pushed its frame. The frame has left the ladder: its owner has given it (`engine/share/at_return.rs`), or a
//! thief has taken it (`engine/share/thief.rs`). The owner has run its first branch, and has learnt at the return that
//! the frame is gone.
//!
//! Now the owner takes the frame back, if it has been given and no worker has begun it. Otherwise the owner waits until
//! the thief is done. Meanwhile it runs only parts of what it waits for. An unrelated task could keep it for an hour,
//! want a lock that it holds, or make its stack deeper than the nesting of the program. It looks at all workers for
//! frames, and at all pools for tasks, that are parts of its goal (`engine/frame/task.rs`). So it finds each worker
//! that has one, whatever that worker and those in between are doing (`models/parts.pml`).
//!
//! What comes next: the owner reads the result from the frame, and the join returns.
//!
//! While a panic unwinds the owner only sleeps. A task would run inside a destructor, where `panicking()` is true.

use crate::engine::entry::loans;
use crate::engine::entry::unseated;
use crate::engine::entry::waiters::Registered;
use crate::engine::frame::task::Goal;
use crate::engine::frame::{Header, Place};
use crate::engine::meters::activity::Activity;
use crate::engine::seats::held_seats;
use crate::engine::seats::inlet;
use crate::engine::share::thief::Thief;
use crate::engine::share::{at_return, descent};
use crate::engine::team::{Occupied, Top, Worker};
use crate::engine::trace;
use crate::engine::wait::blocking::{is_anybody_blocked, sleep_beside_blocked};
use crate::engine::wait::rest::Resting;
use crate::sync::abort::AbortOnUnwind;
use crate::sync::clock;
use filch_policy::Plan;
use std::cell::Cell;
use std::ptr;
use std::time::Duration;

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The worker that had the frame has run it.
    Done,
    /// The owner has the frame back, and no worker has begun it.
    Reclaimed,
}

/// Returns when `frame`, which was at `top`, is done or is the caller's again. If it is done, what it has added to
/// reducers follows what the caller has added so far.
///
/// # Safety
///
/// The caller owns `frame`. It has learnt from `attend` that the frame is gone, or has left the frame for others; or
/// the frame is a part that it has found in its loop's list. It waits for the frame once.
#[cold]
pub(crate) unsafe fn wait(top: &mut Top<'_>, frame: &Header) -> Waited {
    // SAFETY: guaranteed by the caller.
    if unsafe { reclaim(top, frame) } {
        return Waited::Reclaimed;
    }
    // SAFETY: as in `reclaim`.
    let claim = unsafe { frame.claim() };
    let worker = top.owner();
    // The frame is on this thread's stack, and a thief is using it.
    let abort = AbortOnUnwind::arm();
    if !claim.done.is_set() {
        worker.close();
        let is_across = matches!(claim.place(), Place::Squad(_));
        worker.while_waiting(is_across, || {
            let (is_done, announce) = (|| claim.done.is_set(), || claim.done.announce());
            let wait = || wait_on(**top, top, claim.origin.goal, &is_done, &announce);
            held_seats::waiting_on(top.ladder(), top.rung(), wait);
        });
        loans::go_on();
        worker.open();
        descent::mark_again(**top);
    }
    // SAFETY: the caller owns the frame, and it is done.
    unsafe { claim.views() }.absorb();
    abort.disarm();
    Waited::Done
}

/// Takes `frame` back, if no worker has begun it.
///
/// # Safety
///
/// As for [`wait`]. If this returns true, the caller waits for the frame no more.
pub(crate) unsafe fn reclaim(top: &Top<'_>, frame: &Header) -> bool {
    // SAFETY: this thread has claimed the frame; or another one has, under the L that `attend` has held since, or
    // before it released the link by which this thread has found it.
    let claim = unsafe { frame.claim() };
    let (worker, team) = (top.owner(), top.owner().team());
    let is_back = team.given_at(claim.place()).is_some_and(|pool| pool.reclaim(frame.into()));
    if is_back {
        team.sharing.at_reclaim(top);
        worker.counters.forks_reclaimed.bump();
        trace::reclaimed(ptr::from_ref(frame).addr() as u64);
    }
    is_back
}

/// Waits as the worker of `own` for `goal`, until `is_called`, and helps at `top`. `announce` is that of
/// [`help_or_pause`].
pub(super) fn wait_on(
    own: Occupied<'_>,
    top: &Top<'_>,
    goal: Goal,
    is_called: &dyn Fn() -> bool,
    announce: &dyn Fn() -> bool,
) {
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

/// One turn of a worker that waits for `goal`. Runs a part of the goal if there is one, and if the worker may run tasks
/// now. Otherwise pauses. Before a sleep, `announce` is called last. It shows other workers that this one sleeps, and
/// returns false if there is nothing left to wait for.
pub(crate) fn help_or_pause(thief: &Thief<'_>, rest: &mut Resting<'_>, goal: Goal, announce: &dyn Fn() -> bool) {
    let found = clock::now_ns();
    // Where waiters run anything, that may want a state that this thread has.
    let has_state = thief.team.rules().waits_for_any() && inlet::is_here();
    let may_help = !std::thread::panicking() && !has_state && thief.top.owner().tasks.has_room();
    // What is bound to this thread, `help` runs only if it is a thread of this team.
    if !(may_help && thief.team.bound_here().is_some()) && unseated::run_bound(thief.going_busy) {
        return rest.over(found);
    }
    if may_help && help(thief, goal) {
        return rest.over(found);
    }
    if thief.is_met_with_silence.take() {
        // The thread of that victim may be waiting for this processor.
        std::thread::yield_now();
    }
    if let Some(idle) = rest.pause()
        && announce()
    {
        let worker = rest.worker();
        worker.counters.parks.bump();
        let _doing = worker.activity.begin(Activity::Sleep);
        if is_anybody_blocked() {
            // What the blocked thread waits for may need a seat of this one.
            return sleep_beside_blocked(worker, rest.plan(idle, true).time());
        }
        match rest.plan(idle, may_help && thief.sees_part_of(goal)) {
            Plan::Watch(timeout) if may_help => {
                if !watch(thief, worker, goal, timeout) {
                    rest.note_call();
                } else if thief.sees_part_of(goal) && !(thief.is_called)() {
                    worker.counters.late_wakes.bump();
                }
            }
            plan => _ = worker.parker.park_timeout(plan.time()),
        }
    }
}

/// Sleeps, for at most `timeout`, until there is a part of `goal` or the worker is called for another reason. Returns
/// true if no call came.
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

/// Runs one part of `goal`. If the scheduler lets waiters run anything, runs that instead if there is no part. Returns
/// false if there was nothing.
fn help(thief: &Thief<'_>, goal: Goal) -> bool {
    thief.visit_all(Some(goal)) || thief.team.rules().waits_for_any() && !(thief.is_called)() && thief.visit_all(None)
}
