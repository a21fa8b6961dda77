//! Chaos of scopes: the one thread also plays the workers that would run tasks (`engine/chaos/mod.rs`). It does so
//! after each spawn, and before each task at the end of a scope. So a task may run at once, inside the code that has
//! spawned it, or later, before older ones.

use super::{claim_other, moves};
use crate::engine::held;
use crate::engine::run_tasks::run_tasks;
use crate::engine::task::Goal;
use crate::engine::task_pool::{Latent, Pool};
use crate::engine::team::{Ladder, Team};
use filch_policy::End;

/// Called after a spawn into a pool of `team`, by a thread that works there.
pub(crate) fn at_spawn(team: &Team) {
    play(team, |pool, end| pool.get_any(Some(end)));
}

/// Called before the owner of `scope` runs its next task.
pub(crate) fn at_finish(team: &Team, scope: Goal) {
    play(team, |pool, end| pool.get_of(scope, Some(end)));
}

/// Runs tasks on the ladders of other workers, as often as the schedule says. `get` takes a task from one end of a
/// pool.
fn play(team: &Team, get: impl Fn(&Pool, End) -> Option<Latent>) {
    let Some(chaos) = team.chaos() else { return };
    while moves(chaos) {
        let Some(played) = claim_other(chaos, team) else { break };
        let (end, skipped) = chaos.with(|chaos| (chaos.end(), chaos.pool(team.count())));
        let mut pools = team.pools().skip(skipped).chain(team.pools());
        let Some(latent) = pools.find_map(|pool| get(pool, end)) else { break };
        run_as(team, team.ladder(played.0.index), latent);
    }
}

/// Runs a task on `ladder`. This thread plays the worker of `ladder`, which has no task.
fn run_as(team: &Team, ladder: &Ladder, latent: Latent) {
    let top = ladder.first();
    // What the task forks is shared in turn.
    // SAFETY: this thread plays the worker, and its ladder is empty.
    unsafe { top.close() };
    ladder.raise();
    held::occupy_again(team, ladder, top, || {
        // SAFETY: this thread plays the worker, whose ladder is empty and whose ask word is closed. The task has been
        // removed from its pool.
        unsafe { run_tasks(ladder, top, latent, &|| {}, &|| true) };
    });
}
