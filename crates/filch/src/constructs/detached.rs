//! Detached tasks: tasks that nobody awaits.

use crate::constructs::scope::Closure;
use crate::constructs::strand::Strand;
use crate::engine::scopes::group::SpawnOrder;
use crate::engine::seats::held_seats;
use crate::engine::team::Team;

/// Spawns `task` on `team`. Where no thread would come for it, this thread runs it before it leaves the team.
pub(crate) fn detach<F>(team: &Team, order: SpawnOrder, task: F)
where
    F: FnOnce(Strand<'_>) + Send + 'static,
{
    let team = team.here();
    if team.has_threads() || held_seats::has_entered(team) {
        return team.spawn_detached(order, Closure(task));
    }
    let mut task = Some(task);
    team.run_with_queued(&mut |_| {
        team.spawn_detached(order, Closure(task.take().expect("a run begins once")));
    });
}
