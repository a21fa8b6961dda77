//! Strands, and the fork that they are for: the fast path.
//!
//! [`Strand`] is what a program holds, [`fork()`] the one function that everything parallel goes through, [`frame`]
//! what it leaves on the native stack, [`range`] and [`items`] the loops, [`mod@scope`] the tasks that leave no frame,
//! [`unwind`] what happens to that when a panic passes. May import: `worker` and below.

mod context;
mod fork;
mod frame;
pub(crate) mod items;
pub(crate) mod range;
mod scope;
mod unwind;

pub use context::Context;
pub(crate) use fork::fork;
pub(crate) use frame::JoinFrame;
pub use scope::Scope;

use crate::worker::{Rung, cold};
use std::marker::PhantomData;

/// The right to fork here: a token of one word, the rung of the worker's ladder that the next fork uses.
///
/// It lives in a register, so that a fork waits for no load. A branch gets a strand of its own, which cannot leave it:
/// a strand is neither `Send` nor `Sync`, cannot be copied, and its lifetime ends with the branch.
///
/// ```
/// use filch::Strand;
///
/// fn fib(mut s: Strand<'_>, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
///     a + b
/// }
///
/// assert_eq!(filch::run(|s| fib(s, 20)), 6765);
/// ```
///
/// A strand cannot be sent to another thread,
/// ```compile_fail,E0277
/// filch::run(|s| std::thread::scope(|t| { t.spawn(move || { let _s = s; }); }));
/// ```
/// nor shared with one,
/// ```compile_fail,E0277
/// filch::run(|s| std::thread::scope(|t| { t.spawn(|| { let _s = &s; }); }));
/// ```
/// nor captured by a branch that may go there,
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let mut outer = s.reborrow();
///     filch::join(|| (), || outer.join(|_| (), |_| ()));
/// });
/// ```
/// nor kept beyond its branch,
/// ```compile_fail,E0521
/// filch::run(|mut s| {
///     let mut kept = None;
///     s.join(|inner| kept = Some(inner), |_| ());
/// });
/// ```
/// nor returned from the run that made it,
/// ```compile_fail,E0277
/// let escaped = filch::run(|s| s);
/// ```
/// nor used while its branches run.
/// ```compile_fail,E0499
/// filch::run(|mut s| {
///     s.join(|_| { s.join(|_| (), |_| ()); }, |_| ());
/// });
/// ```
/// What the second branch captures must be `Send`, and so must its result.
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let local = std::rc::Rc::new(1);
///     s.join(|_| (), |_| *local);
/// });
/// ```
/// ```compile_fail,E0277
/// filch::run(|mut s| { s.join(|_| (), |_| std::rc::Rc::new(1)); });
/// ```
pub struct Strand<'s> {
    rung: Rung,
    /// Invariant in `'s`, neither `Send` nor `Sync`.
    branch: PhantomData<*mut &'s ()>,
}

impl Strand<'_> {
    /// # Safety
    ///
    /// The current thread occupies the ladder of `rung` for as long as the lifetime that the caller gives to the
    /// strand, and all that time the top of that ladder is at `rung` or above.
    #[inline(always)]
    pub(crate) unsafe fn at(rung: Rung) -> Self {
        Strand { rung, branch: PhantomData }
    }

    /// Where its next fork goes.
    #[inline(always)]
    pub(crate) fn rung(&self) -> Rung {
        self.rung
    }

    /// Runs `a` here and then `b`, unless another worker has taken `b` meanwhile; returns both results.
    ///
    /// Work: a few instructions more than calling both (`docs/fork.md` lists them), no allocation. Span: the longer of
    /// the two. While `b` is elsewhere and `a` is done, this worker runs parts of `b`, and nothing else (papers:
    /// cilk5.txt section 2 for the construct, sections 3 to 5 for its price).
    ///
    /// If `a` blocks until `b` has begun, `b` needs another worker: one with nothing to do, or one that waits for what
    /// `b` is part of, is not 64 tasks deep in waiting already, and is not unwinding. It cannot be had from a
    /// worker that helps others at the end of a scope within the first branch of an older join. And it needs a
    /// place on the ladder: beyond [`ladder_capacity`](crate::PoolBuilder::ladder_capacity) open forks, `b` runs
    /// after `a`, here.
    ///
    /// # Panics
    ///
    /// If a branch panics. The other one, if it has not begun, is dropped; if it has, it is awaited. If both panic, the
    /// payload of `a` is passed on.
    ///
    /// ```
    /// let (a, b) = filch::run(|mut s| s.join(|_| 6 * 7, |_| "forty-two"));
    /// assert_eq!((a, b), (42, "forty-two"));
    /// ```
    #[inline(always)]
    pub fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>) -> RA,
        B: FnOnce(Strand<'_>) -> RB + Send,
        RB: Send,
    {
        self.join_context(
            #[inline(always)]
            |s, _| a(s),
            #[inline(always)]
            |s, _| b(s),
        )
    }

    /// [`join`](Self::join), telling each branch whether it has moved to another worker.
    ///
    /// ```
    /// let (_, split_further) = filch::run(|mut s| s.join_context(|_, _| (), |_, context| context.migrated()));
    /// # let _ = split_further;
    /// ```
    /// ```compile_fail,E0277
    /// filch::run(|mut s| {
    ///     let local = std::rc::Rc::new(1);
    ///     s.join_context(|_, _| (), |_, _| *local);
    /// });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`join`](Self::join).
    #[inline(always)]
    pub fn join_context<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Strand<'_>, Context) -> RA,
        B: FnOnce(Strand<'_>, Context) -> RB + Send,
        RB: Send,
    {
        // SAFETY: a strand exists only on the thread that occupies its ladder, and not longer than the top stays above.
        let may_push = unsafe { self.rung.is_free() };
        // The strand keeps its own rung: once this fork is over, that may be the better one again.
        // SAFETY: as above.
        unsafe { fork(self.rung, may_push, cold::recover_stale, a, b) }
    }

    /// A strand for somebody else to use up, after which this one can be used again.
    ///
    /// ```
    /// use filch::Strand;
    ///
    /// fn total(mut s: Strand<'_>, rows: &[Vec<u64>]) -> u64 {
    ///     rows.iter().map(|row| sum(s.reborrow(), row)).sum()
    /// }
    ///
    /// fn sum(mut s: Strand<'_>, row: &[u64]) -> u64 {
    ///     let (left, right) = row.split_at(row.len() / 2);
    ///     let (a, b) = s.join(|_| left.iter().sum::<u64>(), |_| right.iter().sum::<u64>());
    ///     a + b
    /// }
    ///
    /// assert_eq!(filch::run(|s| total(s, &[vec![1, 2], vec![3, 4, 5]])), 15);
    /// ```
    #[inline(always)]
    pub fn reborrow(&mut self) -> Strand<'_> {
        Strand { rung: self.rung, branch: PhantomData }
    }
}

impl std::fmt::Debug for Strand<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Strand").finish_non_exhaustive()
    }
}
