//! The tasks of a spawn queue, by scope. This knows nothing of other threads.

use super::job::Job;
use crate::engine::frame::task::{Goal, TaskId};
use filch_policy::{End, MAX_MOVED, Tier, moved_of};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// A queue keeps memory for this many tasks of a scope for the next scope and gives back the rest.
const KEPT_TASKS: usize = 1024;

/// A queue keeps memory for this many scopes.
const KEPT_SECTIONS: usize = 8;

/// A queue may keep this many tasks that are over, however few others it has.
const LEFT_OVER: usize = 8;

/// The due time of a queue without tasks for later.
pub(super) const NEVER: u64 = u64::MAX;

/// What a queue must know of a scope whose tasks it keeps: the head of a
/// [`Group`](crate::engine::scopes::group::Group).
pub(crate) struct GroupHead {
    /// The task that waits for all tasks of the scope; `None` if the thread that waits is not inside a task.
    pub(crate) parent: Option<TaskId>,
    /// Whether a worker runs the tasks that it has spawned itself in the order in which it spawned them.
    pub(crate) is_fifo: bool,
    /// The tier of the task that has opened the scope.
    pub(crate) tier: Tier,
    /// The index of the worker whose occupant waits at the end of the scope.
    pub(crate) owner: usize,
}

/// A task that has been counted in, so that its scope lives. Whoever removes it from a queue must finish it.
#[must_use]
pub(crate) struct Spawned {
    scope: NonNull<GroupHead>,
    job: Job,
}

// SAFETY: jobs are `Send`. The scope is `Sync`, and it lives while one of its tasks is here.
unsafe impl Send for Spawned {}

impl Spawned {
    /// # Safety
    ///
    /// `scope` is the [head](crate::engine::scopes::group::Group::head) of a scope. The task has been counted in there,
    /// and the scope lives until the task has been counted out.
    #[inline(always)]
    pub(crate) unsafe fn new(scope: NonNull<GroupHead>, job: Job) -> Self {
        Spawned { scope, job }
    }

    pub(crate) fn scope(&self) -> NonNull<GroupHead> {
        self.scope
    }

    pub(crate) fn into_job(self) -> Job {
        self.job
    }
}

/// Tasks of one scope that have been removed together, the oldest first.
pub(super) struct Batch {
    pub(super) first: Spawned,
    more: [Option<Job>; MAX_MOVED - 1],
}

impl Batch {
    pub(super) fn has_more(&self) -> bool {
        self.more[0].is_some()
    }
}

/// The tasks of one scope.
struct Section {
    scope: NonNull<GroupHead>,
    is_fifo: bool,
    jobs: VecDeque<Job>,
}

// SAFETY: as for `Spawned`, if it has tasks. Otherwise nothing looks at the scope.
unsafe impl Send for Section {}

impl Section {
    fn has_tasks(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// The scope may be gone if the section is empty.
    fn is_of(&self, scope: Goal) -> bool {
        self.has_tasks() && Goal::at(self.scope) == scope
    }
}

/// A task that is not due yet.
struct Later {
    task: Spawned,
    due_ns: u64,
}

pub(super) struct Sections {
    /// One entry per scope, in the order in which the scopes came. No section is empty but perhaps the last, which the
    /// next scope uses: most scopes begin when the one before them in this queue has no task left there.
    sections: Vec<Section>,
    /// How many tasks there are, without those for later.
    len: usize,
    /// How many tasks are over and may still be here.
    over: usize,
    later: Vec<Later>,
    /// When the first of the tasks for later is due.
    due_ns: u64,
    /// Memory of sections that have been removed.
    spare: Vec<VecDeque<Job>>,
}

impl Sections {
    pub(super) fn new() -> Self {
        Sections { sections: Vec::new(), len: 0, over: 0, later: Vec::new(), due_ns: NEVER, spare: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn due_ns(&self) -> u64 {
        self.due_ns
    }

    /// Adds a task that is not of the scope that came last.
    #[cold]
    fn put_elsewhere(&mut self, Spawned { scope, job }: Spawned) {
        let goal = Goal::at(scope);
        let place = self.sections.iter().rposition(|section| section.is_of(goal)).unwrap_or_else(|| {
            // SAFETY: the scope lives, because it has this task.
            let is_fifo = unsafe { scope.as_ref() }.is_fifo;
            match self.sections.last_mut().filter(|last| !last.has_tasks()) {
                Some(last) => (last.scope, last.is_fifo) = (scope, is_fifo),
                None => {
                    let jobs = self.spare.pop().unwrap_or_default();
                    self.sections.push(Section { scope, is_fifo, jobs });
                }
            }
            self.sections.len() - 1
        });
        self.sections[place].jobs.push_back(job);
    }

    #[inline]
    pub(super) fn put(&mut self, task: Spawned) {
        self.len += 1;
        if let Some(last) = self.sections.last_mut().filter(|last| last.is_of(Goal::at(task.scope))) {
            last.jobs.push_back(task.job);
        } else {
            self.put_elsewhere(task);
        }
    }

    /// Adds the others of a batch, in their order. Returns the first, and how many the others are.
    pub(super) fn put_rest(&mut self, Batch { first, more }: Batch) -> (Spawned, usize) {
        let (scope, len) = (first.scope, self.len);
        more.into_iter().flatten().for_each(|job| self.put(Spawned { scope, job }));
        (first, self.len - len)
    }

    /// Adds a task that is due at `due_ns`.
    pub(super) fn put_later(&mut self, task: Spawned, due_ns: u64) {
        self.later.push(Later { task, due_ns });
        self.due_ns = self.due_ns.min(due_ns);
    }

    /// Moves those tasks for later to the others that are due, or belong to `scope`.
    pub(super) fn call_due(&mut self, now_ns: u64, scope: Option<Goal>) {
        let is_here = |later: &mut Later| later.due_ns <= now_ns || scope == Some(Goal::at(later.task.scope));
        let here: Vec<Later> = self.later.extract_if(.., is_here).collect();
        here.into_iter().for_each(|later| self.put(later.task));
        self.due_ns = self.later.iter().map(|later| later.due_ns).min().unwrap_or(NEVER);
    }

    /// The place of the tasks of `scope`, if there are any.
    pub(super) fn place_of(&self, scope: Goal) -> Option<usize> {
        self.sections.iter().rposition(|section| section.is_of(scope))
    }

    /// The place of tasks of a scope for which `is_inside` returns true.
    pub(super) fn place_inside(&self, is_inside: impl Fn(&GroupHead) -> bool) -> Option<usize> {
        // SAFETY: a scope lives while it has tasks, and these are here.
        self.sections.iter().rposition(|section| section.has_tasks() && is_inside(unsafe { section.scope.as_ref() }))
    }

    /// The place of the scope that came last.
    pub(super) fn last_place(&self) -> Option<usize> {
        self.sections.iter().rposition(Section::has_tasks)
    }

    /// The place of the scope that came first.
    pub(super) fn first_place(&self) -> Option<usize> {
        self.sections.iter().position(Section::has_tasks)
    }

    /// One more task is over, here or elsewhere. Removes it if it is the newest of the scope that came last. Otherwise
    /// it is counted, and once half of the tasks may be over, all that are over are removed. So for each task that is
    /// over, a few are looked at.
    pub(super) fn remove_over(&mut self) -> (Option<Spawned>, Vec<Spawned>) {
        let Some(place) = self.last_place() else { return (None, Vec::new()) };
        if self.sections[place].jobs.back().is_some_and(Job::is_over) {
            return (self.remove(place, Some(End::Newest)), Vec::new());
        }
        self.over += 1;
        if 2 * self.over <= self.len + LEFT_OVER {
            return (None, Vec::new());
        }
        self.over = 0;
        let mut removed = Vec::new();
        for place in (0..self.sections.len()).rev() {
            let Section { scope, jobs, .. } = &mut self.sections[place];
            for _ in 0..jobs.len() {
                match jobs.pop_front() {
                    Some(job) if job.is_over() => removed.push(Spawned { scope: *scope, job }),
                    job => jobs.extend(job),
                }
            }
            if jobs.is_empty() {
                self.drop_empty(place);
            }
        }
        self.len -= removed.len();
        (None, removed)
    }

    /// Removes a task at `place`, where there is one. Without `end`, the one that the worker of the queue should run
    /// next.
    pub(super) fn remove(&mut self, place: usize, end: Option<End>) -> Option<Spawned> {
        let section = &mut self.sections[place];
        let job = match end.unwrap_or(End::of_own(section.is_fifo)) {
            End::Oldest => section.jobs.pop_front(),
            End::Newest => section.jobs.pop_back(),
        }?;
        let spawned = Spawned { scope: section.scope, job };
        self.len -= 1;
        if section.jobs.is_empty() {
            self.drop_empty(place);
        }
        Some(spawned)
    }

    /// Removes the task of `scope` that the worker of the queue should run next, and writes it to `job`. Writes `None`
    /// if there is none.
    #[inline]
    pub(super) fn remove_of(&mut self, scope: Goal, job: &mut Option<Job>) {
        let last = self.sections.last_mut();
        // Most tasks are of the scope that came last, and not its last one.
        if let Some(last) = last.filter(|last| last.is_of(scope) && last.jobs.len() > 1 && !last.is_fifo) {
            *job = last.jobs.pop_back();
            self.len -= 1;
        } else {
            *job = self.place_of(scope).and_then(|place| self.remove(place, None)).map(|spawned| spawned.job);
        }
    }

    /// Removes the oldest tasks at `place`, where there is one.
    pub(super) fn remove_batch(&mut self, place: usize) -> Option<Batch> {
        let section = &mut self.sections[place];
        let count = moved_of(section.jobs.len()) - 1;
        let first = Spawned { scope: section.scope, job: section.jobs.pop_front()? };
        let mut more = [const { None }; MAX_MOVED - 1];
        for (moved, job) in more.iter_mut().zip(section.jobs.drain(..count)) {
            *moved = Some(job);
        }
        self.len -= 1 + count;
        if section.jobs.is_empty() {
            self.drop_empty(place);
        }
        Some(Batch { first, more })
    }

    /// Keeps some of the memory of the section at `place`, which is empty.
    fn drop_empty(&mut self, place: usize) {
        let jobs = &mut self.sections[place].jobs;
        if jobs.capacity() > KEPT_TASKS {
            jobs.shrink_to(KEPT_TASKS);
        }
        if place + 1 < self.sections.len() {
            let jobs = self.sections.remove(place).jobs;
            if self.spare.len() < KEPT_SECTIONS {
                self.spare.push(jobs);
            }
        }
    }
}
