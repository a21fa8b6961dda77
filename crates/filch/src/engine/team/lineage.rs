//! What a task is a part of, and which workers run parts of a goal.

use crate::engine::frame::task::{Goal, Lineage, MAX_DEPTH, TaskId};
use crate::engine::spawned::GroupHead;
use crate::engine::team::Team;

impl Team {
    /// Whether `task` is a part of `goal`. To be trusted only if the task is live afterwards (`task.rs`).
    pub(crate) fn is_part(&self, task: TaskId, goal: Goal) -> bool {
        self.lineage(task).any(|of| of.is(goal))
    }

    /// Whether the tasks of `group` are parts of `goal`, which is not the group itself. To be trusted while the group
    /// has tasks, because then the task that has opened it is live.
    pub(crate) fn is_group_inside(&self, group: &GroupHead, goal: Goal) -> bool {
        group.parent.is_some_and(|task| self.is_part(task, goal))
    }

    /// What `task` is a part of, from its own goal upwards.
    fn lineage(&self, task: TaskId) -> impl Iterator<Item = Lineage> {
        let mut next = Some(task);
        // More tasks than can run are above each other only if what is read here is out of date.
        let most = self.count() * MAX_DEPTH;
        std::iter::from_fn(move || {
            let task = next?;
            let lineage = self.worker(task.worker()).tasks.origin(task);
            next = lineage.parent;
            Some(lineage)
        })
        .take(most)
    }

    /// The workers on which the end of `goal` depends: those that run a part of it. Under `wait=any` such a worker may
    /// run something unrelated inside that part. Then the workers that run parts of that count, too.
    pub(crate) fn in_the_way_of(&self, goal: Goal) -> Vec<usize> {
        let running: Vec<Vec<TaskId>> = self.all_ladders().map(|ladder| ladder.owner().tasks.all().collect()).collect();
        let mut in_the_way: Vec<usize> = Vec::new();
        let mut needed: Vec<TaskId> = Vec::new();
        loop {
            let before = needed.len();
            for (worker, tasks) in running.iter().enumerate() {
                let is_needed = |&task: &TaskId| {
                    self.is_part(task, goal)
                        || self.lineage(task).any(|of| of.parent.is_some_and(|task| needed.contains(&task)))
                };
                // The needed task, and the tasks that run inside it.
                let Some(place) = tasks.iter().position(|task| needed.contains(task) || is_needed(task)) else {
                    continue;
                };
                if !in_the_way.contains(&worker) {
                    in_the_way.push(worker);
                }
                needed.extend(tasks[place..].iter().filter(|task| !needed.contains(task)).copied().collect::<Vec<_>>());
            }
            if needed.len() == before {
                return in_the_way;
            }
        }
    }
}
