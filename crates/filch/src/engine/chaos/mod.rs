//! Chaos: one thread plays all workers, and shares at pseudo-random places (design, section 13).
//!
//! Every fork goes through the cold path, because the ladder is closed again each time, and every return attends,
//! because the bound stays raised. At each of these places the thread may stop what it is doing and play a thief: it
//! takes the oldest frame below and runs it to its end, on the ladder of another worker. So a second branch runs
//! before, inside or after its first; and what it forks there is taken by further workers in turn. Decisions come from
//! a sequence that starts afresh with each run, and from nothing else.

mod tasks;

pub(crate) use tasks::{at_finish, at_spawn};

use crate::engine::current;
use crate::engine::frame::{Claim, Left, Place};
use crate::engine::frame::{Header, Rung};
use crate::engine::seat::held;
use crate::engine::share::execute::execute;
use crate::engine::team::{Ladder, Team, Worker};
use crate::protocol::ladder::Claimed;
use crate::sync::Ordering;
use std::ptr::NonNull;

/// One in so many places is one where something happens.
const ONE_IN: usize = 4;

/// Before a fork at `top`, which has just been opened.
///
/// # Safety
///
/// The caller occupies `ladder`, and `top` is its top.
#[cold]
pub(crate) unsafe fn at_fork(ladder: &Ladder, top: Rung) {
    // SAFETY: forwarded.
    unsafe { play(ladder, top) };
    // SAFETY: forwarded; a free rung has a slot above it.
    let above = unsafe { top.next() };
    // The next fork, if it goes deeper.
    // SAFETY: the caller is about to push at `top`, so that this becomes the top.
    if unsafe { above.is_free() } {
        // SAFETY: as above.
        unsafe { above.close() };
    }
    ladder.raise();
}

/// After a return to `rung`, where `frame` was. Whether that is gone, which may have been decided here.
///
/// # Safety
///
/// The caller occupies `ladder`, and has just popped `frame` from `rung`, its top; it is gone already if `gone` says
/// so.
#[cold]
pub(crate) unsafe fn at_return(ladder: &Ladder, rung: Rung, frame: NonNull<Header>, gone: bool) -> bool {
    // SAFETY: forwarded.
    unsafe { play(ladder, rung) };
    let team = ladder.owner().team();
    let moves = !gone && !std::thread::panicking() && happens(team);
    // The latest frame, too, could have been taken a moment ago.
    // SAFETY: it has left the ladder, and its owner is this thread.
    let gone = gone || (moves && run_elsewhere(team, |thief| Some(unsafe { claim(ladder, thief, frame) })));
    // The next fork, if it is the second branch's.
    // SAFETY: forwarded.
    unsafe { close(ladder, rung) };
    ladder.raise();
    gone
}

/// Before a loop claims its next block; `frame` has just been popped from `rung`.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `rung`.
#[cold]
pub(crate) unsafe fn at_claim(ladder: &Ladder, rung: Rung, frame: NonNull<Header>) {
    // SAFETY: forwarded.
    unsafe { play(ladder, rung) };
    let team = ladder.owner().team();
    // What is left, or half of it, could have been taken a moment ago.
    // SAFETY: it is off the ladder, and its owner is this thread.
    let has_more = || unsafe { Header::left(frame) } != Left::Nothing;
    while !std::thread::panicking() && has_more() && happens(team) {
        // SAFETY: it is off the ladder, and its owner is this thread.
        let get = |thief: &Worker| Some(unsafe { claim(ladder, thief, frame) });
        if !run_elsewhere(team, get) {
            break;
        }
    }
    // SAFETY: forwarded.
    unsafe { close(ladder, rung) };
    ladder.raise();
}

/// Before a spawn loop runs an item; what is left of it is on the ladder, below `top`.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`.
#[cold]
pub(crate) unsafe fn at_item(ladder: &Ladder, top: Rung) {
    // SAFETY: forwarded.
    unsafe { play(ladder, top) };
    // SAFETY: forwarded.
    if unsafe { top.is_free() } {
        // SAFETY: forwarded.
        unsafe { close(ladder, top) };
    }
    ladder.raise();
}

/// Closes `rung`, the top, and corrects a hint above it. An implicit join would take that for the top, since below it
/// there is something in the slot: a loop of one block, say, opens its rung and leaves nothing there.
///
/// # Safety
///
/// The caller occupies `ladder`, and `rung` is its top and free.
unsafe fn close(ladder: &Ladder, rung: Rung) {
    // SAFETY: forwarded.
    unsafe { rung.close() };
    let works_here = current::hint().is_some_and(|hint| {
        // SAFETY: a thread with a hint occupies the hint's ladder.
        std::ptr::eq(unsafe { Ladder::of(hint) }, ladder)
    });
    if works_here {
        current::set_hint(rung);
    }
}

/// Starts the schedule of `seed`, for a run that comes from outside.
pub(crate) fn begin_run(team: &Team, seed: u64) {
    team.worker(0).random.restart(seed);
}

pub(crate) fn happens(team: &Team) -> bool {
    dice(team, ONE_IN) == 0
}

/// A number below `n`, from the one sequence of the team.
pub(crate) fn dice(team: &Team, n: usize) -> usize {
    team.worker(0).random.below(n)
}

/// Shares what is latent, as often as the dice say.
///
/// # Safety
///
/// The caller occupies `ladder`, and `top` is its top.
unsafe fn play(ladder: &Ladder, top: Rung) {
    let team = ladder.owner().team();
    // User code must not run inside a destructor that runs because of a panic.
    while !std::thread::panicking() && happens(team) {
        let shared = run_elsewhere(team, |thief| {
            let mut claimed = None;
            let give = |oldest: Option<NonNull<Header>>| {
                // SAFETY: under L, and of this ladder.
                claimed = oldest.map(|frame| unsafe { claim(ladder, thief, frame) });
                matches!(claimed, Some(Claimed::Rest(_)))
            };
            // SAFETY: forwarded; as the caller is at its top and has not gone past it, nothing there is gone.
            unsafe { ladder.attend(top, give) };
            claimed
        });
        if !shared {
            break;
        }
    }
}

/// A worker that this thread plays, and nobody else.
pub(crate) struct Played<'t>(pub(crate) &'t Worker);

impl<'t> Played<'t> {
    fn claim(worker: &'t Worker) -> Option<Self> {
        (!worker.is_played.swap(true, Ordering::AcqRel)).then(|| Played(worker))
    }
}

impl Drop for Played<'_> {
    fn drop(&mut self) {
        self.0.is_played.store(false, Ordering::Release);
    }
}

/// Another worker than that of the seat, if one is free for this thread to play.
pub(crate) fn claim_other(team: &Team) -> Option<Played<'_>> {
    let count = team.ladders().len();
    let start = dice(team, count);
    // Worker 0 has the seat.
    let others = (0..count).map(|i| (start + i) % count).filter(|&index| index != 0);
    others.map(|index| team.worker(index)).find_map(Played::claim)
}

/// Claims a frame of `ladder`, or a part of one, for worker `thief`.
///
/// # Safety
///
/// As [`Worker::claim`].
unsafe fn claim(ladder: &Ladder, thief: &Worker, frame: NonNull<Header>) -> Claimed<Header> {
    let owner = ladder.owner();
    // SAFETY: forwarded.
    unsafe { thief.claim(frame, Claim::new(frame, owner.tasks.innermost(), owner.index, Place::Nowhere)) }
}

/// Runs a frame, or a part of one, on another worker's ladder, if one is free. `get` claims it for that one. False if
/// there was no worker or no frame.
fn run_elsewhere(team: &Team, get: impl FnOnce(&Worker) -> Option<Claimed<Header>>) -> bool {
    let Some(played) = claim_other(team) else { return false };
    let worker = played.0;
    let thief = team.ladder(worker.index);
    worker.blank.make();
    let Some(Claimed::Rest(frame) | Claimed::Part(frame)) = get(worker) else { return false };
    worker.counters.forks_taken.bump();
    // What it forks is shared in turn.
    // SAFETY: the worker is this thread's to play and has no older task, so its ladder is empty.
    unsafe { thief.first().close() };
    thief.raise();
    held::occupy_again(team, thief, thief.first(), || {
        // SAFETY: worker `thief` is this thread's to play and has no task, so its ladder is empty.
        unsafe { execute(thief, thief.first(), frame, || {}) };
    });
    true
}
