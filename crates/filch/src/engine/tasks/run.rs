//! Running a task of a scope, and finding one.

use super::group::Core;
use super::job::Fate;
use super::pool::{Group, Latent};
use crate::engine::abort::AbortOnUnwind;
use crate::engine::frame::Rung;
use crate::engine::payload;
use crate::engine::share::execute::work_at;
use crate::engine::team::Ladder;
use std::ptr::NonNull;

/// Runs a task, or drops it if its scope is cancelled. It is not counted out yet.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, and has removed the task from its pool.
pub(crate) unsafe fn perform(ladder: &Ladder, top: Rung, latent: Latent) {
    // User code's panics are caught by the job; the scope's owner waits for this to come to its end.
    let abort = AbortOnUnwind::arm();
    let Latent { scope, job } = latent;
    // SAFETY: it lives until the task is counted out.
    let core = unsafe { Core::of(scope) };
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
pub(crate) unsafe fn count_out(scope: NonNull<Group>, tasks: usize) {
    // By a pointer: whoever has a reference as an argument vouches for more than there is in the end.
    // SAFETY: it lives until the line after the next.
    let core = unsafe { Core::of(scope) };
    let (team, owner) = (core.team, core.owner);
    if core.pending.complete(tasks) {
        // SAFETY: the caller works for the team.
        let team = unsafe { &*team };
        team.worker(owner).parker.unpark();
    }
}
