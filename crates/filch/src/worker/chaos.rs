//! Chaos: one thread plays all workers, and shares at pseudo-random places (design, section 13).
//!
//! Every fork goes through the cold path, because the ladder is closed again each time, and every return attends, because
//! the bound stays raised. At each of these places the thread may stop what it is doing and play a thief: it takes the
//! oldest frame below and runs it to its end, on the ladder of another worker. So a second branch runs before, inside or
//! after its first; and what it forks there is taken by further workers in turn. Decisions come from a sequence that
//! starts afresh with each run, and from nothing else.

use super::execute::execute;
use super::frame::Claim;
use super::scope::{End, Latent, Pool};
use super::steal::Thief;
use super::task::ScopeId;
use super::{Header, Ladder, Rung, Team, Worker, held};
use crate::sync::Ordering;
use std::cell::Cell;
use std::ptr::NonNull;

/// One in so many places is one where something happens.
const ONE_IN: usize = 4;

/// Before a fork at `top`, which has just been opened.
///
/// # Safety
///
/// The caller occupies `ladder`, and `top` is its top.
#[cold]
pub(super) unsafe fn at_fork(ladder: &Ladder, top: Rung) {
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
/// The caller occupies `ladder`, and has just popped `frame` from `rung`, its top; it is gone already if `gone` says so.
#[cold]
pub(super) unsafe fn at_return(ladder: &Ladder, rung: Rung, frame: NonNull<Header>, gone: bool) -> bool {
    // SAFETY: forwarded.
    unsafe { play(ladder, rung) };
    let team = ladder.owner().team();
    let moves = !gone && !std::thread::panicking() && happens(team);
    // The latest frame, too, could have been taken a moment ago.
    let gone = gone || (moves && run_elsewhere(team, ladder, || Some(frame)));
    // The next fork, if it is the second branch's.
    // SAFETY: forwarded.
    unsafe { rung.close() };
    ladder.raise();
    gone
}

/// After a spawn into a pool of `team`, by one who works there: tasks of whatever scopes are run, as often as the dice say.
pub(super) fn at_spawn(team: &Team) {
    run_latent(team, |pool, end| pool.get_any(Some(end)));
}

/// Before the owner of `scope` runs its next task: others may be run before that.
pub(super) fn at_finish(team: &Team, scope: ScopeId) {
    run_latent(team, |pool, end| pool.get_of(scope, Some(end)));
}

/// Runs tasks of scopes elsewhere, as often as the dice say, from one end of a pool or the other.
fn run_latent(team: &Team, get: impl Fn(&Pool, End) -> Option<Latent>) {
    while !std::thread::panicking() && happens(team) {
        let Some(played) = claim_other(team) else { break };
        let end = if dice(team, 2) == 0 { End::Oldest } else { End::Newest };
        let skipped = dice(team, team.count());
        let mut pools = team.pools().skip(skipped).chain(team.pools());
        let Some(latent) = pools.find_map(|pool| get(pool, end)) else { break };
        run_latent_as(team, team.ladder(played.0.index), latent);
    }
}

/// Runs a task of a scope on `ladder`, whose worker is this thread's to play and has no older task.
fn run_latent_as(team: &Team, ladder: &Ladder, latent: Latent) {
    let top = ladder.first();
    // What it forks is shared in turn.
    // SAFETY: the worker is this thread's, and its ladder empty.
    unsafe { top.close() };
    ladder.raise();
    held::occupy_again(team, ladder, top, || {
        let is_met_with_silence = Cell::new(false);
        let thief = Thief { team, ladder, top, is_called: &|| false, is_met_with_silence, going_busy: &|| {} };
        // SAFETY: as above; the task was removed from its pool.
        unsafe { thief.run(latent) };
    });
}

/// Starts the schedule of `seed`, for a run that comes from outside.
pub(super) fn begin_run(team: &Team, seed: u64) {
    team.worker(0).random.restart(seed);
}

fn happens(team: &Team) -> bool {
    dice(team, ONE_IN) == 0
}

/// A number below `n`, from the one sequence of the team.
fn dice(team: &Team, n: usize) -> usize {
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
        let shared = run_elsewhere(team, ladder, || {
            let mut oldest = None;
            // SAFETY: forwarded; as the caller is at its top and has not gone past it, nothing there is gone.
            unsafe {
                ladder.attend(top, |frame| {
                    oldest = frame;
                    frame.is_some()
                })
            };
            oldest
        });
        if !shared {
            break;
        }
    }
}

/// A worker that this thread plays, and nobody else.
struct Played<'t>(&'t Worker);

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
fn claim_other(team: &Team) -> Option<Played<'_>> {
    let count = team.ladders().len();
    let start = dice(team, count);
    // Worker 0 has the seat.
    let others = (0..count).map(|i| (start + i) % count).filter(|&index| index != 0);
    others.map(|index| team.worker(index)).find_map(Played::claim)
}

/// Runs a frame of `ladder` on another worker's, if one is free. `get` removes it from where it is. False if there was no
/// worker or no frame.
fn run_elsewhere(team: &Team, ladder: &Ladder, get: impl FnOnce() -> Option<NonNull<Header>>) -> bool {
    let Some(played) = claim_other(team) else { return false };
    let worker = played.0;
    let thief = team.ladder(worker.index);
    let Some(frame) = get() else { return false };
    let task = worker.tasks.begin(worker.index, thief.first().addr(), None);
    // SAFETY: nobody else knows the frame any more: it has left the ladder, and its owner is this thread.
    unsafe { Header::set_claim(frame, Claim::taken(task, ladder.owner().index)) };
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
