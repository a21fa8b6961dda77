//! Where a thief looks, in which order: tasks of scopes, shelves, ladders.

use super::thief::Thief;
use crate::engine::frame::Header;
use crate::engine::task::Goal;
use crate::engine::tasks::{Core, Group, Latent, Pool, count_out, perform};
use crate::engine::team::{Ladder, Team, Worker};
use crate::engine::views::hypermap;
use filch_policy::End;
use std::ptr::{self, NonNull};

impl Thief<'_> {
    /// Runs whatever there is: what has been left first, because nobody is interrupted for that, then frames of the
    /// others. False if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(crate) unsafe fn visit_all(&self) -> bool {
        // SAFETY: forwarded.
        let found = unsafe { self.visit_pools() }
            // SAFETY: forwarded.
            || unsafe { self.visit_shelves(None) };
        // SAFETY: forwarded.
        found || unsafe { self.visit_anybody() }
    }

    /// Runs a task of whatever scope. False if there was none.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    unsafe fn visit_pools(&self) -> bool {
        let me = self.ladder.owner();
        let own = me.pool.get_any(None);
        let latent = own.or_else(|| self.team.find_batch(None, me));
        // SAFETY: forwarded.
        latent.map(|latent| unsafe { self.run(latent) }).is_some()
    }

    /// Runs a task of a scope inside of `goal`. False if there was none.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(crate) unsafe fn visit_pools_for(&self, goal: Goal) -> bool {
        // One at a time: who waits for something may be gone soon.
        let me = self.ladder.owner();
        let is_inside = |group: &Group| self.team.is_group_inside(group, goal);
        let own = me.pool.get_inside(is_inside, None);
        let latent = own.or_else(|| {
            let latent = self.team.find_in_other_pools(me, |pool| pool.get_inside(is_inside, Some(End::Oldest)))?;
            me.counters.spawns_moved.bump();
            Some(latent)
        });
        // SAFETY: forwarded.
        latent.map(|latent| unsafe { self.run(latent) }).is_some()
    }

    /// Runs a task, and then what this worker has of the same scope, unless it is called. To those who look for parts
    /// of the scope, all of these are one task.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit), and the task has been removed from its pool.
    pub(crate) unsafe fn run(&self, latent: Latent) {
        let me = self.ladder.owner();
        // SAFETY: not counted out.
        let origin = unsafe { Core::of(latent.scope) }.origin();
        let scope = latent.scope;
        me.tasks.begin(self.top.addr(), origin);
        (self.going_busy)();
        me.open();
        let (mut next, mut done) = (Some(latent), 0);
        let views = hypermap::run_task(|| {
            while let Some(latent) = next.take() {
                // SAFETY: forwarded.
                unsafe { perform(self.ladder, self.top, latent) };
                done += 1;
                next = if (self.is_called)() { None } else { me.pool.get_of(origin.goal, None) };
            }
        });
        me.close();
        me.tasks.end();
        if let Some(views) = views {
            // SAFETY: not counted out.
            unsafe { Core::of(scope) }.leave(views);
        }
        // SAFETY: performed above.
        unsafe { count_out(scope, done) };
    }

    /// Whether there is something for one who waits for `goal`.
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

    /// Runs a frame that somebody has left, if it is a part of `goal` (or whatever it is, without `goal`). False if
    /// there was none.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(crate) unsafe fn visit_shelves(&self, goal: Option<Goal>) -> bool {
        let me = self.worker();
        let is_wanted = |frame| goal.is_none_or(|goal| self.is_left_for(frame, goal));
        let get = |ladder: &Ladder| Some((ladder.owner().shelf.get_if(is_wanted)?, ladder.owner().index));
        // Its own, too: who left it may be further down on this thread, and come to it late.
        let found = get(self.ladder).or_else(|| self.team.victims(me).find_map(get));
        let Some((frame, victim)) = found else { return false };
        me.counters.steal_attempts.bump();
        // SAFETY: forwarded; removed by this thread.
        unsafe { self.run_claimed(frame, self.team.ladder(victim)) }
    }

    /// Whether a frame that lies on a shelf is a part of `goal`.
    fn is_left_for(&self, frame: NonNull<Header>, goal: Goal) -> bool {
        // SAFETY: it lives while it lies there, as the shelf's lock sees to.
        let header = unsafe { frame.as_ref() };
        // SAFETY: claimed before it was left.
        let origin = unsafe { header.claim() }.origin;
        // Its owner waits for it, or will; so what is above it is live.
        origin.goal == goal || origin.parent.is_some_and(|task| self.team.is_part(task, goal))
    }

    /// Runs a part of `goal`, whoever has one: what has been left first, because nobody is interrupted for that. False
    /// if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(crate) unsafe fn visit_parts_of(&self, goal: Goal) -> bool {
        // SAFETY: forwarded.
        let found = unsafe { self.visit_pools_for(goal) }
            // SAFETY: forwarded.
            || unsafe { self.visit_shelves(Some(goal)) };
        if found {
            return true;
        }
        let me = self.worker();
        self.team.victims(me).any(|victim| {
            let holder = victim.owner().tasks.holder(victim.oldest());
            let part = holder.filter(|&task| victim.has_frame() && self.team.is_part(task, goal));
            // SAFETY: forwarded.
            part.is_some() && unsafe { self.visit(victim, part) }
        })
    }

    /// Visits the other workers once, the nearest first, until there is something to run. False if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(crate) unsafe fn visit_anybody(&self) -> bool {
        let me = self.worker();
        self.team.victims(me).any(|victim| {
            // SAFETY: forwarded.
            unsafe { self.visit(victim, None) }
        })
    }
}

impl Team {
    /// A task of `scope`, for its owner at the end, `worker`: its own in the order of the scope, then the oldest of the
    /// others.
    pub(crate) fn find_of(&self, scope: Goal, worker: &Worker) -> Option<Latent> {
        let own = worker.pool.get_of(scope, None);
        own.or_else(|| self.find_batch(Some(scope), worker))
    }

    /// Whether there seems to be one.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.shows_of(scope))
    }

    /// Whether there is one: a look under the locks.
    pub(crate) fn has_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.has_of(scope))
    }

    /// A task of `scope`, or of any without one, from another pool than that of `worker`, to which more of them go.
    fn find_batch(&self, scope: Option<Goal>, worker: &Worker) -> Option<Latent> {
        let (latent, moved) = self.find_in_other_pools(worker, |pool| pool.get_batch(scope, &worker.pool))?;
        worker.counters.spawns_moved.add(1 + moved as u64);
        if moved > 0 {
            // Meanwhile they were nowhere, and who sleeps now may have looked.
            // SAFETY: it lives until its tasks are counted out, and this thread has some.
            unsafe { Core::of(latent.scope) }.make_known();
        }
        Some(latent)
    }
}
