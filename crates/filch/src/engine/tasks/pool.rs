//! A task pool: where spawned tasks wait (design, sections 4 and 9).
//!
//! Not on the ladder: a task of an outer scope above the frame of an inner join would be popped unseen by that join's
//! return. Every worker has a pool, and the team one more, for threads that are none of its workers. A pool keeps the
//! tasks of each scope together, so that who waits at a scope finds its tasks without a look at those of others.
//!
//! A task may be put there for *later*: before its time only who waits at its scope's end finds it, who is there
//! anyway. Nobody is woken to run it; a sentinel that sleeps for long is woken once, and then takes short sleeps until
//! the task is due.
//!
//! All of it under one lock, under which no user code runs; the length, and the earliest time, are written under the
//! lock and peeked at without.

use super::job::Job;
use crate::engine::task::{Goal, TaskId};
use crate::sync::{AtomicU64, AtomicUsize, Mutex, MutexGuard, Ordering, clock, lock};
use filch_policy::{End, MAX_MOVED, moved_of};
use std::collections::VecDeque;
use std::ptr::NonNull;

/// Memory for so many tasks is kept for the next scope; more is given back.
const KEPT_TASKS: usize = 1024;

/// For so many scopes at a time.
const KEPT_PARTS: usize = 8;

/// What a pool must know of those whose tasks it keeps: the head of a [`Core`](super::Core).
pub(crate) struct Group {
    /// The task that waits for all of its tasks; none if that is a part of no task.
    pub(crate) parent: Option<TaskId>,
    /// Whether a worker runs the tasks that it has spawned itself in the order in which it has spawned them.
    pub(crate) is_fifo: bool,
}

/// A task that its finder has removed from its pool, and must finish.
#[must_use]
pub(crate) struct Latent {
    /// Lives until the task is counted out.
    pub(crate) scope: NonNull<Group>,
    pub(crate) job: Job,
}

/// The tasks of one scope in one pool.
struct Part {
    scope: NonNull<Group>,
    is_fifo: bool,
    jobs: VecDeque<Job>,
}

// SAFETY: jobs are `Send`, and the scope, which lives while one of its jobs is here, is `Sync`.
unsafe impl Send for Part {}

impl Part {
    fn is_of(&self, scope: Goal) -> bool {
        Goal::at(self.scope) == scope
    }
}

/// A task whose time has not come.
struct Later {
    scope: NonNull<Group>,
    job: Job,
    due_ns: u64,
}

// SAFETY: as that of a part.
unsafe impl Send for Later {}

/// No time.
const NEVER: u64 = u64::MAX;

#[derive(Default)]
struct Parts {
    /// None is empty; in the order in which the scopes came.
    parts: Vec<Part>,
    later: Vec<Later>,
    /// Memory of parts that are gone.
    spare: Vec<VecDeque<Job>>,
}

impl Parts {
    /// The tasks of `scope`; without any, an empty part that is to be filled.
    fn part_of(&mut self, scope: NonNull<Group>) -> &mut Part {
        let goal = Goal::at(scope);
        let place = self.parts.iter().rposition(|part| part.is_of(goal)).unwrap_or_else(|| {
            let jobs = self.spare.pop().unwrap_or_default();
            // SAFETY: a scope lives while it has tasks, and this one has one that is not begun.
            let is_fifo = unsafe { scope.as_ref() }.is_fifo;
            self.parts.push(Part { scope, is_fifo, jobs });
            self.parts.len() - 1
        });
        &mut self.parts[place]
    }
}

pub(crate) struct Pool {
    len: AtomicUsize,
    /// When the first of those for later is due.
    due_ns: AtomicU64,
    parts: Mutex<Parts>,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Pool { len: AtomicUsize::new(0), due_ns: AtomicU64::new(NEVER), parts: Mutex::new(Parts::default()) }
    }

    /// Whether there is nothing in it, at a glance.
    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Ordering::Relaxed) == 0 && !self.is_due()
    }

    /// Whether the time has come of a task that nobody is called for.
    pub(crate) fn is_due(&self) -> bool {
        let due_ns = self.due_ns.load(Ordering::Relaxed);
        due_ns != NEVER && due_ns <= clock::now_ns()
    }

    /// Whether there is something in it: a look under the lock.
    pub(crate) fn has_any(&self) -> bool {
        !self.look(None).parts.is_empty()
    }

    /// All that is there, with those for later whose time has come, or which are of `scope`, among the rest.
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

    /// Under the lock.
    fn note_due(&self, parts: &Parts) {
        let due_ns = parts.later.iter().map(|later| later.due_ns).min();
        self.due_ns.store(due_ns.unwrap_or(NEVER), Ordering::Relaxed);
    }

    /// Adds a task of `scope`, which has been counted in, for that time.
    pub(crate) fn put_later(&self, scope: NonNull<Group>, job: Job, due_ns: u64) {
        let mut parts = lock(&self.parts);
        parts.later.push(Later { scope, job, due_ns });
        self.note_due(&parts);
    }

    /// Adds a task of `scope`, which has been counted in.
    pub(crate) fn put(&self, scope: NonNull<Group>, job: Job) {
        self.put_all(scope, [job]);
    }

    /// Adds tasks of `scope`, in this order.
    fn put_all(&self, scope: NonNull<Group>, jobs: impl IntoIterator<Item = Job>) {
        let mut parts = lock(&self.parts);
        let part = &mut parts.part_of(scope).jobs;
        let before = part.len();
        part.extend(jobs);
        let added = part.len() - before;
        self.add_to_len(added);
    }

    /// Removes a task of `scope`; without `end`, the one that its own worker should run next.
    pub(crate) fn get_of(&self, scope: Goal, end: Option<End>) -> Option<Latent> {
        self.get(Some(scope), end, |parts| parts.iter().rposition(|part| part.is_of(scope)))
    }

    /// Removes a task of some scope that `is_inside` says yes to: without `end` as [`get_of`](Self::get_of).
    pub(crate) fn get_inside(&self, is_inside: impl Fn(&Group) -> bool, end: Option<End>) -> Option<Latent> {
        // SAFETY: a scope lives while it has tasks, and these cannot leave while the lock is held.
        self.get(None, end, |parts| parts.iter().rposition(|part| is_inside(unsafe { part.scope.as_ref() })))
    }

    /// Removes a task of any scope: of the latest to come for its own worker, without `end`; else of the oldest.
    pub(crate) fn get_any(&self, end: Option<End>) -> Option<Latent> {
        self.get(None, end, |parts| match end {
            None | Some(End::Newest) => parts.len().checked_sub(1),
            Some(End::Oldest) => Some(0),
        })
    }

    /// Whether a task of some scope that `is_inside` says yes to is here: a look under the lock.
    pub(crate) fn has_inside(&self, is_inside: impl Fn(&Group) -> bool) -> bool {
        // SAFETY: as in `get_inside`.
        self.look(None).parts.iter().any(|part| is_inside(unsafe { part.scope.as_ref() }))
    }

    /// Removes the oldest task of `scope`, or of any without one, and moves more of the same scope to pool `to`. How
    /// many have moved there.
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
            to.put_all(latent.scope, more.into_iter().flatten());
        }
        Some((latent, moved))
    }

    /// Whether there is nothing in it, at a glance, for who waits at the end of `scope`.
    fn is_empty_for(&self, scope: Option<Goal>) -> bool {
        self.is_empty() && (scope.is_none() || self.due_ns.load(Ordering::Relaxed) == NEVER)
    }

    /// Whether a task of `scope` is here, at a glance if nothing is.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        !self.is_empty_for(Some(scope)) && self.has_of(scope)
    }

    /// Whether a task of `scope` is here: a look under the lock.
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

    /// Under the lock, so that a load and a store will do.
    fn add_to_len(&self, n: usize) {
        self.len.store(self.len.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }
}
