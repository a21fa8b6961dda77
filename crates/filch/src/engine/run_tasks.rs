//! Running tasks of scopes, and counting them out.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::execute::work_at;
use crate::engine::frame::Rung;
use crate::engine::group::Core;
use crate::engine::payload;
use crate::engine::task_pool::{Fate, Group, Latent};
use crate::engine::team::Ladder;
use crate::engine::views::hypermap;
use std::ptr::NonNull;

/// Runs a task, and then those tasks of the same scope that are in this worker's pool, until `is_called`. `going_busy`
/// is called before the first one. All of these count as one task for waiters that look for parts of the scope.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, has room for a task, and its ask word is closed. The task has been
/// removed from its pool.
pub(super) unsafe fn run_tasks(
    ladder: &Ladder,
    top: Rung,
    latent: Latent,
    going_busy: &dyn Fn(),
    is_called: &dyn Fn() -> bool,
) {
    let me = ladder.owner();
    // SAFETY: the task has not been counted out, so its scope lives.
    let origin = unsafe { Core::of(latent.scope) }.origin();
    let scope = latent.scope;
    // This must come first. Until the task is live, or in a pool, workers that look for parts of the scope do not find
    // it.
    me.tasks.begin(top.addr(), origin);
    going_busy();
    me.open();
    let (mut next, mut done) = (Some(latent), 0);
    let views = hypermap::run_task(|| {
        while let Some(latent) = next.take() {
            // SAFETY: the caller occupies the ladder, and the task has been removed from its pool.
            unsafe { perform(ladder, top, latent) };
            done += 1;
            next = if is_called() { None } else { me.pool.get_of(origin.goal, None) };
        }
    });
    me.close();
    me.tasks.end();
    if let Some(views) = views {
        // SAFETY: the tasks have not been counted out, so their scope lives.
        unsafe { Core::of(scope) }.leave(views);
    }
    // SAFETY: these tasks have been performed above, and are counted out only here.
    unsafe { count_out(scope, done) };
}

/// Runs a task, or drops it if its scope is cancelled. Does not count it out.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, and has removed the task from its pool.
pub(super) unsafe fn perform(ladder: &Ladder, top: Rung, latent: Latent) {
    // The job catches panics of user code. If anything else unwound, the owner of the scope would wait for ever.
    let abort = AbortOnUnwind::arm();
    let Latent { scope, job } = latent;
    // SAFETY: the scope lives until the task is counted out, which has not happened yet.
    let core = unsafe { Core::of(scope) };
    let is_cancelled = core.is_cancelled();
    let fate = if is_cancelled { Fate::Drop } else { Fate::Run(top) };
    // SAFETY: guaranteed by the caller.
    let finish = || unsafe { job.finish(fate) };
    // SAFETY: guaranteed by the caller.
    let result = unsafe { work_at(ladder, top, finish) };
    match result {
        Ok(()) => {}
        Err(payload) if is_cancelled => payload::lose(core.team(), payload),
        Err(payload) => core.note_panic(payload),
    }
    abort.disarm();
}

/// Counts out `tasks` tasks of `scope`. The scope may be gone afterwards.
///
/// # Safety
///
/// The tasks have been counted in, are over, and are counted out only once.
unsafe fn count_out(scope: NonNull<Group>, tasks: usize) {
    // `scope` is a pointer because a reference argument would have to be valid until this function returns.
    // SAFETY: the scope lives until `complete` has counted out the last task.
    let core = unsafe { Core::of(scope) };
    let (team, owner) = (core.team, core.owner);
    if core.pending.complete(tasks) {
        // SAFETY: the calling thread works for the team, which therefore lives.
        let team = unsafe { &*team };
        team.worker(owner).parker.unpark();
    }
}
