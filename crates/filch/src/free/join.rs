//! Joins without a strand.

use super::run::{here, run};
use crate::constructs::{Context, Strand, fork};
use crate::engine::seats::current;
use crate::engine::share::at_fork;
use crate::engine::team::Occupied;

/// Runs `a` and `b`, in parallel if another worker is idle, and returns both results.
///
/// This is [`Strand::join`] without a strand, and has the same work and span. It is a little slower, because it looks
/// up its place in thread-local memory. Both branches must be `Send`, so that neither can capture a strand, which would
/// be out of date in the branch. Outside of any run, it runs on the [global pool](crate::Pool::global).
///
/// ```
/// fn largest(numbers: &[i32]) -> Option<i32> {
///     let (left, right) = numbers.split_at(numbers.len() / 2);
///     match (left, right) {
///         (_, []) => None,
///         ([], [one]) => Some(*one),
///         _ => {
///             let (a, b) = filch::join(|| largest(left), || largest(right));
///             a.max(b)
///         }
///     }
/// }
///
/// assert_eq!(largest(&[3, 1, 4, 1, 5, 9, 2, 6]), Some(9));
/// ```
///
/// Captures and results must be `Send`:
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::join(|| *local, || 2);
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::join(|| 1, || *local);
/// ```
/// ```compile_fail,E0277
/// filch::join(|| std::rc::Rc::new(1), || 2);
/// ```
/// ```compile_fail,E0277
/// filch::join(|| 1, || std::rc::Rc::new(2));
/// ```
///
/// # Panics
///
/// As [`Strand::join`]. Outside of any run, also as [`run`].
#[inline(always)]
#[track_caller]
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    join_context(
        #[inline(always)]
        |_| a(),
        #[inline(always)]
        |_| b(),
    )
}

/// Like [`join`], and tells each branch whether it has moved to another worker.
///
/// ```
/// let (a, b) = filch::join_context(|context| context.migrated(), |context| context.migrated());
/// assert!(!a, "a first branch stays");
/// # let _ = b;
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::join_context(|_| *local, |_| 2);
/// ```
/// ```compile_fail,E0277
/// let local = std::rc::Rc::new(1);
/// filch::join_context(|_| 1, |_| *local);
/// ```
///
/// # Panics
///
/// As [`join`].
#[inline(always)]
#[track_caller]
pub fn join_context<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Context) -> RA + Send,
    B: FnOnce(Context) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let hint = current::hint_or_outside();
    // The top is the free rung above the last frame. After explicit forks the hint can be below or above the top.
    // SAFETY: a thread with a hint occupies the ladder of the hint. The hint of any other thread is a rung that is
    // never free, of which nothing else is asked.
    let at = unsafe { Occupied::at(hint) };
    let top = at.if_top();
    if top.is_none() && current::is_outside(hint) {
        return outside(a, b);
    }
    fork(at, top, at_fork::recover, leaving_word(a), leaving_word(b))
}

/// A branch that first stores its rung as the hint, for the implicit joins inside it.
#[inline(always)]
fn leaving_word<F, R>(f: F) -> impl FnOnce(Strand<'_>, Context) -> R
where
    F: FnOnce(Context) -> R,
{
    #[inline(always)]
    move |s: Strand<'_>, context| {
        current::set_hint(s.occupied().rung());
        f(context)
    }
}

/// A join outside of any run.
#[cold]
#[inline(never)]
fn outside<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce(Context) -> RA + Send,
    B: FnOnce(Context) -> RB + Send,
    RA: Send,
    RB: Send,
{
    run(|mut s| s.join_context(leaving_word(a), leaving_word(b)))
}

/// Runs `a` and `b`, as [`join`] does, and lets both add to one accumulator: [`Strand::join_with`] without a strand.
///
/// ```
/// let mut lines = vec!["first"];
/// filch::join_with(&mut lines, Vec::new, |x| x.push("second"), |x| x.push("third"), |x, later| x.extend(later));
/// assert_eq!(lines, ["first", "second", "third"]);
/// ```
///
/// # Panics
///
/// As [`Strand::join_with`]. Outside of any run, also as [`run`].
pub fn join_with<W, A, B, RA, RB>(
    accumulator: &mut W,
    make: impl FnOnce() -> W + Send,
    a: A,
    b: B,
    merge: impl FnOnce(&mut W, W) + Send,
) -> (RA, RB)
where
    W: Send,
    A: FnOnce(&mut W) -> RA + Send,
    B: FnOnce(&mut W) -> RB + Send,
    RA: Send,
    RB: Send,
{
    here(|mut s| s.join_with(accumulator, make, |_, own| a(own), |_, own| b(own), merge))
}
