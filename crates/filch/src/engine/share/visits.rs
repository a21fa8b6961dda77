//! Where a thief looks, in the order of the policy ([`Source`]): tasks of scopes, then shared task pools, then ladders.

use super::thief::Thief;
use crate::engine::frame::Unbegun;
use crate::engine::frame::task::{Goal, TaskId};
use crate::engine::scopes::group::Group;
use crate::engine::share::run_tasks::run_tasks;
use crate::engine::spawned::{GroupHead, SpawnQueue, Spawned};
use crate::engine::team::Occupied;
use crate::engine::team::squads::Squads;
use crate::engine::team::{Ladder, Team};
use filch_policy::{End, Source};
use std::cell::Cell;
use std::iter;
use std::ptr;

impl Thief<'_> {
    /// Runs any work that there is, or, with `goal`, what is a part of that, wherever it is. What only this thread may
    /// run, it runs in both cases. Returns false if there was none.
    pub(crate) fn visit_all(&self, goal: Option<Goal>) -> bool {
        Source::ORDER.into_iter().any(|source| match (source, goal) {
            (Source::Bound, _) => self.visit_bound(),
            (Source::Spawned, None) => self.visit_spawned(),
            (Source::Spawned, Some(goal)) => self.visit_spawned_for(goal),
            (Source::Shelves, goal) => self.visit_shared(goal),
            (Source::Across, goal) => self.visit_across(goal),
            (Source::Ladders, None) => self.visit_anybody(),
            (Source::Ladders, Some(goal)) => self.visit_holders_of(goal),
        })
    }

    /// Runs a task that only this thread may run. Returns false if there was none.
    fn visit_bound(&self) -> bool {
        let Some(latent) = self.team.bound_here().and_then(|queue| queue.get_any(End::Oldest)) else {
            return false;
        };
        // No more of that scope: a waiter runs this task whatever it waits for, and others only if they are parts of
        // that.
        run_tasks(&self.top, latent, self.going_busy, &|| true);
        true
    }

    /// Runs a task of any scope. Returns false if there was none.
    fn visit_spawned(&self) -> bool {
        if let Some(squads) = &self.team.squads {
            return self.visit_spawned_across(squads, &|_| true);
        }
        let own = self.top.spawned();
        let latent = own.get_any().or_else(|| self.team.find_batch(None, *self.top));
        latent.map(|latent| self.run(latent)).is_some()
    }

    /// Runs a task of a scope that is a part of `goal`. Returns false if there was none.
    fn visit_spawned_for(&self, goal: Goal) -> bool {
        let is_inside = |group: &GroupHead| self.team.is_group_inside(group, goal);
        if let Some(squads) = &self.team.squads {
            return self.visit_spawned_across(squads, &is_inside);
        }
        let latent = self.find_spawned(&is_inside);
        latent.map(|latent| self.run(latent)).is_some()
    }

    /// Removes one task of a group that `is_wanted`, from this worker's own queue or another one. Takes no batch:
    /// a waiter may go on soon, and a squad begins one inter-socket task at a time.
    pub(super) fn find_spawned(&self, is_wanted: &dyn Fn(&GroupHead) -> bool) -> Option<Spawned> {
        let me = self.worker();
        let own = self.top.spawned();
        own.get_inside(is_wanted).or_else(|| {
            let latent = self.team.find_in_other_queues(me, |queue| queue.get_inside(is_wanted))?;
            me.counters.spawns_moved.bump();
            Some(latent)
        })
    }

    /// Runs a task, and more of the same scope, until this thief is called.
    pub(super) fn run(&self, latent: Spawned) {
        run_tasks(&self.top, latent, self.going_busy, self.is_called);
    }

    /// Whether there seems to be something for a worker that waits for `goal`, on this thread.
    pub(crate) fn sees_part_of(&self, goal: Goal) -> bool {
        let rules = self.team.rules();
        let has_part = |ladder: &Ladder| {
            let is_part = || self.holder_of_gift(ladder, goal).is_some_and(|task| self.team.is_part(task, goal));
            self.team.may_get_from(ladder) && rules.helps_with(is_part)
        };
        let mates = || self.team.all_ladders().filter(|&ladder| self.team.are_mates(self.worker(), ladder));
        let others = || mates().filter(|&ladder| !ptr::eq(ladder, self.top.ladder()));
        let shelved = || self.team.shelved().filter(|&ladder| self.team.are_mates(self.worker(), ladder));
        let is_left = |ladder: &Ladder| {
            ladder.owner().shelf.has(&|frame| rules.helps_with(|| self.is_offered_to_waiter(frame, goal)))
        };
        let is_spawned = |queue: &SpawnQueue| {
            if rules.waits_for_any() {
                queue.has_any()
            } else {
                queue.has_inside(|group| self.team.is_group_inside(group, goal))
            }
        };
        let is_across = || {
            let wanted = |frame: &_| rules.helps_with(|| self.is_offered_to_waiter(frame, goal));
            self.team.squads.as_ref().is_some_and(|squads| squads.has(&wanted))
                && self.team.may_begin_across(self.worker())
        };
        let is_bound = || self.team.bound_here().is_some_and(SpawnQueue::has_any);
        others().any(has_part)
            || shelved().any(is_left)
            || is_across()
            || self.team.spawn_queues().any(is_spawned)
            || is_bound()
    }

    /// Runs a frame from a shared task pool. With `goal`, the frame must be a part of it. Returns false if there was
    /// none.
    pub(crate) fn visit_shared(&self, goal: Option<Goal>) -> bool {
        let me = self.worker();
        let is_for = |frame: &_| goal.is_none_or(|goal| self.is_offered_to_waiter(frame, goal));
        let is_wanted = |frame: &Unbegun| frame.may_be_begun_by(me.seat()) && is_for(frame);
        // This worker's own pool counts, too. The strand that has left a frame there may be further down on this
        // thread, and return to it late.
        let shelved = self.team.shelved_victims(me).filter(|ladder| self.team.are_mates(me, ladder));
        let mut ladders = iter::once(self.top.ladder()).chain(shelved);
        let found = ladders.find_map(|ladder| Some((ladder.owner().shelf.get(&is_wanted)?, ladder)));
        let Some((frame, victim)) = found else { return false };
        me.counters.steal_attempts.bump();
        self.team.sharing.at_empty_shelf(victim);
        self.run_claimed(frame, victim)
    }

    /// The task to which the frame belongs that a worker that waits for `goal` may get from the owner of `ladder`: its
    /// oldest latent frame, or one that it has kept.
    fn holder_of_gift(&self, ladder: &Ladder, goal: Goal) -> Option<TaskId> {
        if self.team.rules().shares_latent() {
            return ladder.owner().tasks.holder(ladder.oldest());
        }
        let parent = Cell::new(None);
        ladder.owner().shelf.has(&|frame| {
            parent.set(frame.claim().origin.parent);
            self.is_offered_to_waiter(frame, goal)
        });
        parent.get()
    }

    /// Whether a frame that lies in a shared task pool is a part of `goal`.
    pub(super) fn is_offered_to_waiter(&self, frame: &Unbegun, goal: Goal) -> bool {
        let origin = frame.claim().origin;
        // The owner of the frame waits for it, or will do so. So all tasks above the frame are live.
        origin.goal == goal || origin.parent.is_some_and(|task| self.team.is_part(task, goal))
    }

    /// Visits the other workers once, the nearest first, until there is a part of `goal` to run. Returns false if there
    /// was none.
    fn visit_holders_of(&self, goal: Goal) -> bool {
        self.mates().any(|victim| {
            if !self.team.may_get_from(victim) {
                return false;
            }
            let part = self.holder_of_gift(victim, goal).filter(|&task| self.team.is_part(task, goal));
            part.is_some() && self.visit(victim, part)
        })
    }

    /// The ladders of the other workers from which this one may get intra-socket work, the nearest first.
    fn mates(&self) -> impl Iterator<Item = &Ladder> {
        let me = self.worker();
        self.team.victims(me).filter(|ladder| self.team.are_mates(me, ladder))
    }

    /// Visits the other workers once, the nearest first, until there is a frame to run. Returns false if there was
    /// none.
    fn visit_anybody(&self) -> bool {
        self.mates().any(|victim| self.visit(victim, None))
    }
}

impl Team {
    /// Whether another worker may get something from the owner of `ladder` by asking or taking. Takes no lock.
    pub(crate) fn may_get_from(&self, ladder: &Ladder) -> bool {
        let has_kept = || self.rules.asks() && ladder.owner().shelf.kept() > 0;
        if self.rules.shares_latent() { ladder.has_frame() } else { has_kept() }
    }

    /// Whether there seems to be something for a worker that may run anything. Takes no lock.
    pub(crate) fn has_latent(&self) -> bool {
        self.has_shelved()
            || self.all_ladders().any(|ladder| self.may_get_from(ladder))
            || self.spawn_queues().any(|queue| !queue.is_empty())
            || self.squads.as_ref().is_some_and(Squads::has_any)
    }

    /// Whether a frame seems to lie in a shared task pool. Takes no lock.
    pub(crate) fn has_shelved(&self) -> bool {
        self.shelved().any(|ladder| !ladder.owner().shelf.is_empty())
    }

    /// A task of `scope` for its owner, `worker`, at the end of the scope, when it has run its own ones. Those that
    /// only this thread may run come first, and then the oldest tasks of others.
    pub(crate) fn find_other_of(&self, scope: Goal, at: Occupied<'_>) -> Option<Spawned> {
        let bound = self.bound_here().and_then(|queue| queue.get_of(scope, End::Oldest));
        bound.or_else(|| self.find_batch(Some(scope), at))
    }

    /// Whether a queue seems to have a task of `scope` that this thread may run.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        self.spawn_queues().chain(self.bound_here()).any(|queue| queue.shows_of(scope))
    }

    /// Whether a queue has a task of `scope` that this thread may run. Takes the locks.
    pub(crate) fn has_of(&self, scope: Goal) -> bool {
        self.spawn_queues().chain(self.bound_here()).any(|queue| queue.has_of(scope))
    }

    /// A task of `scope`, or of any scope without it, from another queue than that of `worker`. Moves more tasks of the
    /// same scope to the queue of `worker`.
    fn find_batch(&self, scope: Option<Goal>, at: Occupied<'_>) -> Option<Spawned> {
        let (own, worker) = (at.spawned(), at.owner());
        let (latent, moved) = self.find_in_other_queues(worker, |queue| queue.get_batch(scope, own))?;
        worker.counters.spawns_moved.add(1 + moved as u64);
        if moved > 0 {
            // While the tasks moved they were in no queue, and a thread that sleeps now may have looked at that moment.
            // SAFETY: the scope lives until its tasks are counted out, and this thread has one of them.
            unsafe { Group::of(latent.scope()) }.make_known();
        }
        Some(latent)
    }
}
