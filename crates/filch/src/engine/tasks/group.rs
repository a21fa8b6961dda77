//! Scopes: tasks that are not nested as joins are (finish/async: xws.txt, sections 1.2 and 2.1).
//!
//! A task that is spawned into an outer scope must not sit on the ladder above the frame of an inner join, whose return
//! would pop it unseen. So it lies in a *task pool* ([`pool`]), tagged with its scope: the pool of the worker that
//! spawned it, or the team's, if that was a thread from elsewhere.
//!
//! Who runs it ([`run`]): threads of the team without work, any task; and the worker that waits at the scope's end
//! ([`finish`]), tasks of that scope only. So there is no deadlock: a wait at a scope's end goes to tasks that nobody
//! has begun, which the waiter runs, and to tasks that others run, which are strictly inside it. Nor does the stack
//! grow beyond the program's nesting.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `pending` | who spawns adds, before the task is in a pool; who ran a task counts it out, touching the scope no more | the owner |
//! | its announcement | the owner sets it before it sleeps; who spawns withdraws it, and wakes the owner | who counts out the last task |
//! | `is_active` | the first who spawns | the owner, at the end |
//! | `stop` | anybody, once | who is about to run a task |
//! | `panic` | the first whose task panicked, under the lock | the owner, at the end |
//! | `views` | who has run tasks that have moved, under the lock, before it counts them out | the owner, at the end |
//!
//! The scope lives on its owner's stack. While the body or one of its tasks runs, `pending` or the owner itself keeps
//! it there, and nobody else can name it; so whoever spawns finds it alive. Checked by `models/scope.pml` with its
//! mutants, and `sync/pending.rs` by loom.

use super::pool::Group;
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

/// In which order a worker runs the tasks that it has spawned itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The latest first, as a recursion would.
    Lifo,
    /// The earliest first.
    Fifo,
}

/// A scope, as the runtime knows it.
#[repr(C)]
pub(crate) struct Core {
    /// The first field: a pool knows no more.
    group: Group,
    pub(super) team: *const Team,
    /// The worker whose occupant waits at its end.
    pub(super) owner: usize,
    pub(crate) pending: Pending,
    /// Whether it counts as activity of the team.
    pub(crate) is_active: AtomicBool,
    stop: Stop,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// Of reducers, from tasks that have moved.
    pub(crate) views: Mutex<Option<Box<Hypermap>>>,
}

// SAFETY: all that changes is atomic or behind a lock; the team is `Sync`, and outlives the scope.
unsafe impl Sync for Core {}

impl Core {
    /// Opens a scope. It must be [finished](Self::finish), and stay where it is until then.
    ///
    /// # Safety
    ///
    /// The caller occupies the ladder of `rung`, until the scope has been finished.
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
        // SAFETY: its owner occupies a ladder of this team until the scope is finished.
        unsafe { &*self.team }
    }

    /// By which its tasks know it, and its owner waits for them.
    pub(crate) fn goal(&self) -> Goal {
        Goal::at(NonNull::from(self))
    }

    /// By which pools know it.
    pub(crate) fn head(&self) -> NonNull<Group> {
        NonNull::from(self).cast()
    }

    /// The scope that a pool knows by `head`.
    ///
    /// # Safety
    ///
    /// That is one's [head](Self::head), and the scope lives for `'a`: one of its tasks has not been counted out.
    pub(crate) unsafe fn of<'a>(head: NonNull<Group>) -> &'a Core {
        // SAFETY: the head of a scope is its first field, and comes from a pointer to all of it.
        unsafe { head.cast::<Core>().as_ref() }
    }

    /// Of a task of this scope.
    pub(crate) fn origin(&self) -> Origin {
        Origin { parent: self.group.parent, goal: self.goal() }
    }

    /// There is a task in a pool: somebody shall look.
    pub(crate) fn make_known(&self) {
        self.tell_sentinel();
        self.team().call_waiters(|goal| self.team().is_group_inside(&self.group, goal));
        self.call_owner();
    }

    /// Counts the scope as activity of its team, if it is not yet; else calls the sentinel, if somebody sleeps for
    /// long.
    pub(crate) fn tell_sentinel(&self) {
        if !self.is_active.load(Ordering::Relaxed) && !self.is_active.swap(true, Ordering::Relaxed) {
            self.team().sleepers.begin_run();
        } else if self.team().sleepers.has_watchers() {
            self.team().sleepers.ensure_sentinel();
        }
    }

    /// A task has been put into a pool: the owner shall look, if it sleeps.
    fn call_owner(&self) {
        if self.pending.call() {
            self.team().worker(self.owner).parker.unpark();
        }
    }

    /// From now on no task is begun.
    pub(crate) fn cancel(&self) {
        self.stop.request();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.is_requested()
    }

    /// The body or a task has panicked: that is the end of the scope. The first payload is kept.
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

    /// A task that has moved leaves its views of reducers, before it is counted out. They come after those that are
    /// there: in no order that a program could know of, as its tasks are in none.
    pub(crate) fn leave(&self, views: Box<Hypermap>) {
        match &mut *lock(&self.views) {
            Some(earlier) => earlier.append(*views),
            none => *none = Some(views),
        }
    }

    /// What it has panicked with.
    pub(crate) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        lock(&self.panic).take()
    }
}
