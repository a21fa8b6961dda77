//! Strands: what a program needs in order to fork.

use crate::engine::team::{Occupied, Top};
use std::marker::PhantomData;

/// The right to fork.
///
/// A strand is a token of one word: the address of the slot that the next fork uses. It lives in a register, so a fork
/// does not wait for a load. Every branch gets a strand of its own, which cannot leave that branch: a strand is neither
/// `Send` nor `Sync`, it cannot be copied, and its lifetime ends with the branch.
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
/// A strand cannot be sent to another thread:
/// ```compile_fail,E0277
/// filch::run(|s| std::thread::scope(|t| { t.spawn(move || { let _s = s; }); }));
/// ```
/// It cannot be shared with another thread:
/// ```compile_fail,E0277
/// filch::run(|s| std::thread::scope(|t| { t.spawn(|| { let _s = &s; }); }));
/// ```
/// It cannot be captured by a branch that may move to another thread:
/// ```compile_fail,E0277
/// filch::run(|mut s| {
///     let mut outer = s.reborrow();
///     filch::join(|| (), || outer.join(|_| (), |_| ()));
/// });
/// ```
/// It cannot be kept beyond its branch:
/// ```compile_fail,E0521
/// filch::run(|mut s| {
///     let mut kept = None;
///     s.join(|inner| kept = Some(inner), |_| ());
/// });
/// ```
/// It cannot be returned from the run that made it:
/// ```compile_fail,E0277
/// let escaped = filch::run(|s| s);
/// ```
/// It cannot be used while its branches run:
/// ```compile_fail,E0499
/// filch::run(|mut s| {
///     s.join(|_| { s.join(|_| (), |_| ()); }, |_| ());
/// });
/// ```
/// The captures and the result of a second branch must be `Send`:
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
    /// The top is not below this rung.
    at: Occupied<'s>,
    /// Invariant in `'s`.
    branch: PhantomData<*mut &'s ()>,
}

impl<'s> Strand<'s> {
    /// A strand for a branch that runs at `top`.
    #[inline(always)]
    pub(crate) fn of(top: Top<'s>) -> Self {
        top.check();
        Strand { at: *top, branch: PhantomData }
    }

    /// The ladder that this thread occupies, at the rung of the next fork.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> Occupied<'s> {
        self.at
    }

    /// Where the next fork pushes, if this strand is current and the slot is free.
    #[inline(always)]
    pub(crate) fn top(&mut self) -> Option<Top<'_>> {
        // SAFETY: the top is not below the rung of a strand.
        unsafe { self.at.if_free() }
    }

    /// The same, or as an error what to look for the top with.
    #[inline(always)]
    pub(crate) fn into_top(self) -> Result<Top<'s>, Occupied<'s>> {
        // SAFETY: the top is not below the rung of a strand.
        unsafe { self.at.if_free() }.ok_or(self.at)
    }
}

impl Strand<'_> {
    /// Borrows this strand as a shorter-lived one, which can be passed by value. Afterwards this strand can be used
    /// again.
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
        Strand { at: self.at, branch: PhantomData }
    }
}

impl std::fmt::Debug for Strand<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Strand").finish_non_exhaustive()
    }
}
