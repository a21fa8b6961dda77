//! Scopes: finish and async (Cong et al. 2008, sections 1.2 and 2.1). Tasks are spawned one by one, need not be nested
//! as joins are, and are awaited together.
//!
//! A task of an outer scope must not lie on the ladder above the frame of an inner join, because the return of that
//! join would pop it unseen. So a task lies in a *task pool* ([`task_pool`](super::task_pool)), together with its
//! scope: in the pool of the worker that spawned it, or in a pool of the team if a thread from elsewhere spawned it.
//!
//! Three kinds of workers run such a task ([`run_tasks`](super::run_tasks)). Threads of the team without work
//! run any task. The worker that waits at the end of the scope ([`finish`](Core::finish)) runs tasks of that
//! scope only. A worker that waits for something around the scope runs it as a part of that. There is no deadlock: at
//! the end of a scope a worker waits for tasks that have not begun, which it runs itself, and for tasks that others
//! run, which are strictly inside the scope. Nor does the stack grow beyond the nesting of the program.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `pending` | a spawner adds a task before it is in a pool; its runner counts it out, its last access | the owner |
//! | its announcement | the owner, before it sleeps; a spawner withdraws it and wakes the owner | the last runner |
//! | `is_active` | the first spawner | the owner, at the end |
//! | `stop` | any thread, once | a worker that is about to run a task |
//! | `panic` | the first thread that catches a panic, under the lock | the owner, at the end |
//! | `views` | a worker that ran tasks which moved, under the lock, before it counts them out | the owner, at the end |
//!
//! The scope lives on its owner's stack. Only the body and the tasks of the scope can name it, or what these await.
//! While the body runs the owner keeps the scope alive, and while a task runs its count in `pending` does. So a spawner
//! finds the scope alive. `models/scope.pml` checks this, with mutants; loom checks `sync/pending.rs`.

use super::task_pool::Group;
use crate::engine::frame::Rung;
use crate::engine::payload;
use crate::engine::stop::Stop;
use crate::engine::task::{Goal, Origin};
use crate::engine::team::{Ladder, Team};
use crate::engine::views::hypermap::Hypermap;
use crate::sync::pending::Pending;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use std::any::Any;
use std::ptr::NonNull;

/// The order in which a worker runs the tasks that it has spawned itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The latest first, like a recursion.
    Lifo,
    /// The earliest first.
    Fifo,
}

/// The part of a scope that the engine knows.
#[repr(C)]
pub(crate) struct Core {
    /// The first field, because a task pool knows a scope by a pointer to its group.
    group: Group,
    pub(super) team: *const Team,
    /// The index of the worker whose occupant waits at the end of the scope.
    pub(super) owner: usize,
    pub(crate) pending: Pending,
    /// Whether the scope counts as activity of the team.
    pub(crate) is_active: AtomicBool,
    stop: Stop,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// The views of reducers that tasks have left which ran on other workers or threads.
    pub(crate) views: Mutex<Option<Box<Hypermap>>>,
}

// SAFETY: every field that changes is atomic or behind a lock. The team is `Sync`, and outlives the scope because the
// owner occupies a ladder of it until the scope is finished.
unsafe impl Sync for Core {}

impl Core {
    /// Opens a scope. It must be [finished](Self::finish) and must not move until then.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung` until the scope is finished.
    pub(crate) unsafe fn open(rung: Rung, order: Order) -> Self {
        // SAFETY: every rung of this type belongs to a `Ladder`, which lives while it is occupied.
        let worker = unsafe { Ladder::of(rung) }.owner();
        Core {
            team: worker.team(),
            group: Group { parent: worker.tasks.innermost(), is_fifo: order == Order::Fifo },
            owner: worker.index,
            pending: Pending::new(),
            is_active: AtomicBool::new(false),
            stop: Stop::new(),
            panic: Mutex::new(None),
            views: Mutex::new(None),
        }
    }

    pub(crate) fn team(&self) -> &Team {
        // SAFETY: the owner occupies a ladder of this team until the scope is finished, by the contract of `open`.
        unsafe { &*self.team }
    }

    /// The goal of the scope's tasks, for which the owner waits.
    pub(crate) fn goal(&self) -> Goal {
        Goal::at(NonNull::from(self))
    }

    /// The pointer by which task pools know the scope.
    pub(crate) fn head(&self) -> NonNull<Group> {
        NonNull::from(self).cast()
    }

    /// The scope with this [head](Self::head).
    ///
    /// # Safety
    ///
    /// `head` is the head of a scope, and the scope lives for `'a`: one of its tasks has not been counted out.
    pub(crate) unsafe fn of<'a>(head: NonNull<Group>) -> &'a Core {
        // SAFETY: `head` comes from a pointer to a whole `Core`, whose first field is the group. The caller guarantees
        // that the scope lives.
        unsafe { head.cast::<Core>().as_ref() }
    }

    /// The origin of the scope's tasks.
    pub(crate) fn origin(&self) -> Origin {
        Origin { parent: self.group.parent, goal: self.goal() }
    }

    /// Wakes those that may run a task which has just been put into a pool.
    pub(crate) fn make_known(&self) {
        self.tell_sentinel();
        self.team().call_waiters(|goal| self.team().is_group_inside(&self.group, goal));
        self.call_owner();
    }

    /// Counts the scope as activity of its team, unless it already does. In that case, calls the sentinel if a thread
    /// sleeps until it is called.
    pub(crate) fn tell_sentinel(&self) {
        if !self.is_active.load(Ordering::Relaxed) && !self.is_active.swap(true, Ordering::Relaxed) {
            self.team().sleepers.begin_run();
        } else if self.team().sleepers.has_watchers() {
            self.team().sleepers.ensure_sentinel();
        }
    }

    /// Wakes the owner, if it sleeps, because a task has been put into a pool.
    fn call_owner(&self) {
        if self.pending.call() {
            self.team().worker(self.owner).parker.unpark();
        }
    }

    /// No task of the scope is begun from now on.
    pub(crate) fn cancel(&self) {
        self.stop.request();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.acquire()
    }

    /// Notes that the body or a task has panicked, which cancels the scope. The first payload is kept.
    pub(crate) fn note_panic(&self, payload: Box<dyn Any + Send>) {
        self.cancel();
        let mut panic = lock(&self.panic);
        if panic.is_none() {
            *panic = Some(payload);
        } else {
            drop(panic);
            payload::lose(self.team(), payload);
        }
    }

    /// Leaves the views of a task that has moved, before the task is counted out. They follow those that are already
    /// there. Their order cannot matter to a program, because the tasks of a scope have no order.
    pub(crate) fn leave(&self, views: Box<Hypermap>) {
        match &mut *lock(&self.views) {
            Some(earlier) => earlier.append(*views),
            none => *none = Some(views),
        }
    }

    /// The payload of the first panic, if there was one.
    pub(crate) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        lock(&self.panic).take()
    }
}
