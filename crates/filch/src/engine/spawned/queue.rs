//! A spawn queue: where spawned tasks wait.
//!
//! Tasks do not wait on the ladder. A task of an outer scope above the frame of an inner join would be popped unseen by
//! the return of that join. Each worker has a queue, and the team has one more for threads that are not its workers. A
//! queue keeps the tasks of each scope together, so a worker that waits at the end of a scope finds its tasks without
//! searching through those of other scopes.
//!
//! A task may be put into a queue for *later*. Before its time only the worker that waits at the end of its scope finds
//! it; that worker is there anyway. No thread is woken to run it. A sentinel that sleeps until it is called is woken
//! once, and then takes short sleeps until the task is due.
//!
//! One lock protects the queue, and no user code runs under it. It is [biased](BiasedLock) towards the occupant of the
//! queue's worker. While nobody else looks into the queue, the occupant puts tasks there and removes them without a
//! locked instruction. The length and the earliest due time are written under the lock, and read without it as hints.

use super::job::Job;
use super::sections::{GroupHead, NEVER, Sections, Spawned};
use crate::engine::frame::task::Goal;
use crate::protocol::biased_lock::BiasedLock;
use crate::sync::{AtomicU64, AtomicUsize, Ordering, clock};
use filch_policy::End;

pub(crate) struct SpawnQueue {
    len: AtomicUsize,
    /// The time at which the first of the tasks for later is due.
    due_ns: AtomicU64,
    sections: BiasedLock<Sections>,
}

/// A spawn queue for the occupant of the worker that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct OwnQueue<'a>(&'a SpawnQueue);

impl SpawnQueue {
    pub(crate) fn new() -> Self {
        SpawnQueue {
            len: AtomicUsize::new(0),
            due_ns: AtomicU64::new(NEVER),
            sections: BiasedLock::new(Sections::new()),
        }
    }

    /// This queue for the occupant of its worker.
    ///
    /// # Safety
    ///
    /// The calling thread uses the result while it occupies the worker that this queue belongs to.
    pub(crate) unsafe fn owned(&self) -> OwnQueue<'_> {
        OwnQueue(self)
    }

    /// Whether the queue seems to be empty. Does not take the lock.
    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Ordering::Relaxed) == 0 && !self.is_due()
    }

    /// Whether a task for later is due. No thread is called for such a task.
    pub(crate) fn is_due(&self) -> bool {
        let due_ns = self.due_ns.load(Ordering::Relaxed);
        due_ns != NEVER && due_ns <= clock::now_ns()
    }

    /// Whether the queue seems to have nothing for a worker that waits at the end of `scope`. Does not take the lock.
    fn is_empty_for(&self, scope: Option<Goal>) -> bool {
        self.is_empty() && (scope.is_none() || self.due_ns.load(Ordering::Relaxed) == NEVER)
    }

    /// Shows what has become of the queue. Called under the lock.
    #[inline]
    fn show(&self, sections: &Sections) {
        self.len.store(sections.len(), Ordering::Relaxed);
        self.due_ns.store(sections.due_ns(), Ordering::Relaxed);
    }

    /// Calls `f` with the tasks, among them those for later that are due, or belong to `scope`. `None` if the worker of
    /// the queue cannot be kept out: then other workers get nothing from it.
    fn look<R>(&self, scope: Option<Goal>, f: impl FnOnce(&mut Sections) -> R) -> Option<R> {
        self.sections.visit(|sections| {
            if sections.due_ns() != NEVER {
                sections.call_due(clock::now_ns(), scope);
            }
            let result = f(sections);
            self.show(sections);
            result
        })
    }

    /// Whether the queue has a task. Takes the lock.
    pub(crate) fn has_any(&self) -> bool {
        self.look(None, |sections| sections.len() > 0).unwrap_or(false)
    }

    /// Whether the queue has a task of a scope for which `is_inside` returns true. Takes the lock.
    pub(crate) fn has_inside(&self, is_inside: impl Fn(&GroupHead) -> bool) -> bool {
        self.look(None, |sections| sections.place_inside(is_inside).is_some()).unwrap_or(false)
    }

    /// Whether the queue has a task of `scope`. Takes the lock.
    pub(crate) fn has_of(&self, scope: Goal) -> bool {
        self.look(Some(scope), |sections| sections.place_of(scope).is_some()).unwrap_or(false)
    }

    /// Whether the queue has a task of `scope`. Takes the lock only if the queue does not seem to be empty.
    pub(crate) fn shows_of(&self, scope: Goal) -> bool {
        !self.is_empty_for(Some(scope)) && self.has_of(scope)
    }

    /// Adds a task. No thread [owns](Self::owned) this queue.
    pub(crate) fn put(&self, task: Spawned) {
        self.look(None, |sections| sections.put(task)).expect("nobody has to be kept out");
    }

    /// As [`put`](Self::put), for a task that is due at `due_ns`.
    pub(crate) fn put_later(&self, task: Spawned, due_ns: u64) {
        self.look(None, |sections| sections.put_later(task, due_ns)).expect("nobody has to be kept out");
    }

    /// Removes a task of `scope`.
    pub(crate) fn get_of(&self, scope: Goal, end: End) -> Option<Spawned> {
        self.get(Some(scope), end, |sections| sections.place_of(scope))
    }

    /// Removes the oldest task of a scope for which `is_inside` returns true.
    pub(crate) fn get_inside(&self, is_inside: impl Fn(&GroupHead) -> bool) -> Option<Spawned> {
        self.get(None, End::Oldest, |sections| sections.place_inside(is_inside))
    }

    /// Removes a task of any scope: the oldest one of the scope that came first, or the newest one of that which came
    /// last.
    pub(crate) fn get_any(&self, end: End) -> Option<Spawned> {
        self.get(None, end, |sections| match end {
            End::Oldest => sections.first_place(),
            End::Newest => sections.last_place(),
        })
    }

    fn get(&self, scope: Option<Goal>, end: End, place: impl FnOnce(&Sections) -> Option<usize>) -> Option<Spawned> {
        if self.is_empty_for(scope) {
            return None;
        }
        self.look(scope, |sections| sections.remove(place(sections)?, Some(end)))?
    }

    /// Removes the oldest task of `scope`, or of the scope that came first without it, and moves more tasks of the same
    /// scope to queue `to`. Also returns how many it has moved.
    pub(crate) fn get_batch(&self, scope: Option<Goal>, to: OwnQueue<'_>) -> Option<(Spawned, usize)> {
        if self.is_empty_for(scope) {
            return None;
        }
        let batch = self.look(scope, |sections| {
            let place = scope.map_or_else(|| sections.first_place(), |scope| sections.place_of(scope))?;
            sections.remove_batch(place)
        })??;
        Some(if batch.has_more() { to.enter(|sections| sections.put_rest(batch)) } else { (batch.first, 0) })
    }
}

/// What only the occupant of the queue's worker does. It runs its tasks in the order of their scope.
impl OwnQueue<'_> {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce(&mut Sections) -> R) -> R {
        let Self(queue) = self;
        let f = |sections: &mut Sections| {
            let result = f(sections);
            queue.len.store(sections.len(), Ordering::Relaxed);
            result
        };
        // SAFETY: this thread occupies the worker, and those who have done so before it have left it.
        unsafe { queue.sections.enter(f) }
    }

    /// The occupant leaves the worker, or has nothing to do there. Others need not wait for it.
    pub(crate) fn share(self) {
        // SAFETY: this thread occupies the worker, and is in none of the functions here.
        unsafe { self.0.sections.share() };
    }

    pub(crate) fn put(self, task: Spawned) {
        self.enter(|sections| sections.put(task));
    }

    /// Nobody puts tasks for later into the queue of a worker.
    fn is_empty(self) -> bool {
        self.0.len.load(Ordering::Relaxed) == 0
    }

    /// Removes the next task of `scope`, and writes it to `job`; `None` if there is none. A job that is returned would
    /// be copied several times.
    pub(crate) fn get_of(self, scope: Goal, job: &mut Option<Job>) {
        if self.is_empty() {
            *job = None;
        } else {
            self.enter(|sections| sections.remove_of(scope, job));
        }
    }

    /// Removes the next task of a scope for which `is_inside` returns true.
    pub(crate) fn get_inside(self, is_inside: impl Fn(&GroupHead) -> bool) -> Option<Spawned> {
        self.get(|sections| sections.place_inside(is_inside))
    }

    /// Removes the next task of the scope that came last.
    pub(crate) fn get_any(self) -> Option<Spawned> {
        self.get(Sections::last_place)
    }

    /// Notes that one more task is over, and removes tasks that are: that one, or now and then all of them.
    pub(crate) fn get_over(self) -> impl Iterator<Item = Spawned> {
        let (newest, all) = if self.is_empty() { (None, Vec::new()) } else { self.enter(Sections::remove_over) };
        newest.into_iter().chain(all)
    }

    fn get(self, place: impl FnOnce(&Sections) -> Option<usize>) -> Option<Spawned> {
        if self.is_empty() {
            return None;
        }
        self.enter(|sections| sections.remove(place(sections)?, None))
    }
}
