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
use crate::engine::frame::{Claim, Header, Place, Rung};
use crate::engine::prepare;
use crate::engine::sequence::SequenceCell;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::{current, held, inlet};
use crate::protocol::ladder::Claimed;
use crate::sync::Ordering;
use filch_policy::{Chaos, Left};
use std::ptr::NonNull;

/// Called before a fork at `top`, which has just been opened. Returns whether chaos plays here. Then the fork pushes at
/// `top`.
///
/// # Safety
///
/// The caller occupies `ladder`, and `top` is its top.
pub(crate) unsafe fn at_fork(ladder: &Ladder, top: Rung) -> bool {
    let Some(chaos) = ladder.owner().team().chaos() else { return false };
    // SAFETY: guaranteed by the caller.
    unsafe { play(chaos, ladder, top) };
    // SAFETY: `top` is free, so there is a slot above it.
    let above = unsafe { top.next() };
    // This is for the next fork, if it goes deeper.
    // SAFETY: the caller occupies the ladder.
    if unsafe { above.is_free() } {
        // SAFETY: `above` is free, and the caller is about to push at `top`, which makes `above` the top.
        unsafe { above.close() };
    }
    ladder.raise();
    true
}

/// Called after a return to `rung`, where `frame` was. Returns whether the frame is gone, which may have been decided
/// here.
///
/// # Safety
///
/// The caller occupies `ladder`, and has just popped `frame` from `rung`, its top. `gone` says whether the frame is
/// gone already.
pub(crate) unsafe fn at_return(ladder: &Ladder, rung: Rung, frame: NonNull<Header>, gone: bool) -> bool {
    let team = ladder.owner().team();
    let Some(chaos) = team.chaos() else { return gone };
    // SAFETY: guaranteed by the caller.
    unsafe { play(chaos, ladder, rung) };
    // A thief could have taken the latest frame, too, a moment ago.
    // SAFETY: the frame has left the ladder, and this thread is its owner.
    let get = |thief: &Worker| unsafe { claim_prepared(ladder, rung, thief, frame) };
    let gone = gone || moves(chaos) && run_elsewhere(chaos, team, get);
    // This is for the next fork, if the second branch begins with one.
    // SAFETY: guaranteed by the caller.
    unsafe { close(ladder, rung) };
    ladder.raise();
    gone
}

/// Called before a loop claims its next block. `frame` has just been popped from `rung`.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `rung`. The frame can be [divided](crate::engine::frame::Divide) until
/// nothing is left of it.
pub(crate) unsafe fn at_claim(ladder: &Ladder, rung: Rung, frame: NonNull<Header>) {
    let team = ladder.owner().team();
    let Some(chaos) = team.chaos() else { return };
    // SAFETY: guaranteed by the caller.
    unsafe { play(chaos, ladder, rung) };
    // A thief could have taken what is left, or half of it, a moment ago.
    // SAFETY: the frame is off the ladder, and this thread is its owner.
    let has_more = || unsafe { Header::left(frame) } != Left::Nothing;
    while has_more() && moves(chaos) {
        // SAFETY: the frame is off the ladder, and this thread is its owner.
        let get = |thief: &Worker| unsafe { claim_prepared(ladder, rung, thief, frame) };
        if !run_elsewhere(chaos, team, get) {
            break;
        }
    }
    // SAFETY: guaranteed by the caller.
    unsafe { close(ladder, rung) };
    ladder.raise();
}

/// Whether a spawn loop must call [`at_item`] before it runs an item.
pub(crate) fn wants_items(team: &Team) -> bool {
    team.chaos().is_some()
}

/// Called before a spawn loop runs an item. What is left of the loop is on the ladder, below `top`.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`.
pub(crate) unsafe fn at_item(ladder: &Ladder, top: Rung) {
    let Some(chaos) = ladder.owner().team().chaos() else { return };
    // SAFETY: guaranteed by the caller.
    unsafe { play(chaos, ladder, top) };
    // SAFETY: guaranteed by the caller.
    if unsafe { top.is_free() } {
        // SAFETY: guaranteed by the caller.
        unsafe { close(ladder, top) };
    }
    ladder.raise();
}

/// Closes `rung`, which is the top, and corrects a hint above it. An implicit join would otherwise take the rung of the
/// hint for the top, because there is something in the slot below it. For example, a loop of one block opens its rung
/// and leaves nothing there.
///
/// # Safety
///
/// The caller occupies `ladder`, and `rung` is its top and free.
unsafe fn close(ladder: &Ladder, rung: Rung) {
    // SAFETY: guaranteed by the caller.
    unsafe { rung.close() };
    let works_here = current::hint().is_some_and(|hint| {
        // SAFETY: a thread with a hint occupies the ladder of the hint, which therefore lives.
        std::ptr::eq(unsafe { Ladder::of(hint) }, ladder)
    });
    if works_here {
        current::set_hint(rung);
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
///
/// # Safety
///
/// The caller occupies `ladder`, and `top` is its top.
unsafe fn play(chaos: &SequenceCell<Chaos>, ladder: &Ladder, top: Rung) {
    let team = ladder.owner().team();
    while moves(chaos) {
        // SAFETY: guaranteed by the caller.
        let ready = unsafe { prepare::oldest(ladder, top) };
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
            // SAFETY: the caller occupies the ladder. `top` is free, as if it had just been popped, and no frame was
            // there that could be gone.
            unsafe { ladder.attend(top, give) };
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
unsafe fn claim_prepared(
    ladder: &Ladder,
    top: Rung,
    thief: &Worker,
    frame: NonNull<Header>,
) -> Option<Claimed<Header>> {
    // SAFETY: guaranteed by the caller.
    let ready = unsafe { prepare::one(ladder.owner(), frame, top) };
    // SAFETY: guaranteed by the caller.
    let may_leave = unsafe { ready.allows(frame) };
    // SAFETY: guaranteed by the caller.
    may_leave.then(|| unsafe { claim(ladder, thief, frame) })
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
    unsafe { thief.first().close() };
    thief.raise();
    held::occupy_again(team, thief, thief.first(), || {
        // SAFETY: this thread plays the worker, which has no task, so its ladder is empty. `get` has claimed the frame.
        unsafe { execute(thief, thief.first(), frame, || {}) };
    });
    true
}
