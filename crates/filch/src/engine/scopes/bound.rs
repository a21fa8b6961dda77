//! Tasks that only one thread of a team may run: the parts of a broadcast.
//!
//! Each thread has a spawn queue for them. The thread looks there first: between two tasks, and also while it waits at
//! a join or at the end of a scope, whatever it waits for. Otherwise two workers that broadcast at the same time would
//! wait for each other. Where it cannot run them as the worker that it is, it does so as a
//! [spare worker](crate::engine::entry::unseated).
//!
//! A thread that sleeps is woken by its bed or, while it waits, by the parker of its worker. It looks into its queue,
//! under the lock, after it has announced that it sleeps, or watches.

use crate::engine::scopes::group::Group;
use crate::engine::seats::held_seats;
use crate::engine::spawned::{SpawnQueue, Spawned};
use crate::engine::team::Team;
use crate::sync::{MutexGuard, process};
use std::cell::Cell;
use std::ptr;
use std::sync::Arc;

thread_local! {
    /// The team of which this is a thread, and its index there.
    static THREAD: Cell<(*const Team, usize)> = const { Cell::new((ptr::null(), 0)) };

    /// The process in which this is a thread of a pool. It has no destructor, so it is there to the end of the thread.
    static OF_A_POOL: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `f`, which does not unwind, as thread `me` of `team`.
pub(crate) fn as_thread<R>(team: &Team, me: usize, f: impl FnOnce() -> R) -> R {
    let before = THREAD.replace((team, me));
    let result = of_a_pool(f);
    THREAD.set(before);
    result
}

/// Runs `f` as a thread of a pool.
pub(crate) fn of_a_pool<R>(f: impl FnOnce() -> R) -> R {
    struct GoBack(Option<usize>);
    impl Drop for GoBack {
        fn drop(&mut self) {
            OF_A_POOL.set(self.0);
        }
    }
    let _go_back = GoBack(OF_A_POOL.replace(Some(process::generation())));
    f()
}

/// Makes the calling thread one of a pool until it ends, destructors of thread-local values included: the end of the
/// pool waits for it.
pub(crate) fn be_of_a_pool() {
    OF_A_POOL.set(Some(process::generation()));
}

/// Whether the calling thread is one of a pool, in the process that has started it.
pub(crate) fn is_of_a_pool() -> bool {
    OF_A_POOL.get() == Some(process::generation())
}

/// Calls `f` with the team that this is a thread of, and its index there. `None` if it is a thread of none.
pub(crate) fn here<R>(f: impl FnOnce(&Team, usize) -> R) -> Option<R> {
    let (team, me) = THREAD.get();
    // SAFETY: a team lives as long as it has threads: `as_thread` has borrowed it, and `settle` keeps it for good.
    unsafe { team.as_ref() }.map(|team| f(team, me))
}

/// Whether there are tasks that only the calling thread may run.
pub(crate) fn has_tasks_here() -> bool {
    here(Team::has_bound).unwrap_or(false)
}

/// Takes seat 0 of `team`, no thread of which has started, for a thread that is about to [settle] there.
pub(crate) fn take_first_seat(team: &Team) {
    let seat = team.seats.try_sit(0);
    assert_eq!(seat, Some(0), "the team has no threads and no callers yet");
}

/// Makes the calling thread, which holds no seat, thread 0 of `team` until it ends. Seat 0 has been taken for it. It
/// occupies ladder 0, as in a run without an end: the ladder is closed, so that its first fork is announced.
pub(crate) fn settle(team: &Arc<Team>) {
    held_seats::occupy_for_good(team);
    THREAD.set((Arc::as_ptr(team), 0));
}

impl Team {
    /// Whether the team has threads, in this process.
    pub(crate) fn has_threads(&self) -> bool {
        !self.threads.threads.is_empty() && !self.is_left_behind()
    }

    /// Whether worker `me` has a thread, in this process.
    pub(crate) fn has_thread(&self, me: usize) -> bool {
        self.threads.threads.contains(&me) && !self.is_left_behind()
    }

    /// The tasks that are bound to thread `me`, which is not one of the reserve.
    pub(crate) fn bound_to(&self, me: usize) -> &SpawnQueue {
        self.bound[me].tasks()
    }

    /// Whether tasks seem to be bound to thread `me`.
    pub(crate) fn has_bound(&self, me: usize) -> bool {
        self.bound.get(me).is_some_and(|binding| !binding.tasks().is_empty())
    }

    /// While the result lives, a task may be bound to thread `me`. `None` if worker `me` has no thread in this process,
    /// or if that has left.
    pub(crate) fn binding_to(&self, me: usize) -> Option<MutexGuard<'_, bool>> {
        self.has_thread(me).then(|| self.bound[me].open())?
    }

    /// From now on nothing is bound to thread `me`, which leaves. False if it has to run something first.
    pub(crate) fn unbind(&self, me: usize) -> bool {
        self.bound[me].close()
    }

    /// The tasks that are bound to the calling thread, if it is one of this team.
    pub(crate) fn bound_here(&self) -> Option<&SpawnQueue> {
        let (team, me) = THREAD.get();
        ptr::eq(team, self).then(|| self.bound_to(me))
    }

    /// Calls the thread `me`, to which a task has been bound.
    pub(crate) fn call_thread(&self, me: usize) {
        self.sleepers.call_this(me);
        // It is not known where that thread waits.
        self.call_waiters(|_| true);
    }
}

impl Group {
    /// Puts a task where only thread `me` of the team finds it. If there is no such thread, any worker may run it. May
    /// be called by any thread.
    pub(crate) fn spawn_bound(&self, task: Spawned, me: usize) {
        let team = self.team();
        let Some(binding) = team.binding_to(me) else { return self.spawn(task) };
        team.bound_to(me).put(task);
        drop(binding);
        self.make_known();
        team.call_thread(me);
    }
}
