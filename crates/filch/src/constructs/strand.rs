//! Strands: what a program holds in order to fork.

use crate::engine::frame::Rung;
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
