//! Running tasks of scopes, and counting them out.

use crate::engine::abort::AbortOnUnwind;
use crate::engine::execute::work_at;
use crate::engine::frame::Rung;
use crate::engine::group::Group;
use crate::engine::payload;
use crate::engine::spawned::{Fate, GroupHead, Job, Spawned};
use crate::engine::team::Ladder;
use crate::engine::views::hypermap;
use std::ptr::NonNull;

/// Runs a task, and then those tasks of the same scope that are in this worker's queue, until `is_called`. `going_busy`
/// is called before the first one. All of these count as one task for waiters that look for parts of the scope.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`, has room for a task, and its ask word is closed. The task has been
/// removed from its queue.
pub(super) unsafe fn run_tasks(
    ladder: &Ladder,
    top: Rung,
    latent: Spawned,
    going_busy: &dyn Fn(),
    is_called: &dyn Fn() -> bool,
) {
    let me = ladder.owner();
    // SAFETY: the task has not been counted out, so its scope lives.
    let origin = unsafe { Group::of(latent.scope) }.origin();
    let scope = latent.scope;
    // This must come first. Until the task is live, or in a queue, workers that look for parts of the scope do not find
    // it.
    me.tasks.begin(top.addr(), origin);
    // SAFETY: guaranteed by the caller.
    let own = unsafe { me.spawned.owned() };
    going_busy();
    me.open();
    let (mut first, mut done) = (Some(latent), 0);
    let next = |job: &mut Option<Job>| match first.take() {
        Some(latent) => *job = Some(latent.job),
        None if is_called() => *job = None,
        None => own.get_of(origin.goal, job),
    };
    let views = hypermap::run_task(|| {
        // SAFETY: the tasks have not been counted out, so their scope lives.
        let scope = unsafe { Group::of(scope) };
        // SAFETY: the caller occupies the ladder, and the tasks have been removed from their queues.
        done = unsafe { perform_all(ladder, top, scope, next) };
    });
    me.close();
    me.tasks.end();
    if let Some(views) = views {
        // SAFETY: the tasks have not been counted out, so their scope lives.
        unsafe { Group::of(scope) }.leave(views);
    }
    // SAFETY: these tasks have been performed above, and are counted out only here.
    unsafe { count_out(scope, done) };
}

/// Runs a task, and then those tasks of the same scope that are in this worker's queue. Nobody awaits any of them, and
/// the caller is at the end of a run, so they have no name.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`. The task has been removed from its queue.
pub(super) unsafe fn run_queued(ladder: &Ladder, top: Rung, latent: Spawned) {
    let Spawned { scope, job } = latent;
    // SAFETY: the task has not been counted out, so its scope lives.
    let goal = unsafe { Group::of(scope) }.goal();
    // SAFETY: guaranteed by the caller.
    let own = unsafe { ladder.owner().spawned.owned() };
    let (mut first, mut done) = (Some(job), 0);
    let next = |job: &mut Option<Job>| match first.take() {
        Some(first) => *job = Some(first),
        None => own.get_of(goal, job),
    };
    let views = hypermap::run_task(|| {
        // SAFETY: the tasks have not been counted out, so their scope lives.
        let scope = unsafe { Group::of(scope) };
        // SAFETY: guaranteed by the caller, and the tasks have been removed from their queues.
        done = unsafe { perform_all(ladder, top, scope, next) };
    });
    if let Some(views) = views {
        // SAFETY: the tasks have not been counted out, so their scope lives.
        unsafe { Group::of(scope) }.leave(views);
    }
    // SAFETY: these tasks have been performed above, and are counted out only here.
    unsafe { count_out(scope, done) };
}

/// Runs tasks of `scope` until there is no `next` one, or drops them if the scope is cancelled. Returns how many there
/// were. Does not count them out.
///
/// # Safety
///
/// The caller occupies `ladder`, whose top is `top`. `next` has removed the tasks that it writes from their queues.
pub(super) unsafe fn perform_all(
    ladder: &Ladder,
    top: Rung,
    scope: &Group,
    mut next: impl FnMut(&mut Option<Job>),
) -> usize {
    // Jobs catch panics of user code. If anything else unwound, the owner of the scope would wait for ever.
    let abort = AbortOnUnwind::arm();
    let before = ladder.owner().set_tier(scope.tier().child());
    let (mut job, mut done) = (None, 0);
    loop {
        next(&mut job);
        let Some(job) = &job else { break };
        let is_cancelled = scope.is_cancelled();
        let fate = if is_cancelled { Fate::Drop } else { Fate::Run(top) };
        // SAFETY: guaranteed by the caller; the job is replaced next.
        let finish = || unsafe { job.finish(fate) };
        // SAFETY: guaranteed by the caller.
        let result = unsafe { work_at(ladder, top, finish) };
        if let Err(payload) = result {
            if is_cancelled {
                payload::lose(scope.team(), payload);
            } else {
                scope.note_panic(payload);
            }
        }
        done += 1;
    }
    ladder.owner().set_tier(before);
    abort.disarm();
    done
}

/// Counts out `tasks` tasks of `scope`. The scope may be gone afterwards.
///
/// # Safety
///
/// The tasks have been counted in, are over, and are counted out only once.
unsafe fn count_out(scope: NonNull<GroupHead>, tasks: usize) {
    // `scope` is a pointer because a reference argument would have to be valid until this function returns.
    // SAFETY: the scope lives until `complete` has counted out the last task.
    let core = unsafe { Group::of(scope) };
    let (team, owner, waiter) = (core.team, core.owner(), core.waiter().clone());
    if core.pending.complete(tasks) {
        // SAFETY: the calling thread works for the team, which therefore lives.
        waiter.wake(unsafe { &*team }, owner);
    }
}
