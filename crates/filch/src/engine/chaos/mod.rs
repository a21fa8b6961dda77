//! Chaos: one thread plays all workers, and shares work at pseudo-random places.
//!
//! Every fork takes the cold path, because the ladder is closed again each time. Every return attends, because E stays
//! raised. At each of these places the thread may stop what it is doing and play a thief. It takes the oldest frame
//! below and runs it to its end, on the ladder of another worker. So a second branch runs before, inside or after its
//! first branch, and what it forks there is taken by further workers in turn. All decisions come from a sequence that
//! starts afresh with each run, and from nothing else.
//!
//! In a team whose workers have threads of their own, each of these functions does nothing.

mod tasks;

pub(crate) use tasks::{at_finish, at_spawn};

use crate::engine::execute::execute;
use crate::engine::frame::{Claim, Header, Place};
use crate::engine::occupied::Top;
use crate::engine::prepare;
use crate::engine::sequence::SequenceCell;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::{current, held_seats, inlet};
use crate::protocol::ladder::Claimed;
use crate::sync::Ordering;
use filch_policy::{Chaos, Left};
use std::ptr::NonNull;

/// Called before a fork at `top`, which has just been opened. Returns whether chaos plays here. Then the fork pushes at
/// `top`.
pub(crate) fn at_fork(top: &Top<'_>) -> bool {
    let Some(chaos) = top.owner().team().chaos() else { return false };
    play(chaos, top);
    // This is for the next fork, if it goes deeper.
    if let Some(above) = top.above().filter(|above| above.is_free()) {
        above.close();
    }
    top.ladder().raise();
    true
}

/// Called after a return to `top`, where `frame` was. Returns whether the frame is gone, which may have been decided
/// here.
///
/// # Safety
///
/// The caller has just popped `frame` from `top`. `gone` says whether the frame is gone already.
pub(crate) unsafe fn at_return(top: &Top<'_>, frame: NonNull<Header>, gone: bool) -> bool {
    let team = top.owner().team();
    let Some(chaos) = team.chaos() else { return gone };
    play(chaos, top);
    // A thief could have taken the latest frame, too, a moment ago.
    // SAFETY: the frame has left the ladder, and this thread is its owner.
    let get = |thief: &Worker| unsafe { claim_prepared(top, thief, frame) };
    let gone = gone || moves(chaos) && run_elsewhere(chaos, team, get);
    // This is for the next fork, if the second branch begins with one.
    close(top);
    top.ladder().raise();
    gone
}

/// Called before a loop claims its next block.
///
/// # Safety
///
/// The caller has just popped `frame` from `top`. It can be [divided](crate::engine::frame::Divide) until nothing is
/// left of it.
pub(crate) unsafe fn at_claim(top: &Top<'_>, frame: NonNull<Header>) {
    let team = top.owner().team();
    let Some(chaos) = team.chaos() else { return };
    play(chaos, top);
    // A thief could have taken what is left, or half of it, a moment ago.
    // SAFETY: the frame is off the ladder, and this thread is its owner.
    let has_more = || unsafe { Header::left(frame) } != Left::Nothing;
    while has_more() && moves(chaos) {
        // SAFETY: the frame is off the ladder, and this thread is its owner.
        let get = |thief: &Worker| unsafe { claim_prepared(top, thief, frame) };
        if !run_elsewhere(chaos, team, get) {
            break;
        }
    }
    close(top);
    top.ladder().raise();
}

/// Whether a spawn loop must call [`at_item`] before it runs an item.
pub(crate) fn wants_items(team: &Team) -> bool {
    team.chaos().is_some()
}

/// Called before a spawn loop runs an item. What is left of the loop is on the ladder, below `top`.
pub(crate) fn at_item(top: &Top<'_>) {
    let Some(chaos) = top.owner().team().chaos() else { return };
    play(chaos, top);
    if top.is_free() {
        close(top);
    }
    top.ladder().raise();
}

/// Closes the top, and corrects a hint above it. An implicit join would otherwise take the rung of the
/// hint for the top, because there is something in the slot below it. For example, a loop of one block opens its rung
/// and leaves nothing there.
fn close(top: &Top<'_>) {
    top.close();
    if current::works_on(top.ladder()) {
        current::set_hint(top.rung());
    }
}

/// Starts the schedule afresh, for a run that comes from outside.
pub(crate) fn begin_run(team: &Team) {
    if let Some((chaos, start)) = team.chaos().zip(team.rules().chaos()) {
        chaos.with(|chaos| *chaos = start);
    }
}

/// Whether a latent frame or task moves to another worker now. Not while a panic unwinds, or this thread has a state
/// that the task may want.
fn moves(chaos: &SequenceCell<Chaos>) -> bool {
    let is_inside = std::thread::panicking() || inlet::is_here();
    chaos.with(|chaos| chaos.moves(is_inside))
}

/// Shares latent frames, as often as the schedule says.
fn play(chaos: &SequenceCell<Chaos>, top: &Top<'_>) {
    let (ladder, team) = (top.ladder(), top.owner().team());
    while moves(chaos) {
        let ready = prepare::oldest(top);
        let shared = run_elsewhere(chaos, team, |thief| {
            let mut claimed = None;
            let give = |oldest: Option<NonNull<Header>>| {
                if oldest.is_some_and(|oldest| ready.refuses(oldest)) {
                    return true;
                }
                // SAFETY: the frame is on this ladder, so it lives.
                let oldest = oldest.filter(|&frame| unsafe { ready.allows(frame) });
                // SAFETY: this runs under L, and the frame is on this ladder.
                claimed = oldest.map(|frame| unsafe { claim(ladder, thief, frame) });
                matches!(claimed, Some(Claimed::All(_)))
            };
            top.attend(give);
            claimed
        });
        if !shared {
            break;
        }
    }
}

/// A worker that this thread plays. No other thread plays it meanwhile.
struct Played<'t>(&'t Worker);

impl<'t> Played<'t> {
    fn claim(worker: &'t Worker) -> Option<Self> {
        (!worker.is_played.swap(true, Ordering::AcqRel)).then(|| Played(worker))
    }
}

impl Drop for Played<'_> {
    fn drop(&mut self) {
        // SAFETY: up to here this thread plays the worker, and no other one does.
        unsafe { self.0.spawned.owned() }.share();
        self.0.is_played.store(false, Ordering::Release);
    }
}

/// A worker that is free for this thread to play, other than the one with the seat.
fn claim_other<'t>(chaos: &SequenceCell<Chaos>, team: &'t Team) -> Option<Played<'t>> {
    let players = chaos.with(|chaos| chaos.players(team.ladders().len()));
    players.map(|index| team.worker(index)).find_map(Played::claim)
}

/// [`claim`] for a frame that is off the ladder. Prepares it if that has to be done.
///
/// # Safety
///
/// As for [`prepare::one`] and [`Worker::claim`].
unsafe fn claim_prepared(top: &Top<'_>, thief: &Worker, frame: NonNull<Header>) -> Option<Claimed<Header>> {
    // SAFETY: guaranteed by the caller.
    let ready = unsafe { prepare::one(top, frame) };
    // SAFETY: guaranteed by the caller.
    let may_leave = unsafe { ready.allows(frame) };
    // SAFETY: guaranteed by the caller.
    may_leave.then(|| unsafe { claim(top.ladder(), thief, frame) })
}

/// Claims a frame of `ladder`, or a part of one, for worker `thief`.
///
/// # Safety
///
/// As for [`Worker::claim`].
unsafe fn claim(ladder: &Ladder, thief: &Worker, frame: NonNull<Header>) -> Claimed<Header> {
    let owner = ladder.owner();
    // SAFETY: guaranteed by the caller.
    unsafe { thief.claim(frame, Claim::new(frame, owner.tasks.innermost(), owner.index, Place::Nowhere)) }
}

/// Runs a frame, or a part of one, on another worker's ladder, if a worker is free for that. `get` claims it for that
/// worker. Returns false if there was no worker or no frame.
fn run_elsewhere(
    chaos: &SequenceCell<Chaos>,
    team: &Team,
    get: impl FnOnce(&Worker) -> Option<Claimed<Header>>,
) -> bool {
    let Some(played) = claim_other(chaos, team) else { return false };
    let worker = played.0;
    let thief = team.ladder(worker.index);
    worker.part_memory.make();
    let Some(Claimed::All(frame) | Claimed::Part(frame)) = get(worker) else { return false };
    worker.counters.forks_taken.bump();
    // What the frame forks is shared in turn.
    // SAFETY: this thread plays the worker, which has no task, so its ladder is empty.
    let top = unsafe { Top::at(thief.first()) };
    top.close();
    thief.raise();
    held_seats::occupy_again(team, thief, top.rung(), || {
        // SAFETY: `get` has claimed the frame.
        unsafe { execute(&top, frame, || {}) };
    });
    true
}
