//! Detached tasks: tasks that nobody awaits.

use crate::engine::cancel::region::Around;
use crate::engine::detached::Class;
use crate::engine::seats::held_seats;
use crate::engine::spawned::Task;
use crate::engine::team::Team;

/// Spawns `task` on `team`. Where no thread would come for it, this thread runs it before it leaves the team.
pub(crate) fn detach(team: &Team, class: Class, task: impl Task + 'static) {
    let team = team.here();
    if team.has_threads() || held_seats::has_entered(team) {
        return team.spawn_detached(class, task);
    }
    let mut task = Some(task);
    team.run_with_queued(Around::NONE, &mut |_| {
        team.spawn_detached(class, task.take().expect("a run begins once"));
    });
}
