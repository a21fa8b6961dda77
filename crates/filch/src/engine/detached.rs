//! Detached tasks: tasks that nobody awaits.
//!
//! They lie in the spawn queues, as tasks of three scopes that are open as long as the team lives: one for each order,
//! and one for urgent tasks. No worker owns these scopes. Threads without work run their tasks; waiting workers do not,
//! unless they run anything (`wait=any`), because a detached task is a part of nothing.
//!
//! While there are detached tasks, the team counts as active. It also stays: the threads of a team that is dismissed
//! leave when the last of these tasks is done (`protocol/end.rs`).
//!
//! **Teams without threads.** There the callers run the detached tasks: each caller, before it leaves the team, runs
//! those that lie in the queues. A thread that is not inside a run enters the team in order to spawn, so its task is
//! run before the spawn returns. What runs in the team only spawns, so a task never begins inside of code that has
//! spawned it, and a chain of tasks needs no stack. Each task is run by its spawner, or by another caller that comes
//! first; so none is left when the last caller has left, and the end of the pool has nothing to wait for.
//!
//! In a child of fork(2) the team of the parent has queues and counts that threads of the parent may have been
//! changing. So a task goes to its [heir](Team::here), also in a run that the child has from its parent; and what waits
//! in the queues is run by the parent only.

use crate::engine::cancel::region::Around;
use crate::engine::recording;
use crate::engine::scopes::group::{Group, SpawnOrder};
use crate::engine::seats::ambient::pass_on;
use crate::engine::share::run_tasks::run_queued;
use crate::engine::share::{at_fork, descent};
use crate::engine::spawned::{GroupHead, Spawned, Task};
use crate::engine::team::Team;
use crate::engine::team::payload;
use crate::engine::team::threads::Unawaited;
use crate::engine::team::{Occupied, Top};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};

/// How a detached task is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// By its worker, the newest one first.
    Lifo,
    /// By its worker, the oldest one first.
    Fifo,
    /// By whoever comes first, if it must be without a seat.
    Urgent,
}

/// The scopes of the detached tasks of a team, one of each class.
struct Detached([Group; 3]);

// SAFETY: a group is `Sync`, and nothing in it belongs to the thread that has made it. Its team has it, and so outlives
// it.
unsafe impl Send for Detached {}

impl Detached {
    fn of(team: &Team) -> Self {
        let group = |order| Group::unawaited(team, order);
        Detached([SpawnOrder::Lifo, SpawnOrder::Fifo, SpawnOrder::Fifo].map(group))
    }
}

impl Unawaited for Detached {
    fn heads(&self) -> [NonNull<GroupHead>; 3] {
        self.0.each_ref().map(Group::head)
    }

    fn are_done(&self) -> bool {
        self.0.iter().all(|group| group.pending.is_zero())
    }
}

/// A task that catches its own panic.
struct Quiet<T>(T);

impl<T: Task> Task for Quiet<T> {
    const IS_TIMED: bool = T::IS_TIMED;

    fn run(self, top: Top<'_>) {
        let team = top.owner().team();
        // Unwind safety: nobody waits for the task, so no code sees what the panic has left behind but what shares it
        // with the task, and this is up to the user, as with a thread.
        let result = catch_unwind(AssertUnwindSafe(|| self.0.run(top)));
        if let Err(payload) = result {
            payload::lose_unawaited(team, payload);
        }
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

/// A task for which a thread of the reserve is wanted.
struct Urgent<T>(T);

impl<T: Task> Task for Urgent<T> {
    const IS_TIMED: bool = T::IS_TIMED;

    fn run(self, top: Top<'_>) {
        struct End<'t>(&'t Team);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.reserve.end_urgent();
            }
        }
        let _end = End(top.owner().team());
        self.0.run(top);
    }
}

impl Team {
    /// Spawns a task that nobody awaits. May be called by any thread, if the team [has threads](Self::has_threads), and
    /// otherwise by one that [is inside a run](crate::engine::seats::held_seats::has_entered) of it.
    pub(crate) fn spawn_detached(&self, class: Class, task: impl Task + 'static) {
        if class == Class::Urgent && self.has_threads() && self.reserve.most() > 0 {
            return self.spawn_urgent(task);
        }
        let (group, task) = self.new_detached(class, task);
        group.spawn(task);
    }

    /// Spawns a task for which a thread of the reserve comes if no other one does.
    fn spawn_urgent(&self, task: impl Task + 'static) {
        let (group, task) = self.new_detached(Class::Urgent, Urgent(task));
        // Counted before anybody can find it, run it and count it out.
        self.reserve.begin_urgent(|number| self.start_in_reserve(number));
        // Not in the queue of this worker, whose tasks go in batches with others.
        self.foreign.put(task);
        group.make_known();
        self.sleepers.call_one();
        self.call_reserve();
    }

    /// Removes an urgent task from its queue.
    pub(crate) fn find_urgent(&self) -> Option<Spawned> {
        let urgent = self.urgent()?;
        self.spawn_queues().find_map(|queue| queue.get_inside(|scope| ptr::eq(scope, urgent.as_ptr())))
    }

    /// Whether there is an urgent task that nobody has begun. Takes the locks of queues that seem to have tasks.
    pub(crate) fn has_urgent(&self) -> bool {
        self.urgent().is_some_and(|urgent| {
            self.spawn_queues()
                .any(|queue| !queue.is_empty() && queue.has_inside(|scope| ptr::eq(scope, urgent.as_ptr())))
        })
    }

    fn urgent(&self) -> Option<NonNull<GroupHead>> {
        self.detached.get().map(|detached| detached.heads()[Class::Urgent as usize])
    }

    /// Spawns a task that nobody awaits and that only thread `me` may run. If there is no such thread, any may. May be
    /// called by any thread; the team [has threads](Self::has_threads).
    pub(crate) fn spawn_detached_bound(&self, me: usize, task: impl Task + 'static) {
        let Some(binding) = self.binding_to(me) else {
            return self.spawn_detached(Class::Lifo, task);
        };
        self.bound_to(me).put(self.new_detached(Class::Lifo, task).1);
        drop(binding);
        self.call_thread(me);
    }

    /// Runs `f` with this thread, which is outside of the team, on a seat of it; and then the detached tasks that are
    /// in the queues. Waits for a seat as [`run_from_outside`](Self::run_from_outside). For a team without threads.
    pub(crate) fn run_with_queued(&self, around: Around, f: &mut dyn FnMut(Top<'_>)) {
        let mut run = |mut top: Top<'_>| {
            // The tasks must not run inside a destructor. Unwind safety: the panic is resumed below.
            let result = catch_unwind(AssertUnwindSafe(|| f(top.reborrow())));
            self.run_queued(*top);
            result.unwrap_or_else(|payload| pass_on(payload));
        };
        self.run_from_outside(around, &mut run);
    }

    /// Runs the detached tasks that are in the queues, and what they spawn.
    fn run_queued(&self, at: Occupied<'_>) {
        if self.is_left_behind() {
            // The parent of this process runs them.
            return;
        }
        let Some(detached) = self.detached.get().filter(|detached| !detached.are_done()) else { return };
        // The first fork of the run may be in a task.
        let top = at_fork::top_of_forked(at);
        while let Some(latent) = self.find_queued(&**detached, at) {
            run_queued(&top, latent);
        }
        descent::mark_again(*top);
    }

    /// Removes a detached task from a queue: from that of this thread's worker first.
    fn find_queued(&self, detached: &dyn Unawaited, here: Occupied<'_>) -> Option<Spawned> {
        let heads = detached.heads();
        let is_detached = |scope: &GroupHead| heads.iter().any(|head| ptr::eq(scope, head.as_ptr()));
        let others = || self.find_in_other_queues(here.owner(), |queue| queue.get_inside(is_detached));
        here.spawned().get_inside(is_detached).or_else(others)
    }

    /// A detached task, counted in, and its scope.
    fn new_detached(&self, class: Class, task: impl Task + 'static) -> (&Group, Spawned) {
        let detached = self.detached.get_or_init(|| Box::new(Detached::of(self)));
        // SAFETY: the head is that of a group, which lives as long as the team.
        let group = unsafe { Group::of(detached.heads()[class as usize]) };
        // SAFETY: the task borrows nothing that ends.
        let job = unsafe { recording::job(group.head().addr().get(), Quiet(task)) };
        if group.pending.add() {
            self.begin_activity();
        }
        // SAFETY: the task has been counted in, and the group lives as long as the team.
        (group, unsafe { Spawned::new(group.head(), job) })
    }

    /// The last of the detached tasks of one order is done.
    pub(crate) fn end_detached(&self) {
        self.sleepers.end_run();
        self.end.last_is_done(|| self.are_detached_done(), || self.wake_everybody());
    }
}
