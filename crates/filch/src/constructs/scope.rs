//! Scopes: tasks that are spawned one by one and awaited together.
//!
//! As with `std::thread::scope`, two lifetimes decide what a task may borrow. `'env` is everything outside of the
//! scope. `'scope` is the scope's own lifetime. The body is generic over it, so it is never longer than the call. A
//! task may borrow for `'scope`: from `'env` or the scope itself, but not from the variables of the body, which end
//! before the tasks do. A task does not get its scope as an argument. It captures the scopes into which it spawns,
//! inner or outer ones.

use crate::constructs::drop_while_unwinding::drop_quietly_for;
use crate::constructs::strand::Strand;
use crate::engine::recording;
use crate::engine::scopes::group::{Group, SpawnOrder};
use crate::engine::seats::ambient::{end_if_cancelled, end_if_cancelled_here, pass_on};
use crate::engine::spawned::Task;
use crate::engine::team::Team;
use crate::engine::team::{Occupied, Top};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};
use std::thread;

/// A scope into which tasks are spawned. All of them are done when the scope ends (finish and async: Cong et al. 2008,
/// section 1.2).
///
/// [`Strand::scope`] and [`filch::scope`](crate::scope()) make scopes. A task gets a strand. It may fork, open scopes
/// of its own, and spawn into any scope that it can name, including outer ones.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// let (inner, outer) = (AtomicU32::new(0), AtomicU32::new(0));
/// filch::scope(|mut s, all| {
///     s.scope(|_, some| {
///         some.spawn(|_| {
///             inner.fetch_add(1, Ordering::Relaxed);
///             all.spawn(|_| { outer.fetch_add(1, Ordering::Relaxed); });
///         });
///     });
///     assert_eq!(inner.load(Ordering::Relaxed), 1, "awaited; the other task may be under way");
/// });
/// assert_eq!(outer.load(Ordering::Relaxed), 1);
/// ```
///
/// Threads that do not belong to the pool may spawn into a scope, too:
/// ```
/// filch::scope(|_, scope| {
///     std::thread::scope(|threads| { threads.spawn(|| scope.spawn(|_| println!("run by a worker"))); });
/// });
/// ```
///
/// A task cannot borrow what the body owns:
/// ```compile_fail,E0373
/// filch::scope(|_, scope| {
///     let local = 1;
///     scope.spawn(|_| println!("{local}"));
/// });
/// ```
/// ```compile_fail,E0597
/// filch::scope(|_, scope| {
///     let local = 1;
///     let borrowed = &local;
///     scope.spawn(move |_| println!("{borrowed}"));
/// });
/// ```
/// A task in an outer scope cannot borrow what the body of an inner scope owns:
/// ```compile_fail,E0597
/// filch::scope(|mut s, outer| {
///     let local = 1;
///     let borrowed = &local;
///     s.scope(|_, _| outer.spawn(move |_| println!("{borrowed}")));
/// });
/// ```
/// Nor can it borrow an inner scope:
/// ```compile_fail,E0521
/// filch::scope(|mut s, outer| {
///     s.scope(|_, inner| outer.spawn(move |_| inner.spawn(|_| ())));
/// });
/// ```
/// Two tasks cannot borrow the same variable mutably:
/// ```compile_fail,E0499
/// let mut n = 0;
/// filch::scope(|_, scope| {
///     scope.spawn(|_| n += 1);
///     scope.spawn(|_| n += 1);
/// });
/// ```
/// What a task borrows stays borrowed to the end of the scope:
/// ```compile_fail,E0506
/// let mut n = 0;
/// filch::scope(|_, scope| {
///     scope.spawn(|_| println!("{n}"));
///     n += 1;
/// });
/// ```
/// What a task captures must be `Send`:
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::run(|mut s| s.scope(|_, scope| scope.spawn(|_| println!("{local}"))));
/// ```
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let local = std::rc::Rc::new(1);
///     s.scope(|_, scope| { let local = local.clone(); scope.spawn(move |_| println!("{local}")) });
/// });
/// ```
/// So a task cannot capture the strand of the body:
/// ```compile_fail,E0277
/// filch::scope(|s, scope| scope.spawn(move |_| { let _s = s; }));
/// ```
/// A scope cannot be kept:
/// ```compile_fail,E0521
/// let mut kept = None;
/// filch::run(|mut s| s.scope(|_, scope| kept = Some(scope)));
/// ```
pub struct Scope<'scope, 'env: 'scope> {
    core: Group,
    /// Invariant in both lifetimes: with a longer `'scope` a task could borrow from the body, and with a shorter one a
    /// scope could pass for another scope.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// The owner of the scope resumes a panic after the scope, so no code inside sees what it has left behind
// (crates/filch-tests/tests/scopes/).
impl UnwindSafe for Scope<'_, '_> {}
impl RefUnwindSafe for Scope<'_, '_> {}

impl Scope<'_, '_> {
    pub(super) fn core(&self) -> &Group {
        &self.core
    }

    fn of(core: Group) -> Self {
        Scope { core, scope: PhantomData, env: PhantomData }
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Spawns `task` into this scope. Any worker of the scope's pool may run it, at the end of the scope at the latest.
    ///
    /// The task waits at the worker that has spawned it. At the end of the scope, the worker that opened the scope runs
    /// its own tasks first, the newest first (or the oldest first, see [`Strand::scope_fifo`]). A spawn from a thread
    /// that is not a worker of the pool wakes a sleeping worker.
    ///
    /// Work: fewer than 300 instructions to spawn and to run a task. None of them is a locked one for a task that the
    /// thread which has opened the scope spawns and runs, unless another worker has looked for tasks there lately, or
    /// the system has no asymmetric barrier. A closure of up to seven words is not allocated separately, and the queues
    /// of the workers keep memory for up to 1024 tasks. Memory: the tasks that have not begun. For many equal pieces of
    /// work a loop is cheaper ([`Strand::for_each`]).
    ///
    /// If the scope is cancelled, `task` is dropped.
    ///
    /// # Panics
    ///
    /// If `task` is dropped by this call and its destructor panics. If `task` panics when it runs, the scope is
    /// cancelled, and panics at its end.
    ///
    /// ```
    /// let mut squares = [0; 10];
    /// filch::scope(|_, scope| {
    ///     for (i, square) in squares.iter_mut().enumerate() {
    ///         scope.spawn(move |_| *square = i * i);
    ///     }
    /// });
    /// assert_eq!(squares[9], 81);
    /// ```
    pub fn spawn<F>(&'scope self, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'scope,
    {
        self.spawn_task(Closure(task));
    }

    /// As [`spawn`](Self::spawn).
    pub(super) fn spawn_task(&'scope self, task: impl Task + 'scope) {
        if self.core.around().is_cancelled() {
            end_if_cancelled_here();
        }
        if self.core.is_cancelled() {
            return;
        }
        // SAFETY: what is borrowed for `'scope` lives until the scope has been finished. The body is generic over
        // `'scope`, so only the body, its tasks, and what they await can have this reference.
        self.core.spawn(unsafe { self.core.task(task) });
    }

    /// Like [`spawn`](Self::spawn), for a task that is due at a later time, by the clock of `sync`. Until then only the
    /// worker that waits at the end of the scope runs it, and no other worker is called.
    pub(crate) fn spawn_later<F>(&'scope self, due_ns: u64, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'scope,
    {
        if self.core.is_cancelled() {
            return;
        }
        // SAFETY: as in `spawn`.
        self.core.spawn_later(unsafe { self.core.task(Closure(task)) }, due_ns);
    }

    /// Cancels the scope: tasks that have not begun are dropped, and so are tasks that are spawned from now on. Tasks
    /// that are running are awaited; they can check [`is_cancelled`](Self::is_cancelled).
    ///
    /// Returns at once. If the destructor of a dropped task panics, the payload goes to the pool's panic handler, if
    /// there is one.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// let found = AtomicU32::new(0);
    /// filch::scope(|_, scope| {
    ///     for i in 1..1000 {
    ///         let found = &found;
    ///         scope.spawn(move |_| {
    ///             if i * i % 7919 == 1234 {
    ///                 found.store(i, Ordering::Relaxed);
    ///                 scope.cancel();
    ///             }
    ///         });
    ///     }
    /// });
    /// let found = found.into_inner();
    /// assert!(found == 0 || found * found % 7919 == 1234);
    /// ```
    pub fn cancel(&self) {
        self.core.cancel();
    }

    /// Whether the scope has been [cancelled](Self::cancel), or its body or one of its tasks has panicked.
    pub fn is_cancelled(&self) -> bool {
        self.core.is_cancelled()
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

/// A task that gets a strand.
pub(crate) struct Closure<F>(pub(crate) F);

impl<F: FnOnce(Strand<'_>) + Send> Task for Closure<F> {
    fn run(self, top: Top<'_>) {
        (self.0)(Strand::of(top));
    }
}

impl Strand<'_> {
    /// Runs `body`, which may [spawn](Scope::spawn) tasks, and returns its result when all tasks are done.
    ///
    /// Idle workers run tasks of any scope. When `body` has returned, this worker runs tasks of this scope. When all of
    /// them have begun, it runs parts of them, and nothing else (unless the scheduler says
    /// [`Wait::Any`](crate::Wait::Any)).
    ///
    /// What tasks put into a [`Reducer`](crate::Reducer) is there when the scope has ended, in the nondeterministic
    /// order in which the tasks ran.
    ///
    /// Work: that of the body and the tasks, and the cost of each spawn. Span: the longest chain of tasks in which each
    /// spawned the next. The construct is that of Cong et al. 2008, sections 1.2 and 2.1. Tasks need not be nested, so
    /// the bounds for joins do not apply.
    ///
    /// # Panics
    ///
    /// If the body or a task panics, with the payload of the first panic. The panic cancels the scope: tasks that have
    /// not begun are dropped, and those that are running are awaited. Further payloads go to the pool's panic handler,
    /// if there is one.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// /// Adds up a tree. Nobody waits for a child; the scope waits for all.
    /// struct Node { value: u64, children: Vec<Node> }
    ///
    /// fn add<'scope>(scope: &'scope filch::Scope<'scope, '_>, node: &'scope Node, sum: &'scope AtomicU64) {
    ///     sum.fetch_add(node.value, Ordering::Relaxed);
    ///     for child in &node.children {
    ///         scope.spawn(move |_| add(scope, child, sum));
    ///     }
    /// }
    ///
    /// let leaf = |value| Node { value, children: vec![] };
    /// let root = Node { value: 1, children: vec![leaf(2), leaf(3)] };
    /// let sum = AtomicU64::new(0);
    /// filch::run(|mut s| s.scope(|_, scope| add(scope, &root, &sum)));
    /// assert_eq!(sum.into_inner(), 6);
    /// ```
    pub fn scope<'env, F, R>(&mut self, body: F) -> R
    where
        F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R,
    {
        self.scope_in(SpawnOrder::Lifo, body)
    }

    /// Like [`scope`](Self::scope), but a worker runs the tasks that it has spawned in the order in which it spawned
    /// them, the oldest first. This is for tasks that are better run in that order, such as a queue of jobs by urgency
    /// or a search by levels.
    ///
    /// Between workers there is no order. More tasks wait at a time than with `scope`, which goes depth first.
    ///
    /// # Panics
    ///
    /// As [`scope`](Self::scope).
    ///
    /// ```
    /// let pool = filch::Pool::builder().workers(1).build()?;
    /// let order = std::sync::Mutex::new(vec![]);
    /// pool.run(|mut s| s.scope_fifo(|_, scope| {
    ///     for i in 0..3 {
    ///         let order = &order;
    ///         scope.spawn(move |_| order.lock().unwrap().push(i));
    ///     }
    /// }));
    /// assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
    /// # Ok::<(), filch::PoolError>(())
    /// ```
    pub fn scope_fifo<'env, F, R>(&mut self, body: F) -> R
    where
        F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R,
    {
        self.scope_in(SpawnOrder::Fifo, body)
    }

    pub(crate) fn scope_in<'env, F, R>(&mut self, order: SpawnOrder, body: F) -> R
    where
        F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R,
    {
        scope(self.reborrow(), order, body)
    }
}

/// Opens a scope, runs `body`, and waits for the tasks.
fn scope<'env, F, R>(s: Strand<'_>, order: SpawnOrder, body: F) -> R
where
    F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R,
{
    let at = s.occupied();
    // SAFETY: nothing below unwinds before the scope is finished, so the scope stays in this variable until then.
    let scope = Scope::of(unsafe { Group::open(at, order) });
    let recorded = recording::open(scope.core.head().addr().get());
    // SAFETY: the scope was opened above.
    let result = unsafe { run_and_finish(at, &scope.core, || body(s, &scope)) };
    drop(recorded);
    let result = result.unwrap_or_else(|payload| pass_on(payload));
    end_if_cancelled(at);
    result
}

/// Opens a scope of `team`, for which this thread does not work, runs `body` here, and waits for the tasks.
///
/// # Safety
///
/// The team lives until this returns, and this thread [may wait outside](crate::engine::wait::outside).
pub(crate) unsafe fn scope_outside<'env, F, R>(team: &Team, order: SpawnOrder, body: F) -> R
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
{
    // SAFETY: guaranteed by the caller. Nothing below unwinds before the scope is finished, so the scope stays in this
    // variable until then.
    let scope = Scope::of(unsafe { Group::open_outside(team, order) });
    // SAFETY: it is dropped at the end of this.
    let _calling = unsafe { scope.core.around().call_while(team) };
    // SAFETY: this thread has opened the scope, and calls this once, after the body.
    let finish = || unsafe { scope.core.finish_outside() };
    run_then(&scope.core, || body(&scope), finish).unwrap_or_else(|payload| pass_on(payload))
}

/// Runs the body of `core`, and returns its result when all tasks are done; or the payload of the first panic. Does not
/// unwind.
///
/// # Safety
///
/// The current thread must have opened `core`. To be called once.
pub(crate) unsafe fn run_and_finish<R>(at: Occupied<'_>, core: &Group, body: impl FnOnce() -> R) -> thread::Result<R> {
    // SAFETY: by the contract of this function; the body is over.
    run_then(core, body, || unsafe { core.finish(at) })
}

fn run_then<R>(core: &Group, body: impl FnOnce() -> R, finish: impl FnOnce()) -> thread::Result<R> {
    // Unwind safety: the panic is resumed by the caller.
    let result = catch_unwind(AssertUnwindSafe(body));
    let result = result.map_err(|payload| core.note_panic(payload));
    finish();
    match (result, core.take_panic()) {
        (Ok(result), None) => Ok(result),
        (result, panic) => {
            if let Ok(result) = result {
                drop_quietly_for(core.team(), result);
            }
            Err(panic.expect("the body's, if no other"))
        }
    }
}
