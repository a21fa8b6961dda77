//! Running tasks of scopes, and counting them out.

use crate::engine::cancel::Ended;
use crate::engine::meters::activity::Activity;
use crate::engine::scopes::group::Group;
use crate::engine::seats::ambient;
use crate::engine::share::execute::{begin_part, end_part, work_at};
use crate::engine::spawned::{Fate, GroupHead, Job, Spawned};
use crate::engine::team::{Team, Top, payload};
use crate::engine::views::hypermap::{self, Hypermap};
use crate::sync::abort::AbortOnUnwind;
use std::ptr::NonNull;

/// Runs a task, and then those tasks of the same scope that are in this worker's queue, until `is_called`. `going_busy`
/// is called before the first one. All of these count as one task for waiters that look for parts of the scope.
/// The worker has room for a task, and its ask word is closed.
pub(crate) fn run_tasks(top: &Top<'_>, latent: Spawned, going_busy: &dyn Fn(), is_called: &dyn Fn() -> bool) {
    let me = top.owner();
    let (tasks, job) = Removed::from(latent);
    let origin = tasks.group().origin();
    // This must come first. Until the task is live, or in a queue, workers that look for parts of the scope do not find
    // it.
    begin_part(me, top, origin, tasks.group().around());
    let own = top.spawned();
    going_busy();
    me.open();
    let mut first = Some(job);
    let next = |job: &mut Option<Job>| match first.take() {
        Some(first) => *job = Some(first),
        None if is_called() => *job = None,
        None => own.get_of(origin.goal, job),
    };
    let doing = me.activity.begin(Activity::Task);
    let (done, views) = hypermap::run_task(|| perform_all(top, tasks.group(), next));
    drop(doing);
    me.close();
    end_part(**top);
    tasks.count_out(top.owner().team(), done, views);
}

/// Runs a task, and then those tasks of the same scope that are in this worker's queue. Nobody awaits any of them, and
/// the caller is at the end of a run, so they have no name.
pub(crate) fn run_queued(top: &Top<'_>, latent: Spawned) {
    let (tasks, job) = Removed::from(latent);
    let goal = tasks.group().goal();
    let own = top.spawned();
    let mut first = Some(job);
    let next = |job: &mut Option<Job>| match first.take() {
        Some(first) => *job = Some(first),
        None => own.get_of(goal, job),
    };
    let doing = top.owner().activity.begin(Activity::Task);
    let (done, views) = hypermap::run_task(|| perform_all(top, tasks.group(), next));
    drop(doing);
    tasks.count_out(top.owner().team(), done, views);
}

/// A task that has lain in a queue is over: removes such tasks from this worker's queue, now and then, and counts them
/// out.
pub(crate) fn clear_over(top: &Top<'_>) {
    if top.owner().team().is_left_behind() {
        // What waits there belongs to the parent of this process.
        return;
    }
    for latent in top.spawned().get_over() {
        let (tasks, job) = Removed::from(latent);
        // It has nothing left to run or to drop.
        _ = Job::finish(&mut Some(job), Fate::Drop);
        tasks.count_out(top.owner().team(), 1, None);
    }
}

/// Runs tasks of `scope` until there is no `next` one, or drops them if the scope is cancelled, or a region around it.
/// Returns how many there were. Does not count them out.
pub(crate) fn perform_all(top: &Top<'_>, scope: &Group, mut next: impl FnMut(&mut Option<Job>)) -> usize {
    // Jobs catch panics of user code. If anything else unwound, the owner of the scope would wait for ever.
    let abort = AbortOnUnwind::arm();
    let before = top.owner().set_tier(scope.tier().child());
    let (mut job, mut done) = (None, 0);
    loop {
        next(&mut job);
        if job.is_none() {
            break;
        }
        if scope.around().is_cancelled() && ambient::unwinds() && !scope.is_cancelled() {
            // At the end of the scope its owner unwinds.
            scope.note_panic(Box::new(Ended));
        }
        let is_cancelled = scope.is_cancelled();
        let result = work_at(top, |top| {
            let fate = if is_cancelled { Fate::Drop } else { Fate::Run(top) };
            Job::finish(&mut job, fate)
        });
        if let Err(payload) = result {
            if is_cancelled {
                payload::lose(scope.team(), payload);
            } else {
                scope.note_panic(payload);
            }
        }
        done += 1;
    }
    top.owner().set_tier(before);
    abort.disarm();
    done
}

/// Tasks of one scope that have been removed from their queues and not been counted out, so that the scope lives.
struct Removed(NonNull<GroupHead>);

impl Removed {
    fn from(latent: Spawned) -> (Self, Job) {
        (Removed(latent.scope()), latent.into_job())
    }

    fn group(&self) -> &Group {
        // SAFETY: the scope lives until its tasks have been counted out.
        unsafe { Group::of(self.0) }
    }

    /// Counts out the tasks of a scope of `team`, which are over. The scope may be gone afterwards.
    fn count_out(self, team: &Team, tasks: usize, views: Option<Box<Hypermap>>) {
        if let Some(views) = views {
            self.group().leave(views);
        }
        let (owner, waiter) = (self.group().owner(), self.group().waiter().clone());
        if self.group().pending.complete(tasks) {
            waiter.wake(team, owner);
        }
    }
}
