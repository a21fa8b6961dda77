//! Calls to those who sleep and watch: there is something for them.

use super::task::Goal;
use super::team::{Ladder, Team};
use crate::sync::memory_fence;

impl Team {
    /// Sees to it that whoever watches is called when a ladder comes to have another oldest frame.
    pub(crate) fn watch(&self) {
        self.all_ladders().for_each(Ladder::watch);
    }

    /// `ladder` has something to share, or is about to: those who sleep and may have it shall look.
    pub(crate) fn call_for(&self, ladder: &Ladder) {
        self.sleepers.call_for_more();
        memory_fence();
        self.call_waiters(|goal| ladder.owner().tasks.innermost().is_some_and(|task| self.is_part(task, goal)));
    }

    /// Wakes those who wait for a goal that `is_needed_for` says yes to, and watch. By one who has left a task in a
    /// pool, or has found that a ladder is watched.
    pub(crate) fn call_waiters(&self, is_needed_for: impl Fn(Goal) -> bool) {
        if !self.sleepers.has_watchers() {
            return;
        }
        for ladder in self.all_ladders() {
            let worker = ladder.owner();
            if worker.watches_for.get().is_some_and(|goal| self.rules.waits_for_any() || is_needed_for(goal)) {
                worker.parker.unpark();
            }
        }
    }
}
