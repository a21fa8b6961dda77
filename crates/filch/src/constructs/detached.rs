//! Detached tasks: tasks that nobody awaits.

use crate::constructs::scope::Closure;
use crate::constructs::strand::Strand;
use crate::engine::group::SpawnOrder;
use crate::engine::payload;
use crate::engine::team::Team;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Spawns `task` on `team`. Where no thread would come for it, `run` runs it at once.
pub(crate) fn detach<F>(team: &Team, order: SpawnOrder, task: F, run: impl FnOnce(F))
where
    F: FnOnce(Strand<'_>) + Send + 'static,
{
    if team.has_threads() {
        team.spawn_detached(order, Closure(task));
        return;
    }
    // Unwind safety: as in a task that another thread runs, only what shares it with the task sees what a panic has
    // left behind.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(task))) {
        payload::lose_unawaited(team, payload);
    }
}
