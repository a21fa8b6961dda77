//! The interface of programs to runtimes: tokens.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Range};

use super::items::Items;

/// A library that can run two closures in parallel.
pub trait Runtime: Sized + 'static {
    /// What users of the library pass from fork to fork.
    type Handle<'a, 'b: 'a>;

    /// Runs `a` and `b`, in parallel or one after the other.
    fn join<A, B, RA, RB>(handle: &mut Self::Handle<'_, '_>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send;

    /// Runs `body` on every item, in parallel or one after the other.
    fn for_each<I, F>(handle: &mut Self::Handle<'_, '_>, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync;

    /// Maps every item, in parallel or one after the other, and combines the results in the order of the items.
    fn map_reduce<I, T, N, M, C>(handle: &mut Self::Handle<'_, '_>, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync;

    /// Maps every item, in parallel or one after the other, and adds up the results. Some libraries have a function of
    /// their own for this, which is faster.
    #[inline(always)]
    fn sum<I, T, M>(handle: &mut Self::Handle<'_, '_>, items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
    {
        Self::map_reduce(handle, items, T::default, map, |left, right| left + right)
    }

    /// Is told that the work from here to the next fork, or to the end of the branch, reads or writes these addresses.
    /// Only [`Recording`](super::Recording) wants to know. To any other runtime this is not an instruction.
    #[inline(always)]
    fn touches(_: &Self::Handle<'_, '_>, _addresses: Range<usize>, _writes: bool) {}

    /// The same handle again. The one given cannot be used meanwhile.
    fn reborrow<'x, 'b: 'x>(handle: &'x mut Self::Handle<'_, 'b>) -> Self::Handle<'x, 'b>;
}

/// A type whose values can be added up, starting from the default value.
pub trait Number: Default + Add<Output = Self> + Sum + Send {}

impl<T: Default + Add<Output = T> + Sum + Send> Number for T {}

/// The right to fork on the runtime `R`. Every branch gets a token of its own.
///
/// ```
/// use filch_kernels::runtime::{Filch, Runtime, Serial, Token};
///
/// fn fib<R: Runtime>(mut t: Token<R>, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = t.join(|t| fib(t, n - 1), |t| fib(t, n - 2));
///     a + b
/// }
///
/// assert_eq!(fib(Serial::token(), 20), 6765);
/// assert_eq!(filch::run(|s| fib(Filch::token(s), 20)), 6765);
/// ```
pub struct Token<'a, 'b: 'a, R: Runtime>(pub(super) R::Handle<'a, 'b>);

impl<'b, R: Runtime> Token<'_, 'b, R> {
    /// Runs both branches, in parallel or one after the other, and returns both results.
    #[inline(always)]
    pub fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<R>) -> RA + Send,
        B: FnOnce(Token<R>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        R::join(&mut self.0, a, b)
    }

    /// Runs `body` on every item, in parallel or one after the other.
    #[inline(always)]
    pub fn for_each<I, F>(&mut self, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<R>, I::Item) + Send + Sync,
    {
        R::for_each(&mut self.0, items, body);
    }

    /// Maps every item, in parallel or one after the other, and combines the results in the order of the items.
    #[inline(always)]
    pub fn map_reduce<I, T, N, M, C>(&mut self, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<R>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        R::map_reduce(&mut self.0, items, identity, map, combine)
    }

    /// Maps every item, in parallel or one after the other, and adds the results up.
    #[inline(always)]
    pub fn sum<I, T, M>(&mut self, items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<R>, I::Item) -> T + Send + Sync,
    {
        R::sum(&mut self.0, items, map)
    }

    /// States which memory the work from here to the next fork, or to the end of the branch, reads and writes: see
    /// [`Runtime::touches`]. What it reads and then writes counts as written.
    #[inline(always)]
    pub fn touches<T, const READS: usize, const WRITES: usize>(&self, reads: [&[T]; READS], writes: [&[T]; WRITES]) {
        let addresses = |slice: &[T]| {
            let Range { start, end } = slice.as_ptr_range();
            start.addr()..end.addr()
        };
        reads.into_iter().for_each(|slice| R::touches(&self.0, addresses(slice), false));
        writes.into_iter().for_each(|slice| R::touches(&self.0, addresses(slice), true));
    }

    /// A token that borrows this one.
    #[inline(always)]
    pub fn reborrow<'x>(&'x mut self) -> Token<'x, 'b, R>
    where
        'b: 'x,
    {
        Token(R::reborrow(&mut self.0))
    }

    /// Runs four branches, as a pair of pairs.
    #[inline(always)]
    pub fn join4<A, B, C, D>(&mut self, a: A, b: B, c: C, d: D)
    where
        A: FnOnce(Token<R>) + Send,
        B: FnOnce(Token<R>) + Send,
        C: FnOnce(Token<R>) + Send,
        D: FnOnce(Token<R>) + Send,
    {
        self.join(
            #[inline(always)]
            |mut t| t.join(a, b),
            #[inline(always)]
            |mut t| t.join(c, d),
        );
    }
}

impl<R: Runtime> fmt::Debug for Token<'_, '_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}
