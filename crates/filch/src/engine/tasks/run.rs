//! Running a task of a scope, and counting it out.

use super::group::Core;
use super::job::Fate;
use super::pool::{Group, Latent};
use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::Rung;
use crate::engine::payload;
use crate::engine::share::execute::work_at;
use crate::engine::team::Ladder;
use std::ptr::NonNull;

/// Runs a task, or drops it if its scope is cancelled. Does not count it out.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, and has removed the task from its pool.
pub(crate) unsafe fn perform(ladder: &Ladder, top: Rung, latent: Latent) {
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
pub(crate) unsafe fn count_out(scope: NonNull<Group>, tasks: usize) {
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
