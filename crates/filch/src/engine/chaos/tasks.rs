//! Chaos of scopes: the one thread also plays the workers that would run tasks (`engine/chaos/mod.rs`). It does so
//! after each spawn, and before each task at the end of a scope. So a task may run at once, inside the code that has
//! spawned it, or later, before older ones.

use super::{claim_other, moves};
use crate::engine::held_seats;
use crate::engine::occupied::Top;
use crate::engine::run_tasks::run_tasks;
use crate::engine::sequence::SequenceCell;
use crate::engine::spawned::{SpawnQueue, Spawned};
use crate::engine::task::Goal;
use crate::engine::team::{Ladder, Team};
use filch_policy::{Chaos, End};

/// Called after a spawn into a queue of `team`, by a thread that works there.
pub(crate) fn at_spawn(team: &Team) {
    if let Some(chaos) = team.chaos() {
        play(team, chaos, |queue, end| queue.get_any(end));
    }
}

/// Called before the owner of `scope` runs its next task.
pub(crate) fn at_finish(team: &Team, scope: Goal) {
    if let Some(chaos) = team.chaos() {
        play(team, chaos, |queue, end| queue.get_of(scope, end));
    }
}

/// Runs tasks on the ladders of other workers, as often as the schedule says. `get` takes a task from one end of a
/// queue. Not inlined, so that the frames of nested scopes stay small.
#[cold]
#[inline(never)]
fn play(team: &Team, chaos: &SequenceCell<Chaos>, get: impl Fn(&SpawnQueue, End) -> Option<Spawned>) {
    while moves(chaos) {
        let Some(played) = claim_other(chaos, team) else { break };
        let (end, skipped) = chaos.with(|chaos| (chaos.end(), chaos.pool(team.count())));
        let mut queues = team.spawn_queues().skip(skipped).chain(team.spawn_queues());
        let Some(latent) = queues.find_map(|queue| get(queue, end)) else { break };
        run_as(team, team.ladder(played.0.index), latent);
    }
}

/// Runs a task on `ladder`. This thread plays the worker of `ladder`, which has no task.
fn run_as(team: &Team, ladder: &Ladder, latent: Spawned) {
    // SAFETY: this thread plays the worker, and its ladder is empty.
    let top = unsafe { Top::at(ladder.first()) };
    // What the task forks is shared in turn.
    top.close();
    ladder.raise();
    held_seats::occupy_again(team, ladder, top.rung(), || run_tasks(&top, latent, &|| {}, &|| true));
}
