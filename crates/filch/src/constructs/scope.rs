//! Scopes: tasks spawned one by one, and awaited together.
//!
//! The shape is that of `std::thread::scope`: what a task may borrow is decided by two lifetimes. `'env` is all that is
//! outside of the scope; `'scope` is the scope's own, which the body is generic over, so that it can be nothing longer
//! than the call. A task may borrow for `'scope`: from `'env`, or the scope itself, but not from the body's own
//! variables, which are gone before the tasks are. A task is not told its scope: it captures those it wants to spawn
//! into, the inner or an outer one.

use crate::constructs::quietly::drop_quietly;
use crate::constructs::strand::Strand;
use crate::engine::frame::Rung;
use crate::engine::tasks::Core;
pub(crate) use crate::engine::tasks::Order;
use crate::engine::tasks::{Job, Task};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};

/// Where tasks are spawned that are all done when the scope is over (finish and async: xws.txt, section 1.2).
///
/// Made by [`Strand::scope`] and [`filch::scope`](crate::scope()). A task gets a strand and may do everything: fork,
/// open scopes of its own, and spawn into any scope that it can name, also one further out.
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
/// Threads from elsewhere may spawn into it, too.
/// ```
/// filch::scope(|_, scope| {
///     std::thread::scope(|threads| { threads.spawn(|| scope.spawn(|_| println!("run by a worker"))); });
/// });
/// ```
///
/// A task cannot borrow what the body owns,
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
/// nor what an inner scope's body owns, spawned into an outer one,
/// ```compile_fail,E0597
/// filch::scope(|mut s, outer| {
///     let local = 1;
///     let borrowed = &local;
///     s.scope(|_, _| outer.spawn(move |_| println!("{borrowed}")));
/// });
/// ```
/// nor an inner scope,
/// ```compile_fail,E0521
/// filch::scope(|mut s, outer| {
///     s.scope(|_, inner| outer.spawn(move |_| inner.spawn(|_| ())));
/// });
/// ```
/// nor change what others can see;
/// ```compile_fail,E0499
/// let mut n = 0;
/// filch::scope(|_, scope| {
///     scope.spawn(|_| n += 1);
///     scope.spawn(|_| n += 1);
/// });
/// ```
/// what is borrowed is borrowed to the end of the scope.
/// ```compile_fail,E0506
/// let mut n = 0;
/// filch::scope(|_, scope| {
///     scope.spawn(|_| println!("{n}"));
///     n += 1;
/// });
/// ```
/// What it captures must be `Send`,
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
/// so it cannot take the body's strand along;
/// ```compile_fail,E0277
/// filch::scope(|s, scope| scope.spawn(move |_| { let _s = s; }));
/// ```
/// and a scope cannot be kept.
/// ```compile_fail,E0521
/// let mut kept = None;
/// filch::run(|mut s| s.scope(|_, scope| kept = Some(scope)));
/// ```
pub struct Scope<'scope, 'env: 'scope> {
    core: Core,
    /// Invariant in both: a longer `'scope` would let a task borrow from the body, a shorter one pass for that of
    /// another.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// What a panic leaves behind is for the owner to resume (tests/scopes/).
impl UnwindSafe for Scope<'_, '_> {}
impl RefUnwindSafe for Scope<'_, '_> {}

impl<'scope> Scope<'scope, '_> {
    /// Leaves `task` to be run by any worker of the scope's pool, at the end of the scope at the latest.
    ///
    /// The worker that spawned a task has it ready for itself: at the end of the scope it runs its own tasks first, the
    /// latest first (see [`Strand::scope_fifo`]). From a thread that is none of the pool's workers, one that sleeps is
    /// woken.
    ///
    /// Work: a lock, and a locked instruction for the count, to spawn and to run; nothing is allocated for a closure of
    /// up to seven words, once the pool of tasks has grown to the most that were ever in it, 1024 at most. Memory:
    /// what is spawned and not begun. For a great many equal pieces a loop is cheaper ([`Strand::for_each`]).
    ///
    /// In a scope that is cancelled `task` is dropped.
    ///
    /// # Panics
    ///
    /// If `task` is dropped here, and that panics. If it panics when it is run, the scope is cancelled, and panics at
    /// its end.
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
        if self.core.is_cancelled() {
            return;
        }
        // SAFETY: what is borrowed for `'scope` lives until after the scope has been finished, and so have all its
        // jobs.
        let job = unsafe { Job::new(Closure(task)) };
        // SAFETY: the body is generic over `'scope`, so nothing outside of it and its tasks can hold this reference:
        // the caller is one of these, or something inside that they await.
        unsafe { self.core.spawn(job) };
    }

    /// [`spawn`](Self::spawn) for a time to come, by the clock of `sync`: until then only who waits at the scope's end
    /// runs it, and nobody is called.
    pub(crate) fn spawn_later<F>(&'scope self, due_ns: u64, task: F)
    where
        F: FnOnce(Strand<'_>) + Send + 'scope,
    {
        if self.core.is_cancelled() {
            return;
        }
        // SAFETY: as in `spawn`.
        let job = unsafe { Job::new(Closure(task)) };
        // SAFETY: as in `spawn`.
        unsafe { self.core.spawn_later(job, due_ns) };
    }

    /// Stops the scope: tasks that nobody has begun are dropped, and so are those that are spawned from now on. What
    /// runs is awaited; it can look at [`is_cancelled`](Self::is_cancelled).
    ///
    /// Returns at once. Panics of tasks that are dropped go to the pool's panic handler, if it has one.
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

struct Closure<F>(F);

impl<F: FnOnce(Strand<'_>) + Send> Task for Closure<F> {
    unsafe fn run(self, rung: Rung) {
        // SAFETY: the caller occupies the ladder of `rung`, its top, until this returns.
        (self.0)(unsafe { Strand::at(rung) });
    }
}

impl Strand<'_> {
    /// Runs `body`, which may [spawn](Scope::spawn) tasks, and returns its result once all of them are done.
    ///
    /// Threads without work run tasks of any scope; this worker, from the end of the body on, those of this scope. Once
    /// all are begun it runs parts of them, and nothing else.
    ///
    /// What tasks put into a [`Reducer`](crate::Reducer) is there when the scope is over, in the order in which they
    /// happened to run.
    ///
    /// Work: as much as body and tasks, plus what each spawn costs. Span: that of the longest chain of tasks that
    /// spawned each other (papers: xws.txt sections 1.2 and 2.1; tasks need not be nested, so the bounds for joins do
    /// not hold).
    ///
    /// # Panics
    ///
    /// If the body or a task does, with what the first of them panicked with. The scope is cancelled at that: tasks
    /// that nobody has begun are dropped. Those that run are awaited, and further payloads go to the pool's panic
    /// handler, if it has one.
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
        // SAFETY: a strand exists only on the thread that occupies its ladder.
        unsafe { scope(self.rung(), Order::Lifo, body) }
    }

    /// As [`scope`](Self::scope), but a worker runs the tasks that it has spawned itself in the order in which it has
    /// spawned them, the earliest first. For tasks that are better run in that order: a queue of jobs by urgency, a
    /// search by levels.
    ///
    /// Between workers there is no order; and more tasks wait at a time than with `scope`, which goes into depth.
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
        // SAFETY: as above.
        unsafe { scope(self.rung(), Order::Fifo, body) }
    }
}

/// Opens a scope, runs `body`, and awaits its tasks.
///
/// # Safety
///
/// The current thread occupies the ladder of `rung`, whose top is at `rung` or above.
unsafe fn scope<'env, F, R>(rung: Rung, order: Order, body: F) -> R
where
    F: for<'scope> FnOnce(Strand<'_>, &'scope Scope<'scope, 'env>) -> R,
{
    // SAFETY: forwarded. Nothing below unwinds before the scope is finished, and it stays in this variable.
    let core = unsafe { Core::open(rung, order) };
    let scope = Scope { core, scope: PhantomData, env: PhantomData };
    // Unwind safety: the panic is resumed below.
    // SAFETY: forwarded; the body pops what it pushes.
    let result = catch_unwind(AssertUnwindSafe(|| body(unsafe { Strand::at(rung) }, &scope)));
    let result = result.map_err(|payload| scope.core.note_panic(payload));
    // SAFETY: opened above; the body is over.
    unsafe { scope.core.finish(rung) };
    let panic = scope.core.take_panic();
    match (result, panic) {
        (Ok(result), None) => result,
        (result, panic) => {
            if let Ok(result) = result {
                drop_quietly(rung, result);
            }
            resume_unwind(panic.expect("the body's, if no other"))
        }
    }
}
