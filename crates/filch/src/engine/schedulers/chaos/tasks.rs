//! Chaos of scopes: the one thread also plays the workers that would run tasks (`mod.rs`). It does so
//! after each spawn, and before each task at the end of a scope. So a task may run at once, inside the code that has
//! spawned it, or later, before older ones.

use super::{claim_other, moves, schedule};
use crate::engine::held_seats;
use crate::engine::occupied::Top;
use crate::engine::run_tasks::run_tasks;
use crate::engine::spawned::{SpawnQueue, Spawned};
use crate::engine::team::{Ladder, Team};
use filch_policy::End;

/// Runs tasks on the ladders of other workers, as often as the schedule says. `get` takes a task from one end of a
/// queue. Not inlined, so that the frames of nested scopes stay small.
#[cold]
#[inline(never)]
pub(super) fn play(team: &Team, get: impl Fn(&SpawnQueue, End) -> Option<Spawned>) {
    while moves(team) {
        let Some(played) = claim_other(team) else { break };
        let (end, skipped) = schedule(team).with(|chaos| (chaos.end(), chaos.pool(team.count())));
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
