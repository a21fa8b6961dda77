//! Chaos: one thread plays all workers, and shares work at pseudo-random places.
//!
//! Every fork takes the cold path, because the ladder is closed again each time. Every return attends, because E stays
//! raised. At each of these places the thread may stop what it is doing and play a thief. It takes the oldest frame
//! below and runs it to its end, on the ladder of another worker. So a second branch runs before, inside or after its
//! first branch, and what it forks there is taken by further workers in turn. All decisions come from a sequence that
//! starts afresh with each run, and from nothing else.
//!
//! It also plays the workers that would run tasks of scopes: after each spawn, and before each task at the end of a
//! scope. So a task may run at once, inside the code that has spawned it, or later, before older ones.

use crate::engine::frame::task::{Goal, TaskId};
use crate::engine::frame::{Claim, FrameRef, OffLadder, Place, Unbegun};
use crate::engine::meters::schedule::{MoveKind, Permit, Schedule};
use crate::engine::seats::current;
use crate::engine::seats::held_seats;
use crate::engine::seats::inlet;
use crate::engine::share::execute::execute;
use crate::engine::share::prepare;
use crate::engine::share::run_tasks::run_tasks;
use crate::engine::spawned::{SpawnQueue, Spawned};
use crate::engine::team::Sharing;
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::team::{Latent, Leaving};
use crate::engine::team::{Occupied, Top};
use crate::protocol::ladder::Claimed;
use crate::sync::Ordering;
use filch_policy::{End, Left};

/// The thread that plays.
pub(super) struct Play;

impl Sharing for Play {
    fn leaves(&self, _: &Worker) -> bool {
        false
    }

    fn at_return(&self, _: Latent<'_>) -> Leaving {
        Leaving::default()
    }

    /// Starts the schedule afresh.
    fn begins_run(&self, team: &Team) {
        if let Some(start) = team.rules().chaos() {
            schedule(team).begin(start);
        }
    }

    fn at_fork(&self, top: &Top<'_>) -> bool {
        play(top, MoveKind::AtFork);
        // This is for the next fork, if it goes deeper.
        if let Some(above) = top.above().filter(|above| above.is_free()) {
            above.close();
        }
        top.ladder().raise();
        true
    }

    fn after_return(&self, top: &Top<'_>, frame: Option<OffLadder<'_>>) -> bool {
        let team = top.owner().team();
        play(top, MoveKind::AfterBranch);
        // A thief could have taken the latest frame, too, a moment ago.
        let mut rest = frame;
        let gone = rest.is_none()
            || moves(team, MoveKind::SecondBranch)
                .is_some_and(|permit| run_elsewhere(team, permit, &mut |thief| claim_prepared(top, thief, &mut rest)));
        // This is for the next fork, if the second branch begins with one.
        close(top);
        top.ladder().raise();
        gone
    }

    fn between_blocks<'f>(&self, top: &Top<'_>, frame: OffLadder<'f>) -> Option<OffLadder<'f>> {
        let (team, mut rest) = (top.owner().team(), Some(frame));
        play(top, MoveKind::BetweenBlocks);
        // A thief could have taken what is left, or half of it, a moment ago.
        let has_more = |frame: &OffLadder<'_>| frame.left() != Left::Nothing;
        while rest.as_ref().is_some_and(has_more)
            && let Some(permit) = moves(team, MoveKind::RestOfLoop)
            && run_elsewhere(team, permit, &mut |thief| claim_prepared(top, thief, &mut rest))
        {}
        close(top);
        top.ladder().raise();
        rest
    }

    fn wants_items(&self) -> bool {
        true
    }

    fn at_item(&self, top: &Top<'_>) {
        play(top, MoveKind::AtItem);
        if top.is_free() {
            close(top);
        }
        top.ladder().raise();
    }

    fn at_spawn(&self, team: &Team) {
        play_tasks(team, MoveKind::AfterSpawn, &|queue, end| queue.get_any(end));
    }

    fn before_task(&self, team: &Team, scope: Goal) {
        play_tasks(team, MoveKind::AtEndOfScope, &|queue, end| queue.get_of(scope, end));
    }
}

/// The schedule, which is that of the run under way.
fn schedule(team: &Team) -> &Schedule {
    team.chaos().expect("a team of chaos has a schedule")
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

/// Whether a latent frame or task moves to another worker now. Not while a panic unwinds, or this thread has a state
/// that the task may want.
fn moves(team: &Team, kind: MoveKind) -> Option<Permit> {
    let is_inside = std::thread::panicking() || inlet::is_here();
    schedule(team).moves(kind, is_inside)
}

/// Shares latent frames, as often as the schedule says.
fn play(top: &Top<'_>, kind: MoveKind) {
    let (ladder, team) = (top.ladder(), top.owner().team());
    while let Some(permit) = moves(team, kind) {
        let ready = prepare::oldest(top);
        let shared = run_elsewhere(team, permit, &mut |thief| {
            let mut claimed = None;
            // It may have been forked outside of the innermost task.
            let holder = || ladder.owner().tasks.holder(ladder.oldest());
            let give = |oldest: Option<FrameRef<'_>>| {
                // SAFETY: `attend` calls this under L.
                if oldest.as_ref().is_some_and(|oldest| unsafe { ready.passes(oldest) }) {
                    return true;
                }
                let oldest = oldest.filter(|frame| ready.allows(frame));
                // SAFETY: this runs under L, and tells the ladder if the frame leaves.
                claimed = oldest.map(|frame| unsafe { thief.claim(&frame, claim_of(ladder, &frame, holder())) });
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
struct Played<'t>(Occupied<'t>);

impl<'t> Played<'t> {
    fn claim(ladder: &'t Ladder) -> Option<Self> {
        let is_free = !ladder.owner().is_played.swap(true, Ordering::AcqRel);
        // SAFETY: no other thread plays the worker until this is dropped.
        is_free.then(|| Played(unsafe { Occupied::at(ladder.first()) }))
    }

    /// Runs `f` on the ladder of the worker. What it forks is shared in turn.
    fn work(&self, f: impl FnOnce(&Top<'_>)) {
        let (top, ladder) = (self.0.top(), self.0.ladder());
        top.close();
        ladder.raise();
        held_seats::occupy_again(ladder.owner().team(), ladder, top.rung(), || f(&top));
    }
}

impl Drop for Played<'_> {
    fn drop(&mut self) {
        self.0.spawned().share();
        self.0.owner().is_played.store(false, Ordering::Release);
    }
}

/// A worker that is free for this thread to play, other than the one with the seat.
fn claim_other(team: &Team) -> Option<Played<'_>> {
    let players = schedule(team).draw(|chaos| chaos.players(team.ladders().len()));
    players.map(|index| team.ladder(index)).find_map(Played::claim)
}

/// Claims a frame that is off the ladder, or a part of it, for worker `thief`. Prepares it if that has to be done. What
/// is left stays in `rest`.
fn claim_prepared(top: &Top<'_>, thief: &Worker, rest: &mut Option<OffLadder<'_>>) -> Option<Claimed<Unbegun>> {
    let has_more = |frame: &mut OffLadder<'_>| frame.left() != Left::Nothing;
    let frame = rest.take_if(|frame| has_more(frame) && prepare::one(top, frame).allows(frame))?;
    let claim = claim_of(top.ladder(), &frame, top.owner().tasks.innermost());
    let claimed;
    (claimed, *rest) = thief.claim_own(frame, claim);
    Some(claimed)
}

/// The claim for a frame of `ladder`, forked in task `holder`, that another worker takes.
fn claim_of(ladder: &Ladder, frame: &FrameRef<'_>, holder: Option<TaskId>) -> Claim {
    Claim::new(frame.as_ptr(), holder, ladder.owner().index, Place::Nowhere)
}

/// Runs a frame, or a part of one, on another worker's ladder, if a worker is free for that. `get` claims it for that
/// worker. Returns false if there was no worker or no frame.
fn run_elsewhere(team: &Team, permit: Permit, get: &mut dyn FnMut(&Worker) -> Option<Claimed<Unbegun>>) -> bool {
    let Some(played) = claim_other(team) else { return false };
    let worker = played.0.owner();
    worker.part_memory.make();
    let Some(frame) = get(worker).map(Claimed::into_inner) else { return false };
    worker.note_taken(&frame);
    schedule(team).moving(permit, || played.work(|top| execute(top, frame, &|| {})));
    true
}

/// Runs tasks on the ladders of other workers, as often as the schedule says. `get` takes a task from one end of a
/// queue. Not inlined, so that the frames of nested scopes stay small.
#[cold]
#[inline(never)]
fn play_tasks(team: &Team, kind: MoveKind, get: &dyn Fn(&SpawnQueue, End) -> Option<Spawned>) {
    while let Some(permit) = moves(team, kind) {
        let Some(played) = claim_other(team) else { break };
        let (end, skipped) = schedule(team).draw(|chaos| (chaos.end(), chaos.pool(team.count())));
        let mut queues = team.spawn_queues().skip(skipped).chain(team.spawn_queues());
        let Some(latent) = queues.find_map(|queue| get(queue, end)) else { break };
        schedule(team).moving(permit, || played.work(|top| run_tasks(top, latent, &|| {}, &|| true)));
    }
}
