//! Scopes: finish and async (Cong et al. 2008, sections 1.2 and 2.1). Tasks are spawned one by one, need not be nested
//! as joins are, and are awaited together.
//!
//! A task of an outer scope must not lie on the ladder above the frame of an inner join, because the return of that
//! join would pop it unseen. So a task lies in a *spawn queue* ([`spawned`](crate::engine::spawned)), together with its
//! scope: in the queue of the worker that spawned it, or in a queue of the team if a thread from elsewhere spawned it.
//!
//! Three kinds of workers run such a task ([`run_tasks`](crate::engine::share::run_tasks)). Threads of the team without
//! work run any task. The worker that waits at the end of the scope ([`finish`](Group::finish)) runs tasks of that
//! scope only. A worker that waits for something around the scope runs it as a part of that. There is no deadlock: at
//! the end of a scope a worker waits for tasks that have not begun, which it runs itself, and for tasks that others
//! run, which are strictly inside the scope. Nor does the stack grow beyond the nesting of the program.
//!
//! | state | written by | read by |
//! |---|---|---|
//! | `pending` | a spawner adds a task before it is in a queue; its runner counts it out, its last access | the owner |
//! | its announcement | the owner, before it sleeps; a spawner withdraws it and wakes the owner | the last runner |
//! | `is_active` | the first spawner | the owner, at the end |
//! | `stop` | any thread, once | a worker that is about to run a task |
//! | `panic` | the first thread that catches a panic, under the lock | the owner, at the end |
//! | `has_left` | whoever writes `panic` or `views`, before it counts the task out | the owner, at the end |
//! | `views` | a worker that ran tasks which moved, under the lock, before it counts them out | the owner, at the end |
//!
//! The scope lives on its owner's stack. Only the body and the tasks of the scope can name it, or what these await.
//! While the body runs the owner keeps the scope alive, and while a task runs its count in `pending` does. So a spawner
//! finds the scope alive. `models/scope.pml` checks this, with mutants; loom checks `sync/pending.rs`.

use crate::engine::cancel::is_end;
use crate::engine::cancel::region::Around;
use crate::engine::frame::task::{Goal, Origin};
use crate::engine::seats::{ambient, current};
use crate::engine::spawned::GroupHead;
use crate::engine::team::Occupied;
use crate::engine::team::Team;
use crate::engine::team::payload;
use crate::engine::team::squads::Squads;
use crate::engine::team::stop::Stop;
use crate::engine::views::hypermap::Hypermap;
use crate::sync::parker::Parker;
use crate::sync::pending::Pending;
use crate::sync::{AtomicBool, Mutex, Ordering, lock};
use filch_policy::Tier;
use std::any::Any;
use std::ptr::NonNull;
use std::sync::Arc;

/// The order in which a worker runs the tasks that it has spawned itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpawnOrder {
    /// The latest first, like a recursion.
    Lifo,
    /// The earliest first.
    Fifo,
}

/// Where a scope is counted as activity of its team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// When its first task is spawned.
    AtFirstSpawn,
    /// With something that lasts at least as long.
    Elsewhere,
}

/// Who waits at the end of a scope.
#[derive(Clone)]
pub(crate) enum Waiter {
    /// The worker of the team that has opened the scope.
    Owner,
    /// A worker of another team, in the body of the scope.
    Abroad(Arc<Team>, usize),
    /// A thread that works for no team.
    Outside(Arc<Parker>),
    /// Nobody: the tasks are detached.
    Nobody,
}

impl Waiter {
    /// Wakes the waiter of a scope, which may be gone, in `team`; `owner` is its owner. The last task has been counted
    /// out.
    pub(crate) fn wake(self, team: &Team, owner: usize) {
        match self {
            Waiter::Owner => team.worker(owner).parker.unpark(),
            Waiter::Abroad(abroad, worker) => abroad.worker(worker).parker.unpark(),
            Waiter::Outside(parker) => parker.unpark(),
            Waiter::Nobody => team.end_detached(),
        }
    }
}

/// The part of a scope that the engine knows.
#[repr(C)]
pub(crate) struct Group {
    /// The first field, because a spawn queue knows a scope by a pointer to its group.
    head: GroupHead,
    pub(crate) team: *const Team,
    pub(crate) pending: Pending,
    /// The [thread](current::thread) that has opened the scope, waits as its owner, and counts its tasks apart. Zero if
    /// there is none.
    opener: usize,
    waiter: Waiter,
    /// What cancels the tasks, besides the scope itself.
    around: Around,
    counts: Counts,
    /// Whether the scope counts as activity of the team.
    pub(crate) is_active: AtomicBool,
    stop: Stop,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// The views of reducers that tasks have left which ran on other workers or threads.
    pub(crate) views: Mutex<Option<Box<Hypermap>>>,
    /// Whether `panic` or `views` has something. So the end of most scopes takes neither lock.
    has_left: AtomicBool,
}

// SAFETY: every field that changes is atomic or behind a lock. The team is `Sync`, and outlives the scope because the
// owner occupies a ladder of it until the scope is finished.
unsafe impl Sync for Group {}

impl Group {
    /// Opens a scope. It must be [finished](Self::finish) and must not move until then.
    ///
    /// # Safety
    ///
    /// The scope does not move until it has been finished, by this thread and while it occupies this ladder.
    pub(crate) unsafe fn open(at: Occupied<'_>, order: SpawnOrder) -> Self {
        let worker = at.owner();
        let team = worker.team();
        // Within a task, or a run that has forked, the scope is a part of an activity that has been counted already.
        let is_in_activity = worker.tasks.innermost().is_some() || !at.first().is_closed();
        let counts = if team.squads.is_none() && team.rules().announces_forks() && is_in_activity {
            Counts::Elsewhere
        } else {
            Counts::AtFirstSpawn
        };
        let head = GroupHead {
            parent: worker.tasks.innermost(),
            is_fifo: order == SpawnOrder::Fifo,
            tier: worker.tier(),
            owner: worker.index,
        };
        Self::new(team, head, Waiter::Owner, ambient::if_it_may_end(worker.tasks.around()), counts)
    }

    fn new(team: *const Team, head: GroupHead, waiter: Waiter, around: Around, counts: Counts) -> Self {
        let is_awaited = !matches!(waiter, Waiter::Nobody);
        let opener = if matches!(waiter, Waiter::Owner) { current::thread() } else { 0 };
        Group {
            head,
            team,
            pending: if is_awaited { Pending::new() } else { Pending::always_told() },
            opener,
            waiter,
            around,
            counts,
            is_active: AtomicBool::new(false),
            stop: Stop::new(),
            panic: Mutex::new(None),
            views: Mutex::new(None),
            has_left: AtomicBool::new(false),
        }
    }

    /// A scope of `team` for detached tasks.
    pub(crate) fn unawaited(team: &Team, order: SpawnOrder) -> Self {
        // The activity of detached tasks is counted where they are (`detached.rs`).
        Self::new(team, Self::head_of_its_own(team, order), Waiter::Nobody, Around::NONE, Counts::Elsewhere)
    }

    /// A scope of `team` that no worker of it owns.
    pub(crate) fn awaited_outside(team: &Team, order: SpawnOrder, waiter: Waiter, around: Around) -> Self {
        Self::new(team, Self::head_of_its_own(team, order), waiter, around, Counts::AtFirstSpawn)
    }

    /// The head of a scope that is not a part of anything in its team, and that no worker of the team owns. Its tasks
    /// are the first ones of a program of their own, as runs are.
    fn head_of_its_own(team: &Team, order: SpawnOrder) -> GroupHead {
        let tier = Squads::first_tier(team.squads.as_ref());
        GroupHead { parent: None, is_fifo: order == SpawnOrder::Fifo, tier, owner: 0 }
    }

    pub(crate) fn waiter(&self) -> &Waiter {
        &self.waiter
    }

    /// What cancels the tasks, besides the scope itself.
    pub(crate) fn around(&self) -> Around {
        self.around
    }

    /// Counts out so many tasks, as the thread that waits.
    pub(crate) fn count_out_own(&self, tasks: usize) {
        if self.opener == 0 {
            // Nobody else is woken by this thread's own tasks.
            self.pending.complete(tasks);
        } else {
            self.pending.complete_own(tasks);
        }
    }

    /// Counts in a task, before it is put into a queue.
    pub(crate) fn count_in(&self) {
        if self.opener == current::thread() {
            self.pending.add_own();
        } else {
            self.pending.add();
        }
    }

    /// The tier of the task that has opened the scope.
    pub(crate) fn tier(&self) -> Tier {
        self.head.tier
    }

    /// The index of the worker whose occupant waits at the end of the scope.
    pub(crate) fn owner(&self) -> usize {
        self.head.owner
    }

    pub(crate) fn team(&self) -> &Team {
        // SAFETY: the owner occupies a ladder of this team until the scope is finished, by the contract of `open`.
        unsafe { &*self.team }
    }

    /// The goal of the scope's tasks, for which the owner waits.
    pub(crate) fn goal(&self) -> Goal {
        Goal::at(NonNull::from(self))
    }

    /// The pointer by which spawn queues know the scope.
    pub(crate) fn head(&self) -> NonNull<GroupHead> {
        NonNull::from(self).cast()
    }

    /// The scope with this [head](Self::head).
    ///
    /// # Safety
    ///
    /// `head` is the head of a scope, and the scope lives for `'a`: one of its tasks has not been counted out.
    pub(crate) unsafe fn of<'a>(head: NonNull<GroupHead>) -> &'a Group {
        // SAFETY: `head` comes from a pointer to a whole `Group`, whose first field is the head. The caller guarantees
        // that the scope lives.
        unsafe { head.cast::<Group>().as_ref() }
    }

    /// The origin of the scope's tasks.
    pub(crate) fn origin(&self) -> Origin {
        Origin { parent: self.head.parent, goal: self.goal() }
    }

    /// Wakes those that may run a task which has just been put into a queue.
    pub(crate) fn make_known(&self) {
        if !self.is_counted() || self.team().sleepers.has_watchers() {
            self.call_others();
        }
        self.call_owner();
    }

    #[cold]
    fn call_others(&self) {
        self.tell_sentinel();
        self.team().call_waiters(|goal| self.team().is_group_inside(&self.head, goal));
    }

    /// Whether the scope counts as activity of its team, by itself or with something that lasts as long.
    fn is_counted(&self) -> bool {
        self.counts == Counts::Elsewhere || self.is_active.load(Ordering::Relaxed)
    }

    /// Counts the scope as activity of its team, unless it already does. In that case, calls the sentinel if a thread
    /// sleeps until it is called.
    pub(crate) fn tell_sentinel(&self) {
        if !self.is_counted() && !self.is_active.swap(true, Ordering::Relaxed) {
            self.team().begin_activity();
        } else if self.team().sleepers.has_watchers() {
            self.team().sleepers.ensure_sentinel();
        }
    }

    /// Wakes the owner, if it sleeps, because a task has been put into a queue.
    fn call_owner(&self) {
        if matches!(self.waiter, Waiter::Owner) && self.pending.call() {
            self.team().worker(self.owner()).parker.unpark();
        }
    }

    /// No task of the scope is begun from now on.
    pub(crate) fn cancel(&self) {
        self.stop.request();
    }

    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.acquire()
    }

    /// Notes that the body or a task has panicked, which cancels the scope. The first payload is kept, or the first one
    /// that is not the end of a region.
    pub(crate) fn note_panic(&self, payload: Box<dyn Any + Send>) {
        self.cancel();
        self.has_left.store(true, Ordering::Relaxed);
        let mut panic = lock(&self.panic);
        if panic.as_ref().is_none_or(|first| is_end(&**first)) {
            *panic = Some(payload);
        } else {
            drop(panic);
            payload::lose(self.team(), payload);
        }
    }

    /// Leaves the views of a task that has moved, before the task is counted out. They follow those that are already
    /// there. Their order cannot matter to a program, because the tasks of a scope have no order.
    pub(crate) fn leave(&self, views: Box<Hypermap>) {
        if matches!(self.waiter, Waiter::Nobody) {
            // Nobody absorbs them. Their reducers combine them at the end.
            return;
        }
        self.has_left.store(true, Ordering::Relaxed);
        match &mut *lock(&self.views) {
            Some(earlier) => earlier.append(*views),
            none => *none = Some(views),
        }
    }

    /// Whether the body or a task has left a panic or views. For the owner, once all tasks have been counted out, which
    /// orders the writes of their runners before this read.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    /// The payload of the first panic, if there was one.
    pub(crate) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        if self.has_left() { lock(&self.panic).take() } else { None }
    }
}
