//! A task pool: where spawned tasks wait.
//!
//! Tasks do not wait on the ladder. A task of an outer scope above the frame of an inner join would be popped unseen by
//! the return of that join. Each worker has a pool, and the team has one more for threads that are not its workers. A
//! pool keeps the tasks of each scope together, so a worker that waits at the end of a scope finds its tasks without
//! searching through those of other scopes.
//!
//! A task may be put into a pool for *later*. Before its time only the worker that waits at the end of its scope finds
//! it; that worker is there anyway. No thread is woken to run it. A sentinel that sleeps until it is called is woken
//! once, and then takes short sleeps until the task is due.
//!
//! One lock protects the pool, and no user code runs under it. The length and the earliest due time are written under
//! the lock, and read without it as hints.

use super::job::Job;
use crate::engine::task::{Goal, TaskId};
use crate::sync::{AtomicU64, AtomicUsize, Mutex, MutexGuard, Ordering, clock, lock};
use filch_policy::{End, MAX_MOVED, moved_of};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// A pool keeps memory for this many tasks of a scope for the next scope and gives back the rest.
const KEPT_TASKS: usize = 1024;

/// A pool keeps memory for this many scopes.
const KEPT_PARTS: usize = 8;

/// What a pool must know of a scope whose tasks it keeps: the head of a [`Core`](crate::engine::group::Core).
pub(crate) struct Group {
    /// The task that waits for all tasks of the scope; `None` if the thread that waits is not inside a task.
    pub(crate) parent: Option<TaskId>,
    /// Whether a worker runs the tasks that it has spawned itself in the order in which it spawned them.
    pub(crate) is_fifo: bool,
}

/// A task that has been removed from its pool. The worker that has removed it must finish it.
#[must_use]
pub(crate) struct Latent {
    /// The scope lives until the task is counted out.
    pub(crate) scope: NonNull<Group>,
    pub(crate) job: Job,
}

/// The tasks of one scope in one pool.
struct Part {
    scope: NonNull<Group>,
    is_fifo: bool,
    jobs: VecDeque<Job>,
}

// SAFETY: jobs are `Send`. The scope is `Sync`, and it lives while one of its jobs is here.
unsafe impl Send for Part {}

impl Part {
    fn is_of(&self, scope: Goal) -> bool {
        Goal::at(self.scope) == scope
    }
}

/// A task that is not due yet.
struct Later {
    scope: NonNull<Group>,
    job: Job,
    due_ns: u64,
}

// SAFETY: as for `Part`: the job is `Send`, and the scope is `Sync` and lives while the job is here.
unsafe impl Send for Later {}

/// The due time of a pool without tasks for later.
const NEVER: u64 = u64::MAX;

#[derive(Default)]
struct Parts {
    /// One entry per scope, in the order in which the scopes came. No part is empty.
    parts: Vec<Part>,
    later: Vec<Later>,
    /// Memory of parts that have been removed.
    spare: Vec<VecDeque<Job>>,
}

impl Parts {
    /// The tasks of `scope`. If there are none, adds an empty part, which the caller must fill.
    fn part_of(&mut self, scope: NonNull<Group>) -> &mut Part {
        let goal = Goal::at(scope);
        let place = self.parts.iter().rposition(|part| part.is_of(goal)).unwrap_or_else(|| {
            let jobs = self.spare.pop().unwrap_or_default();
            // SAFETY: a scope lives while one of its tasks is not counted out. The caller is about to add such a task.
            let is_fifo = unsafe { scope.as_ref() }.is_fifo;
            self.parts.push(Part { scope, is_fifo, jobs });
            self.parts.len() - 1
        });
        &mut self.parts[place]
    }
}

pub(crate) struct Pool {
    len: AtomicUsize,
    /// The time at which the first of the tasks for later is due.
    due_ns: AtomicU64,
    parts: Mutex<Parts>,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Pool { len: AtomicUsize::new(0), due_ns: AtomicU64::new(NEVER), parts: Mutex::new(Parts::default()) }
    }

    /// Whether the pool seems to be empty. Does not take the lock.
    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Ordering::Relaxed) == 0 && !self.is_due()
    }

    /// Whether a task for later is due. No thread is called for such a task.
    pub(crate) fn is_due(&self) -> bool {
        let due_ns = self.due_ns.load(Ordering::Relaxed);
        due_ns != NEVER && due_ns <= clock::now_ns()
    }

    /// Whether the pool has a task. Takes the lock.
    pub(crate) fn has_any(&self) -> bool {
        !self.look(None).parts.is_empty()
    }

    /// Locks the pool. Before that, moves those tasks for later that are due, or belong to `scope`, to the other tasks.
    fn look(&self, scope: Option<Goal>) -> MutexGuard<'_, Parts> {
        let mut parts = lock(&self.parts);
        if self.due_ns.load(Ordering::Relaxed) != NEVER {
            let now_ns = clock::now_ns();
            let is_here = |later: &mut Later| later.due_ns <= now_ns || scope == Some(Goal::at(later.scope));
            let here: Vec<Later> = parts.later.extract_if(.., is_here).collect();
            self.add_to_len(here.len());
            for Later { scope, job, .. } in here {
                parts.part_of(scope).jobs.push_back(job);
            }
            self.note_due(&parts);
        }
        parts
    }

    /// Must be called under the lock.
    fn note_due(&self, parts: &Parts) {
        let due_ns = parts.later.iter().map(|later| later.due_ns).min();
        self.due_ns.store(due_ns.unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// Adds a task of `scope` that is due at `due_ns`. The task has been counted in.
    ///
    /// # Safety
    ///
    /// `scope` is the [head](crate::engine::group::Core::head) of a scope, which lives until the task has been counted
    /// out.
    pub(crate) unsafe fn put_later(&self, scope: NonNull<Group>, job: Job, due_ns: u64) {
        let mut parts = lock(&self.parts);
        parts.later.push(Later { scope, job, due_ns });
        self.note_due(&parts);
    }

    /// Adds a task of `scope`, which has been counted in.
    ///
    /// # Safety
    ///
    /// `scope` is the [head](crate::engine::group::Core::head) of a scope, which lives until the task has been counted
    /// out.
    pub(crate) unsafe fn put(&self, scope: NonNull<Group>, job: Job) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.put_all(scope, [job]) };
    }

    /// Adds tasks of `scope` in this order.
    ///
    /// # Safety
    ///
    /// As for [`put`](Self::put).
    unsafe fn put_all(&self, scope: NonNull<Group>, jobs: impl IntoIterator<Item = Job>) {
        let mut parts = lock(&self.parts);
        let part = &mut parts.part_of(scope).jobs;
        let before = part.len();
        part.extend(jobs);
        let added = part.len() - before;
        self.add_to_len(added);
    }

    /// Removes a task of `scope`. Without `end`, removes the one that the worker of this pool should run next.
    pub(crate) fn get_of(&self, scope: Goal, end: Option<End>) -> Option<Latent> {
        self.get(Some(scope), end, |parts| parts.iter().rposition(|part| part.is_of(scope)))
    }

    /// Removes a task of a scope for which `is_inside` returns true. Without `end`, as [`get_of`](Self::get_of).
    pub(crate) fn get_inside(&self, is_inside: impl Fn(&Group) -> bool, end: Option<End>) -> Option<Latent> {
        // SAFETY: a scope lives while it has tasks, and these cannot leave the pool while the lock is held.
        self.get(None, end, |parts| parts.iter().rposition(|part| is_inside(unsafe { part.scope.as_ref() })))
    }

    /// Removes a task of any scope. With [`End::Oldest`], takes the scope that came first; otherwise the one that came
    /// last. Without `end`, takes the task of that scope that the worker of this pool should run next.
    pub(crate) fn get_any(&self, end: Option<End>) -> Option<Latent> {
        self.get(None, end, |parts| match end {
            None | Some(End::Newest) => parts.len().checked_sub(1),
            Some(End::Oldest) => Some(0),
        })
    }

    /// Whether the pool has a task of a scope for which `is_inside` returns true. Takes the lock.
    pub(crate) fn has_inside(&self, is_inside: impl Fn(&Group) -> bool) -> bool {
        // SAFETY: a scope lives while it has tasks, and these cannot leave the pool while the lock is held.
        self.look(None).parts.iter().any(|part| is_inside(unsafe { part.scope.as_ref() }))
    }

    /// Removes the oldest task of `scope`, or of any scope without it, and moves more tasks of the same scope to pool
    /// `to`. Also returns how many it has moved.
    pub(crate) fn get_batch(&self, scope: Option<Goal>, to: &Pool) -> Option<(Latent, usize)> {
        if self.is_empty_for(scope) {
            return None;
        }
        let mut more = [const { None }; MAX_MOVED - 1];
        let latent = {
            let mut parts = self.look(scope);
            let place = parts.parts.iter().position(|part| scope.is_none_or(|scope| part.is_of(scope)))?;
            let part = &mut parts.parts[place];
            let count = moved_of(part.jobs.len()) - 1;
            let scope = part.scope;
            let job = part.jobs.pop_front()?;
            for (moved, job) in more.iter_mut().zip(part.jobs.drain(..count)) {
                *moved = Some(job);
            }
            self.drop_if_empty(&mut parts, place);
            self.add_to_len((1 + count).wrapping_neg());
            Latent { scope, job }
        };
        let moved = more.iter().flatten().count();
        if moved > 0 {
            // SAFETY: they were here, so the scope lives until they have been counted out.
            unsafe { to.put_all(latent.scope, more.into_iter().flatten()) };
        }
        Some((latent, moved))
    }

    /// Whether the pool seems to have nothing for a worker that waits at the end of `scope`. Does not take the lock.
    fn is_empty_for(&self, scope: Option<Goal>) -> bool {
        self.is_empty() && (scope.is_none() || self.due_ns.load(Ordering::Relaxed) == NEVER)
    }

    /// Whether the pool has a task of `scope`. Takes the lock only if the pool does not seem to be empty.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        !self.is_empty_for(Some(scope)) && self.has_of(scope)
    }

    /// Whether the pool has a task of `scope`. Takes the lock.
    pub(crate) fn has_of(&self, scope: Goal) -> bool {
        self.look(Some(scope)).parts.iter().any(|part| part.is_of(scope))
    }

    fn get(
        &self,
        scope: Option<Goal>,
        end: Option<End>,
        place: impl FnOnce(&[Part]) -> Option<usize>,
    ) -> Option<Latent> {
        if self.is_empty_for(scope) {
            return None;
        }
        let mut parts = self.look(scope);
        let place = place(&parts.parts).filter(|&place| place < parts.parts.len())?;
        let part = &mut parts.parts[place];
        let job = match end.unwrap_or(End::of_own(part.is_fifo)) {
            End::Oldest => part.jobs.pop_front(),
            End::Newest => part.jobs.pop_back(),
        }?;
        let latent = Latent { scope: part.scope, job };
        self.drop_if_empty(&mut parts, place);
        self.add_to_len(usize::MAX);
        Some(latent)
    }

    fn drop_if_empty(&self, parts: &mut Parts, place: usize) {
        if parts.parts[place].jobs.is_empty() {
            let mut jobs = parts.parts.remove(place).jobs;
            if parts.spare.len() < KEPT_PARTS {
                jobs.shrink_to(KEPT_TASKS);
                parts.spare.push(jobs);
            }
        }
    }

    /// Must be called under the lock, so that a load and a store suffice.
    fn add_to_len(&self, n: usize) {
        self.len.store(self.len.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }
}
