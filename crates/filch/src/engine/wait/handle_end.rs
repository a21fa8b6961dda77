//! Waiting for a task that has a handle, by a worker of its team. The task has begun elsewhere, and its runner has
//! [named](run_named) it, so the worker finds parts of it, and runs these only.

use crate::engine::cancel::region::Around;
use crate::engine::frame::task::{Goal, Origin};
use crate::engine::seats::ambient;
use crate::engine::share::{at_fork, descent};
use crate::engine::team::{Team, Top};
use crate::engine::wait::aside::wait_aside;
use crate::sync::promise::Promise;
use std::ptr::NonNull;
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

/// Who is woken when a task with a handle is done.
pub(crate) enum HandleWaiter {
    /// A worker of the team, by its index.
    Worker(usize),
    /// Anything else.
    Waker(Waker),
}

impl HandleWaiter {
    /// The calling thread, which is unparked.
    pub(crate) fn this_thread() -> Self {
        struct Unpark(Thread);
        impl Wake for Unpark {
            fn wake(self: Arc<Self>) {
                self.0.unpark();
            }
        }
        HandleWaiter::Waker(Waker::from(Arc::new(Unpark(thread::current()))))
    }
}

/// Whether a task with a handle is done, and who waits for it.
pub(crate) type HandlePromise = Promise<HandleWaiter>;

fn goal(promise: &HandlePromise) -> Goal {
    Goal::at(NonNull::from(promise))
}

/// Runs `f`, the task of `promise`, at `top`, under a name by which whoever waits for it finds its parts. The caller
/// has claimed it.
pub(crate) fn run_named<R>(top: &Top<'_>, promise: &HandlePromise, f: impl FnOnce() -> R) -> R {
    struct End<'t, 'l>(&'t Top<'l>);
    impl Drop for End<'_, '_> {
        fn drop(&mut self) {
            self.0.owner().tasks.end();
        }
    }
    let tasks = &top.owner().tasks;
    // Without a name nobody can help, which only costs time.
    let _end = tasks.has_room().then(|| {
        tasks.begin(top.rung().addr(), Origin { parent: tasks.innermost(), goal: goal(promise) }, tasks.around());
        End(top)
    });
    f()
}

/// Returns when the task of `promise`, which another worker runs, is done; or unwinds when a region `around` has been
/// cancelled, since the task can do without the holder of its handle, which this is, at `top`.
pub(crate) fn await_done(top: &Top<'_>, promise: &HandlePromise, around: Around) {
    let top = at_fork::top_of_forked(**top);
    let me = top.owner().index;
    // Once, since it may drop an earlier waiter of the user's. From now on the runner wakes this worker.
    if promise.leave_waiter(HandleWaiter::Worker(me)) {
        let is_over = || promise.is_done() || ambient::ends(around);
        // Whoever cancels wakes this worker, too.
        wait_aside(&top, goal(promise), false, &is_over, &|| !is_over());
    }
    descent::mark_again(*top);
    if !promise.is_done() {
        ambient::end(*top);
    }
}

/// Wakes whoever waits for a task of `team`.
pub(crate) fn wake(team: &Team, waiter: HandleWaiter) {
    match waiter {
        HandleWaiter::Worker(index) => team.worker(index).parker.unpark(),
        HandleWaiter::Waker(waker) => waker.wake(),
    }
}
