//! What a task and its handle share, and the task in a queue.

use crate::constructs::strand::Strand;
use crate::engine::cancel::region::Around;
use crate::engine::profile::site::Site;
use crate::engine::recording::{self, Key, SpawnedTask};
use crate::engine::scopes::group::Group;
use crate::engine::spawned::Task;
use crate::engine::team::{Occupied, Team, Top};
use crate::engine::wait::handle_end::{HandlePromise, HandleWaiter, run_named, wake};
use crate::engine::wait::region::within;
use crate::sync::promise::Completed;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::thread;

/// What a task and its handle share.
pub(super) struct Submitted<T, F: ?Sized> {
    pub(super) promise: HandlePromise,
    /// Only a name, unless this thread is known to be inside of the team.
    pub(super) team: *const Team,
    /// The scope of the task, if it is in one: it lives as long as the handle and what is in queues.
    scope: Option<NonNull<Group>>,
    /// `None` in the end if the task has been dropped.
    result: UnsafeCell<Option<thread::Result<T>>>,
    recorded: Option<SpawnedTask>,
    closure: UnsafeCell<F>,
}

// SAFETY: the closure is accessed by whoever has claimed the task, and the result by it until the task is done and then
// by the holder of the handle, or by whoever has learnt that there is no other. Both may move to another thread.
unsafe impl<T: Send, F: Send + ?Sized> Send for Submitted<T, F> {}
// SAFETY: as above.
unsafe impl<T: Send, F: Send + ?Sized> Sync for Submitted<T, F> {}

/// What a task and its handle share, whatever its closure is.
pub(super) type Shared<'scope, T> = Arc<Submitted<T, dyn Begin<T> + 'scope>>;

/// A closure that is called or dropped.
pub(super) trait Begin<T>: Send {
    /// # Panics
    ///
    /// If it has been called, and if the closure panics.
    fn call(&mut self, s: Strand<'_>) -> T;

    fn clear(&mut self);
}

impl<T, F: FnOnce(Strand<'_>) -> T + Send> Begin<T> for Option<F> {
    fn call(&mut self, s: Strand<'_>) -> T {
        self.take().expect("a task is claimed once")(s)
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl<T, F: Begin<T> + ?Sized> Submitted<T, F> {
    /// Calls the closure. What cancels the caller cancels it only if it is in a scope that is cancelled, too.
    ///
    /// # Safety
    ///
    /// The caller has claimed the task, and calls this once.
    pub(super) unsafe fn call(&self, top: Top<'_>) -> T {
        let around = self.scope().map_or(Around::NONE, Group::around);
        let _begun = recording::begin(self.recorded);
        // SAFETY: guaranteed by the caller.
        let result = within(top, around, |top| unsafe { &mut *self.closure.get() }.call(Strand::of(top)));
        self.key().post();
        result
    }

    /// What is posted when the task is over, in a profile.
    pub(super) fn key(&self) -> Key {
        self.recorded.map_or(Key::NONE, SpawnedTask::key)
    }

    /// The top of the ladder that this thread works on, if that is one of the task's team.
    pub(super) fn top_in_team<'l>(&self, here: Option<Occupied<'l>>) -> Option<Top<'l>> {
        here.map(Occupied::top).filter(|top| ptr::eq(top.owner().team(), self.team))
    }

    fn scope(&self) -> Option<&Group> {
        // SAFETY: a handle of a scope is dropped, and the task too, before the scope ends.
        self.scope.map(|scope| unsafe { scope.as_ref() })
    }

    /// Whether the task must not run any more, because its scope has been cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        self.scope().is_some_and(Group::is_cancelled)
    }

    /// Disposes of the result of a task that is done, and whose handle is dropped.
    ///
    /// # Safety
    ///
    /// As for [`take`](Self::take).
    pub(super) unsafe fn dispose(&self) {
        // SAFETY: guaranteed by the caller.
        let result = unsafe { self.take() };
        if let (Some(Err(payload)), Some(scope)) = (result, self.scope()) {
            scope.note_panic(payload);
        }
    }

    /// Drops the closure.
    ///
    /// # Safety
    ///
    /// The caller has claimed the task, and calls this once.
    pub(super) unsafe fn clear(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe { &mut *self.closure.get() }.clear();
    }

    /// Writes the result, and completes the task.
    ///
    /// # Safety
    ///
    /// The caller has claimed the task, and calls this once.
    pub(super) unsafe fn complete(&self, result: Option<thread::Result<T>>) -> Completed<HandleWaiter> {
        // SAFETY: the caller has claimed the task, which is not done.
        unsafe { *self.result.get() = result };
        self.promise.complete()
    }

    /// Takes the result of a task that is done.
    ///
    /// # Safety
    ///
    /// The task is done, and no other thread takes its result.
    pub(super) unsafe fn take(&self) -> Option<thread::Result<T>> {
        // SAFETY: guaranteed by the caller.
        unsafe { &mut *self.result.get() }.take()
    }
}

/// A submitted task in a queue. If it is dropped there, whoever waits learns it.
pub(super) struct Queued<'scope, T: Send>(Shared<'scope, T>);

impl<T: Send> Queued<'_, T> {
    /// Completes the task, and disposes of the result if nobody fetches it. Otherwise wakes the holder.
    ///
    /// # Safety
    ///
    /// The caller has claimed the task, and calls this once.
    unsafe fn complete(&self, team: &Team, result: Option<thread::Result<T>>) {
        // SAFETY: guaranteed by the caller.
        let completed = unsafe { self.0.complete(result) };
        if completed.is_left {
            // SAFETY: the task is done, and its handle is gone.
            if let Some(Err(payload)) = unsafe { self.0.take() } {
                // To whom it goes that nobody awaits.
                resume_unwind(payload);
            }
        } else if let Some(waiter) = completed.waiter {
            wake(team, waiter);
        }
    }
}

impl<T: Send> Task for Queued<'_, T> {
    const IS_TIMED: bool = true;

    fn run(self, top: Top<'_>) {
        let submitted = &*self.0;
        if !submitted.promise.claim() {
            return;
        }
        let team = top.owner().team();
        let result = run_named(&top, &submitted.promise, || {
            // Unwind safety: whoever joins resumes the panic.
            // SAFETY: the task has been claimed above.
            catch_unwind(AssertUnwindSafe(|| unsafe { submitted.call(top.again()) }))
        });
        // SAFETY: the task has been claimed above.
        unsafe { self.complete(team, Some(result)) };
    }

    fn is_over(&self) -> bool {
        self.0.promise.has_begun()
    }
}

impl<T: Send> Drop for Queued<'_, T> {
    fn drop(&mut self) {
        if self.0.promise.claim() {
            // If the drop of the closure panics, the holder learns it nevertheless.
            // SAFETY: the task has been claimed.
            let dropped = catch_unwind(AssertUnwindSafe(|| unsafe { self.0.clear() }));
            // SAFETY: what is in a queue of a team is run or dropped while the team lives.
            let team = unsafe { &*self.0.team };
            // SAFETY: the task has been claimed, and there is no result.
            unsafe { self.complete(team, None) };
            dropped.unwrap_or_else(|payload| resume_unwind(payload));
        }
    }
}

/// A task of `team`, for its handle and for a queue.
pub(super) fn shared<'scope, T, F>(
    team: &Team,
    scope: Option<&Group>,
    task: F,
) -> (Shared<'scope, T>, Queued<'scope, T>)
where
    T: Send + 'scope,
    F: FnOnce(Strand<'_>) -> T + Send + 'scope,
{
    let submitted: Shared<'scope, T> = Arc::new(Submitted {
        promise: HandlePromise::new(),
        team,
        scope: scope.map(NonNull::from),
        result: UnsafeCell::new(None),
        recorded: recording::spawn(
            scope.map(|scope| scope.head().addr().get()),
            Site::of::<F>(shared::<T, F> as *const () as usize),
        ),
        closure: UnsafeCell::new(Some(task)),
    });
    (Arc::clone(&submitted), Queued(submitted))
}
