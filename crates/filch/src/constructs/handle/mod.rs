//! Tasks with a handle: spawned one by one, and each awaited by itself.
//!
//! A task lies in a queue like any other that is spawned, detached or in a scope. The queue and the handle share one
//! allocation ([`submitted`]), which has the closure, then the result, and a promise of who runs it and who waits.
//! Whoever claims the task runs it: a worker that finds it in the queue, or the holder of the handle, after whom an
//! empty task is left in the queue. A worker that holds handles removes such tasks from its own queue now and then.

mod submitted;

use self::submitted::{Begin, Shared, Submitted, shared};
use crate::constructs::detached::detach;
use crate::constructs::scope::Scope;
use crate::constructs::strand::Strand;
use crate::engine::cancel::region::Around;
use crate::engine::detached::Class;
use crate::engine::seats::ambient::{self, end_if_cancelled_here, pass_on};
use crate::engine::seats::{current, held_seats};
use crate::engine::share::run_tasks::clear_over;
use crate::engine::team::{Team, Top};
use crate::engine::wait::blocking::park_until;
use crate::engine::wait::handle_end::{HandleWaiter, await_done};
use std::fmt;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The right to the result of a task: what [`submit`](crate::submit), [`Pool::submit`](crate::Pool::submit) and
/// [`Scope::submit`] return.
///
/// A thread waits with [`join`](Self::join). Asynchronous code awaits the handle, which is a [`Future`], on any
/// executor. If the handle is dropped, the task becomes one that nobody awaits; [`abort`](Self::abort) drops the task
/// itself, if it has not begun.
///
/// `'scope` is how long the task may borrow; `'static` outside of scopes.
///
/// ```
/// let handle = filch::submit(|mut s| s.join(|_| 20, |_| 22));
/// let (a, b) = handle.join();
/// assert_eq!(a + b, 42);
/// ```
#[must_use = "a task whose handle is dropped is awaited by nobody"]
pub struct Handle<'scope, T> {
    /// `None` once the result has been fetched.
    submitted: Option<Shared<'scope, T>>,
    aborts: bool,
}

// A panic of the task is resumed where the handle is joined.
impl<T> UnwindSafe for Handle<'_, T> {}
impl<T> RefUnwindSafe for Handle<'_, T> {}

/// Spawns `task` on `team` as one that nobody else awaits.
pub(crate) fn submit<T, F>(team: &Team, class: Class, task: F) -> Handle<'static, T>
where
    T: Send + 'static,
    F: FnOnce(Strand<'_>) -> T + Send + 'static,
{
    let (submitted, queued) = shared(team.here(), None, task);
    detach(team, class, queued);
    Handle::new(submitted)
}

impl<'scope> Scope<'scope, '_> {
    /// [Spawns](Self::spawn) `task`, and returns a handle with which its result can be awaited before the scope ends.
    ///
    /// If the scope is cancelled before the task begins, the task is dropped.
    ///
    /// Work: as [`spawn`](Self::spawn), and an allocation.
    ///
    /// # Panics
    ///
    /// As [`spawn`](Self::spawn). A panic of the task is resumed where the handle is joined; if the handle is dropped
    /// instead, by the end of the scope.
    ///
    /// ```
    /// let text = String::from("to be or not to be");
    /// filch::scope(|_, scope| {
    ///     let words = scope.submit(|_| text.split(' ').count());
    ///     let letters = text.len();
    ///     assert_eq!((words.join(), letters), (6, 18));
    /// });
    /// ```
    pub fn submit<T, F>(&'scope self, task: F) -> Handle<'scope, T>
    where
        T: Send + 'scope,
        F: FnOnce(Strand<'_>) -> T + Send + 'scope,
    {
        let (submitted, queued) = shared(self.core().team(), Some(self.core()), task);
        self.spawn_task(queued);
        Handle::new(submitted)
    }
}

/// Why a handle has nothing to wait for.
const FETCHED: &str = "the result of a task is fetched once";

impl<'scope, T> Handle<'scope, T> {
    fn new(submitted: Shared<'scope, T>) -> Self {
        Handle { submitted: Some(submitted), aborts: false }
    }

    fn submitted(&self) -> &Submitted<T, dyn Begin<T> + 'scope> {
        self.submitted.as_ref().expect(FETCHED)
    }

    /// Waits for the result of the task.
    ///
    /// If no worker has begun the task, and this thread works for the pool of the task, it runs the task itself. If the
    /// task is under way, the thread runs parts of it meanwhile and nothing else, as at a join (unless the scheduler
    /// says [`Wait::Any`](crate::Wait::Any)). Any other thread sleeps, in a [blocking section](crate::blocking) if it
    /// works for another pool.
    ///
    /// If the caller [is cancelled](crate::CancelToken::run) meanwhile, it waits no longer; the task goes on, unless it
    /// is cancelled, too.
    ///
    /// Two tasks that join each other wait for ever, as two threads do.
    ///
    /// # Panics
    ///
    /// If the task has panicked, with its payload. If it was dropped because its scope had been cancelled. If the
    /// result has been fetched by awaiting the handle.
    ///
    /// ```
    /// let squares: Vec<_> = (0..10).map(|i| filch::submit(move |_| i * i)).collect();
    /// assert_eq!(squares.into_iter().map(|square| square.join()).sum::<i32>(), 285);
    /// ```
    pub fn join(mut self) -> T {
        end_if_cancelled_here();
        let submitted = self.submitted();
        if !submitted.promise.is_done() {
            // The task is not done, so its team lives, and if this thread has a seat of it, goes on living.
            match held_seats::seat_in_named(submitted.team) {
                None => self.sleep(),
                Some(ladder) => {
                    let (team, around) = (ladder.owner().team(), ambient::around_here());
                    // SAFETY: it is dropped at the end of this.
                    let _calling = unsafe { around.call_while(team) };
                    let mut result = None;
                    // SAFETY: this thread holds the seat of the ladder.
                    unsafe { team.run_on_held(ladder, &mut |top| result = self.join_at(top, around)) };
                    if let Some(result) = result {
                        return result;
                    }
                }
            }
        }
        self.fetch()
    }

    /// Runs the task now, for a later [`join`](Self::join). Returns false if it has begun elsewhere, or if this thread
    /// does not work for its pool.
    pub(super) fn run_ahead(&self) -> bool {
        let submitted = self.submitted();
        current::with(|here| {
            let Some(top) = submitted.top_in_team(here) else { return false };
            if submitted.is_cancelled() || !submitted.promise.claim() {
                return false;
            }
            clear_over(&top);
            // Unwind safety: whoever joins resumes the panic.
            // SAFETY: the task has been claimed.
            let result = catch_unwind(AssertUnwindSafe(|| unsafe { submitted.call(top) }));
            // Nobody waits for it, and its handle is here.
            // SAFETY: the task has been claimed.
            _ = unsafe { submitted.complete(Some(result)) };
            true
        })
    }

    /// Runs the task at `top`, and returns its result; or returns when it is done elsewhere. The regions `around` are
    /// those of the caller.
    fn join_at(&self, top: Top<'_>, around: Around) -> Option<T> {
        let submitted = self.submitted();
        if submitted.promise.claim() {
            clear_over(&top);
            if submitted.is_cancelled() {
                // SAFETY: the task has been claimed.
                unsafe { submitted.clear() };
                return None;
            }
            // SAFETY: the task has been claimed.
            let result = unsafe { submitted.call(top) };
            submitted.key().wait();
            return Some(result);
        }
        await_done(&top, &submitted.promise, around);
        None
    }

    /// Sleeps until the task is done.
    fn sleep(&self) {
        let promise = &self.submitted().promise;
        if promise.leave_waiter(HandleWaiter::this_thread()) {
            park_until(|| promise.is_done());
        }
    }

    /// The result of the task, which is done.
    fn fetch(&mut self) -> T {
        let submitted = self.submitted.take().expect(FETCHED);
        submitted.key().wait();
        // SAFETY: the task is done, and this is its handle.
        match unsafe { submitted.take() } {
            Some(Ok(result)) => result,
            Some(Err(payload)) => pass_on(payload),
            None => {
                // If this thread is inside of the region that has cancelled the scope, it ends, too.
                end_if_cancelled_here();
                panic!("the task was dropped before it began, because its scope had been cancelled")
            }
        }
    }

    /// Whether the task is done, so that [`join`](Self::join) returns at once.
    pub fn is_finished(&self) -> bool {
        self.submitted.as_ref().is_none_or(|submitted| submitted.promise.is_done())
    }

    /// Whether the task has begun and is not done.
    pub(super) fn is_under_way(&self) -> bool {
        let promise = &self.submitted().promise;
        promise.has_begun() && !promise.is_done()
    }

    /// The result of the task, if it is done.
    ///
    /// # Errors
    ///
    /// The handle, if the task is not done.
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join).
    ///
    /// ```
    /// let mut handle = filch::submit(|_| 42);
    /// let answer = loop {
    ///     match handle.try_join() {
    ///         Ok(answer) => break answer,
    ///         Err(unfinished) => handle = unfinished,
    ///     }
    ///     std::thread::yield_now();
    /// };
    /// assert_eq!(answer, 42);
    /// ```
    pub fn try_join(mut self) -> Result<T, Self> {
        if self.is_finished() { Ok(self.fetch()) } else { Err(self) }
    }

    /// Drops the task if it has not begun, and returns whether that is so. Otherwise the task goes on, and nobody
    /// awaits it.
    ///
    /// # Panics
    ///
    /// If the drop of the task panics.
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).build()?;
    /// pool.run(|_| {
    ///     let handle = pool.submit(|_| unreachable!("the only worker is here"));
    ///     assert!(handle.abort());
    /// });
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn abort(self) -> bool {
        self.abort_if_latent()
    }

    fn abort_if_latent(&self) -> bool {
        let Some(submitted) = self.submitted.as_ref().filter(|submitted| submitted.promise.claim()) else {
            return false;
        };
        current::with(|here| {
            if let Some(top) = submitted.top_in_team(here) {
                clear_over(&top);
            }
        });
        // SAFETY: the task has been claimed.
        unsafe { submitted.clear() };
        true
    }

    /// Lets the handle [abort](Self::abort) the task when it is dropped.
    ///
    /// ```
    /// let handle = filch::submit(|_| "done").abort_on_drop();
    /// assert_eq!(handle.join(), "done");
    /// ```
    pub fn abort_on_drop(mut self) -> Self {
        self.aborts = true;
        self
    }
}

impl<T> Drop for Handle<'_, T> {
    fn drop(&mut self) {
        let Some(submitted) = &self.submitted else { return };
        if !(self.aborts && self.abort_if_latent()) && submitted.promise.leave() {
            // SAFETY: the task is done, and its handle was this one.
            unsafe { submitted.dispose() };
        }
    }
}

impl<T> Future for Handle<'_, T> {
    type Output = T;

    /// # Panics
    ///
    /// As [`join`](Handle::join).
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let promise = &self.submitted().promise;
        let is_pending = !promise.is_done() && promise.leave_waiter(HandleWaiter::Waker(context.waker().clone()));
        if is_pending { Poll::Pending } else { Poll::Ready(self.fetch()) }
    }
}

impl<T> fmt::Debug for Handle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_finished = self.submitted.as_ref().map(|submitted| submitted.promise.is_done());
        f.debug_struct("Handle").field("is_finished", &is_finished).finish_non_exhaustive()
    }
}
