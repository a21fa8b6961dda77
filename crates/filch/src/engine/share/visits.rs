//! Where a thief looks, and in which order: tasks of scopes, then shelves, then ladders. What lies in pools and on
//! shelves comes first, because no worker is interrupted for it.

use super::thief::Thief;
use crate::engine::frame::Header;
use crate::engine::group::Core;
use crate::engine::run_tasks::run_tasks;
use crate::engine::task::Goal;
use crate::engine::task_pool::{Group, Latent, Pool};
use crate::engine::team::{Ladder, Team, Worker};
use filch_policy::End;
use std::ptr::{self, NonNull};

impl Thief<'_> {
    /// Runs any work that there is. Returns false if there was none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    pub(crate) unsafe fn visit_all(&self) -> bool {
        // SAFETY: guaranteed by the caller.
        let found = unsafe { self.visit_pools() }
            // SAFETY: guaranteed by the caller.
            || unsafe { self.visit_shelves(None) };
        // SAFETY: guaranteed by the caller.
        found || unsafe { self.visit_anybody() }
    }

    /// Runs a task of any scope. Returns false if there was none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    unsafe fn visit_pools(&self) -> bool {
        let me = self.ladder.owner();
        let own = me.pool.get_any(None);
        let latent = own.or_else(|| self.team.find_batch(None, me));
        // SAFETY: guaranteed by the caller.
        latent.map(|latent| unsafe { self.run(latent) }).is_some()
    }

    /// Runs a task of a scope that is a part of `goal`. Returns false if there was none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    pub(crate) unsafe fn visit_pools_for(&self, goal: Goal) -> bool {
        // Takes one task and not a batch, because the waiter may go on soon.
        let me = self.ladder.owner();
        let is_inside = |group: &Group| self.team.is_group_inside(group, goal);
        let own = me.pool.get_inside(is_inside, None);
        let latent = own.or_else(|| {
            let latent = self.team.find_in_other_pools(me, |pool| pool.get_inside(is_inside, Some(End::Oldest)))?;
            me.counters.spawns_moved.bump();
            Some(latent)
        });
        // SAFETY: guaranteed by the caller.
        latent.map(|latent| unsafe { self.run(latent) }).is_some()
    }

    /// Runs a task, and more of the same scope, until this thief is called.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit). The task has been removed from its pool.
    unsafe fn run(&self, latent: Latent) {
        // SAFETY: guaranteed by the caller.
        unsafe { run_tasks(self.ladder, self.top, latent, self.going_busy, self.is_called) };
    }

    /// Whether there seems to be something for a worker that waits for `goal`.
    pub(crate) fn sees_part_of(&self, goal: Goal) -> bool {
        let is_any = self.team.rules().waits_for_any();
        let has_part = |ladder: &Ladder| {
            let holder = ladder.owner().tasks.holder(ladder.oldest());
            ladder.has_frame() && (is_any || holder.is_some_and(|task| self.team.is_part(task, goal)))
        };
        let others = || self.team.all_ladders().filter(|&ladder| !ptr::eq(ladder, self.ladder));
        let is_left = |ladder: &Ladder| ladder.owner().shelf.has(|frame| is_any || self.is_left_for(frame, goal));
        let is_spawned = |pool: &Pool| {
            if is_any { pool.has_any() } else { pool.has_inside(|group| self.team.is_group_inside(group, goal)) }
        };
        others().any(has_part) || self.team.all_ladders().any(is_left) || self.team.pools().any(is_spawned)
    }

    /// Runs a frame from a shelf. With `goal`, the frame must be a part of it. Returns false if there was none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    pub(crate) unsafe fn visit_shelves(&self, goal: Option<Goal>) -> bool {
        let me = self.worker();
        let is_wanted = |frame| goal.is_none_or(|goal| self.is_left_for(frame, goal));
        let get = |ladder: &Ladder| Some((ladder.owner().shelf.get_if(is_wanted)?, ladder.owner().index));
        // This worker's own shelf counts, too. The strand that has left a frame there may be further down on this
        // thread, and return to it late.
        let found = get(self.ladder).or_else(|| self.team.victims(me).find_map(get));
        let Some((frame, victim)) = found else { return false };
        me.counters.steal_attempts.bump();
        // SAFETY: guaranteed by the caller; this thread has removed the frame from the shelf.
        unsafe { self.run_claimed(frame, self.team.ladder(victim)) }
    }

    /// Whether a frame that lies on a shelf is a part of `goal`.
    fn is_left_for(&self, frame: NonNull<Header>, goal: Goal) -> bool {
        // SAFETY: the shelf is locked, so the frame stays there, and lives.
        let header = unsafe { frame.as_ref() };
        // SAFETY: a frame is claimed before it is put on a shelf, and the lock of the shelf orders this.
        let origin = unsafe { header.claim() }.origin;
        // The owner of the frame waits for it, or will do so. So all tasks above the frame are live.
        origin.goal == goal || origin.parent.is_some_and(|task| self.team.is_part(task, goal))
    }

    /// Runs a part of `goal`, wherever it is. Returns false if there was none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    pub(crate) unsafe fn visit_parts_of(&self, goal: Goal) -> bool {
        // SAFETY: guaranteed by the caller.
        let found = unsafe { self.visit_pools_for(goal) }
            // SAFETY: guaranteed by the caller.
            || unsafe { self.visit_shelves(Some(goal)) };
        if found {
            return true;
        }
        let me = self.worker();
        self.team.victims(me).any(|victim| {
            let holder = victim.owner().tasks.holder(victim.oldest());
            let part = holder.filter(|&task| victim.has_frame() && self.team.is_part(task, goal));
            // SAFETY: guaranteed by the caller.
            part.is_some() && unsafe { self.visit(victim, part) }
        })
    }

    /// Visits the other workers once, the nearest first, until there is a frame to run. Returns false if there was
    /// none.
    ///
    /// # Safety
    ///
    /// As for [`visit`](Self::visit).
    pub(crate) unsafe fn visit_anybody(&self) -> bool {
        let me = self.worker();
        self.team.victims(me).any(|victim| {
            // SAFETY: guaranteed by the caller.
            unsafe { self.visit(victim, None) }
        })
    }
}

impl Team {
    /// A task of `scope` for its owner, `worker`, at the end of the scope. The owner's own tasks come first, in the
    /// order of the scope, and then the oldest tasks of others.
    pub(crate) fn find_of(&self, scope: Goal, worker: &Worker) -> Option<Latent> {
        let own = worker.pool.get_of(scope, None);
        own.or_else(|| self.find_batch(Some(scope), worker))
    }

    /// Whether a pool seems to have a task of `scope`.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.shows_of(scope))
    }

    /// Whether a pool has a task of `scope`. Takes the locks.
    pub(crate) fn has_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.has_of(scope))
    }

    /// A task of `scope`, or of any scope without it, from another pool than that of `worker`. Moves more tasks of the
    /// same scope to the pool of `worker`.
    fn find_batch(&self, scope: Option<Goal>, worker: &Worker) -> Option<Latent> {
        let (latent, moved) = self.find_in_other_pools(worker, |pool| pool.get_batch(scope, &worker.pool))?;
        worker.counters.spawns_moved.add(1 + moved as u64);
        if moved > 0 {
            // While the tasks moved they were in no pool, and a thread that sleeps now may have looked at that moment.
            // SAFETY: the scope lives until its tasks are counted out, and this thread has one of them.
            unsafe { Core::of(latent.scope) }.make_known();
        }
        Some(latent)
    }
}
