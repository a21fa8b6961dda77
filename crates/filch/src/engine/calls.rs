//! Calls: they wake threads that sleep until there is something for them.

use super::task::Goal;
use super::team::{Ladder, Team};
use crate::sync::memory_fence;

impl Team {
    /// Makes sure that watchers are called when the oldest frame of a ladder changes.
    pub(crate) fn watch(&self) {
        self.all_ladders().for_each(Ladder::watch);
    }

    /// Calls those that sleep and may have what `ladder` has to share, or is about to have.
    pub(crate) fn call_for(&self, ladder: &Ladder) {
        self.sleepers.call_for_more();
        memory_fence();
        self.call_waiters(|goal| ladder.owner().tasks.innermost().is_some_and(|task| self.is_part(task, goal)));
    }

    /// Wakes the waiters that watch for a goal for which `is_needed_for` returns true. The caller has put a task into a
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
