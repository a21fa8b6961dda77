//! Runs on the global pool, and what a thread works for.

use crate::constructs::Strand;
use crate::engine::seats::current;
use crate::engine::team::Occupied;
use crate::pool::Pool;

/// Runs `f` with a strand on the [global pool](Pool::global), and returns its result.
///
/// This is [`Pool::run`] of the global pool, also inside a run of another pool. `f` and its result must be `Send`.
///
/// ```
/// assert_eq!(filch::run(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::run(|_| *local);
/// ```
/// ```compile_fail,E0277
/// filch::run(|_| std::rc::Rc::new(1));
/// ```
///
/// # Panics
///
/// If `f` panics. Also if the environment has invalid settings for the global pool, or if its threads cannot be
/// started; the message says which. [`Pool::global`] returns that as an error instead.
pub fn run<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    global().run(f)
}

/// [`run`], for a caller that must not wait though all workers are busy:
/// [`Pool::run_urgent`](crate::Pool::run_urgent) of the global pool.
///
/// ```
/// assert_eq!(filch::run_urgent(|mut s| s.join(|_| 1, |_| 2)), (1, 2));
/// ```
///
/// # Panics
///
/// As [`run`].
pub fn run_urgent<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    global().run_urgent(f)
}

/// The index of the worker that this thread works as, less than [`num_workers`]. `None` outside of any run.
///
/// No two threads that work for a pool at the same time have the same index, except for runs without a seat
/// ([`Counters::seats_exceeded`](crate::Counters::seats_exceeded)), which have index 0.
pub fn current_worker() -> Option<usize> {
    current::seat()
}

/// Whether this thread works for a pool: whether [`current_worker`] has an answer. One comparison of a thread-local
/// word.
///
/// ```
/// assert!(!filch::is_worker());
/// assert!(filch::run(|_| filch::is_worker()));
/// ```
#[inline]
pub fn is_worker() -> bool {
    current::hint().is_some()
}

/// Whether work that this thread shows now would be welcome: another worker has asked for some, a beat is due, or a
/// thread sleeps until there is some. Also true where no other worker can know yet: outside of any run, and before the
/// run has forked.
///
/// For libraries that decide how much work to do before they fork. A thread has just become idle, or this one has shown
/// enough already, so the answer is a hint. Three comparisons, usually.
///
/// ```
/// assert!(filch::is_wanted());
/// filch::run(|mut s| {
///     assert!(filch::is_wanted());
///     s.join(|_| (), |_| ());
///     let sum: u64 = (1..=1000).take_while(|_| !filch::is_wanted()).sum();
///     assert!(sum <= 500_500);
/// });
/// ```
#[inline]
pub fn is_wanted() -> bool {
    may_be_wanted() && is_wanted_at_top()
}

/// Whether [`is_wanted`] may be true: if this is false, so is that. Three comparisons, always.
///
/// For a loop that should stay small where it is inlined: what calls nothing saves no registers.
///
/// ```
/// assert!(filch::may_be_wanted());
/// filch::run(|mut s| {
///     s.join(|_| (), |_| ());
///     if !filch::may_be_wanted() {
///         // Nobody wanted anything just now.
///     }
/// });
/// ```
#[inline]
pub fn may_be_wanted() -> bool {
    // SAFETY: a thread with a hint occupies the ladder of the hint. The hint of any other thread is a rung that is
    // never free, of which nothing else is asked.
    let at = unsafe { Occupied::at(current::hint_or_outside()) };
    at.if_top().is_none_or(|top| top.is_wanted())
}

/// [`is_wanted`], where the hint is not the top, as after other joins than implicit ones, or the answer seems to be
/// yes.
#[cold]
#[inline(never)]
fn is_wanted_at_top() -> bool {
    current::with(|here| {
        let Some(top) = here.map(Occupied::top) else { return true };
        if top.is_full() {
            return false;
        }
        // So that the next look is a quick one.
        current::set_hint(top.rung());
        !top.is_free() || top.is_wanted()
    })
}

/// The number of workers of the pool that this thread works for. Outside of any run, that of the global pool.
///
/// # Panics
///
/// As [`run`], outside of any run.
pub fn num_workers() -> usize {
    current::with(|here| here.map(|here| here.owner().num_workers())).unwrap_or_else(|| global().num_workers())
}

/// Runs `f` with a strand of the ladder that this thread works on or, outside of any run, on the global pool.
pub(super) fn here<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    current::with(|here| match here {
        Some(here) => f(Strand::of(here.top())),
        None => outside(f),
    })
}

/// Runs `f` on the global pool, by a pointer: entering a pool has several ways to call `f`, and each of them would be a
/// copy of a whole loop.
#[cold]
fn outside<F, R>(f: F) -> R
where
    F: FnOnce(Strand<'_>) -> R + Send,
    R: Send,
{
    let mut f = Some(f);
    let mut result = None;
    let call: &mut (dyn FnMut(Strand<'_>) + Send) = &mut |s| {
        let f = f.take().expect("a run begins once");
        result = Some(f(s));
    };
    run(call);
    result.expect("a run has a result unless it panics")
}

pub(super) fn global() -> &'static Pool {
    Pool::global().unwrap_or_else(|error| panic!("cannot start the global pool: {error}"))
}
