//! Running a task of a scope, and finding one.

use super::job::Fate;
use super::pool::End;
use super::{Core, Latent};
use crate::worker::abort::AbortOnUnwind;
use crate::worker::execute::work_at;
use crate::worker::steal::Thief;
use crate::worker::task::Goal;
use crate::worker::{Ladder, Rung, Team, Worker, hypermap, payload};
use std::ptr::NonNull;

/// Runs a task, or drops it if its scope is cancelled. It is not counted out yet.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, and has removed the task from its pool.
pub(super) unsafe fn perform(ladder: &Ladder, top: Rung, latent: Latent) {
    // User code's panics are caught by the job; the scope's owner waits for this to come to its end.
    let abort = AbortOnUnwind::arm();
    let Latent { scope, job } = latent;
    // SAFETY: it lives until the task is counted out.
    let core = unsafe { scope.as_ref() };
    let is_cancelled = core.is_cancelled();
    let fate = if is_cancelled { Fate::Drop } else { Fate::Run(top) };
    // SAFETY: forwarded.
    let finish = || unsafe { job.finish(fate) };
    // SAFETY: forwarded.
    let result = unsafe { work_at(ladder, top, finish) };
    match result {
        Ok(()) => {}
        Err(payload) if is_cancelled => payload::lose(core.team(), payload),
        Err(payload) => core.note_panic(payload),
    }
    abort.disarm();
}

/// Counts `tasks` of `scope` out. The scope may be gone afterwards.
///
/// # Safety
///
/// These were counted in, and this is called once for each.
pub(super) unsafe fn count_out(scope: NonNull<Core>, tasks: usize) {
    // By a pointer: whoever has a reference as an argument vouches for more than there is in the end.
    // SAFETY: it lives until the line after the next.
    let core = unsafe { scope.as_ref() };
    let (team, owner) = (core.team, core.owner);
    if core.pending.complete(tasks) {
        // SAFETY: the caller works for the team.
        let team = unsafe { &*team };
        team.worker(owner).parker.unpark();
    }
}

impl Team {
    /// A task of `scope`, for its owner at the end, `worker`: its own in the order of the scope, then the oldest of the
    /// others.
    pub(super) fn find_of(&self, scope: Goal, worker: &Worker) -> Option<Latent> {
        let own = worker.pool.get_of(scope, None);
        own.or_else(|| self.find_in_other_pools(worker, |pool| pool.get_batch(Some(scope), worker)))
    }

    /// Whether there seems to be one.
    pub(super) fn shows_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.shows_of(scope))
    }

    /// Whether there is one: a look under the locks.
    pub(super) fn has_of(&self, scope: Goal) -> bool {
        self.pools().any(|pool| pool.has_of(scope))
    }
}

impl Thief<'_> {
    /// Runs whatever there is: what has been left first, because nobody is interrupted for that, then frames of the
    /// others. False if there was nothing.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(in crate::worker) unsafe fn visit_all(&self) -> bool {
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
        let latent = own.or_else(|| self.team.find_in_other_pools(me, |pool| pool.get_batch(None, me)));
        // SAFETY: forwarded.
        latent.map(|latent| unsafe { self.run(latent) }).is_some()
    }

    /// Runs a task of a scope inside of `goal`. False if there was none.
    ///
    /// # Safety
    ///
    /// As [`visit`](Self::visit).
    pub(in crate::worker) unsafe fn visit_pools_for(&self, goal: Goal) -> bool {
        // One at a time: who waits for something may be gone soon.
        let me = self.ladder.owner();
        let own = me.pool.get_inside(goal, None);
        let latent = own.or_else(|| {
            let latent = self.team.find_in_other_pools(me, |pool| pool.get_inside(goal, Some(End::Oldest)))?;
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
    pub(super) unsafe fn run(&self, latent: Latent) {
        let me = self.ladder.owner();
        // SAFETY: not counted out.
        let origin = unsafe { latent.scope.as_ref() }.origin();
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
            unsafe { scope.as_ref() }.leave(views);
        }
        // SAFETY: performed above.
        unsafe { count_out(scope, done) };
    }
}
