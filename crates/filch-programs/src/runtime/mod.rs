//! One program text for all runtimes.
//!
//! A program of this crate is written once, over a [`Token`]: the right to fork on some [`Runtime`]. From it the
//! compiler makes the form that a user of each library would have written by hand. A token of [`Filch`] is a strand,
//! one of [`Chili`] is a scope, and the others are empty. [`Token::join`] is inlined into the join of the library. On
//! [`Serial`], a join is two calls in order: the serial elision (Frigo, Leiserson and Randall 1998, section 1).
//!
//! Loops run over [`Items`], which each library gets in its own form. On [`Serial`] they are plain loops, and on
//! [`Chili`], which has no loops, trees of joins.

mod chili;
mod filch;
mod items;
mod rayon;
mod serial;

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

pub use self::chili::Chili;
pub use self::filch::{Filch, FilchImplicit};
pub use self::items::{Chunks, ChunksMut, Enumerate, Items, chunks, chunks_mut, enumerate};
pub use self::rayon::{Rayon, RayonTuned, Tuning, Tunings};
pub use self::serial::Serial;

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

    /// The same handle again. The one given cannot be used meanwhile.
    fn reborrow<'x, 'b: 'x>(handle: &'x mut Self::Handle<'_, 'b>) -> Self::Handle<'x, 'b>;
}

/// A type whose values can be added up, starting from the default value.
pub trait Number: Default + Add<Output = Self> + Sum + Send {}

impl<T: Default + Add<Output = T> + Sum + Send> Number for T {}

/// The right to fork on the runtime `R`. Every branch gets a token of its own.
///
/// ```
/// use filch_programs::runtime::{Filch, Runtime, Serial, Token};
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
pub struct Token<'a, 'b: 'a, R: Runtime>(R::Handle<'a, 'b>);

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nested loops over all kinds of items. The result is a list, which shows the order.
    fn nested<R: Runtime>(mut t: Token<R>) -> Vec<String> {
        let text: Vec<u8> = (b'a'..=b'z').collect();
        let mut copy = vec![0; text.len()];
        t.for_each((chunks(&text, 4), enumerate(chunks_mut(&mut copy, 4))), |mut t, (from, (number, to))| {
            t.for_each((from, to), |_, (from, to)| *to = from.wrapping_add(number as u8));
        });
        let word = |mut t: Token<R>, (_, letter): (usize, &u8)| {
            let digits =
                t.map_reduce(0..3_usize, String::new, |_, number| number.to_string(), |left, right| left + &right);
            vec![format!("{}{digits}", char::from(*letter))]
        };
        t.map_reduce((0..26_usize, &copy[..]), Vec::new, word, |left, right| [left, right].concat())
    }

    fn squares<R: Runtime>(mut t: Token<R>) -> usize {
        t.sum(0..100_usize, |_, number| number * number)
    }

    #[test]
    fn sums_are_the_same_on_every_runtime() {
        let expected = 99 * 100 * 199 / 6;
        assert_eq!(squares(Serial::token()), expected);
        assert_eq!(::filch::run(|s| squares(Filch::token(s))), expected);
        assert_eq!(squares(FilchImplicit::token()), expected);
        assert_eq!(squares(Rayon::token()), expected);
        for max_len in [1, usize::MAX] {
            let outer = Tuning { max_len, ..Tuning::NONE };
            assert_eq!(squares(RayonTuned::<true, true>::token(&Tunings { outer, ..Tunings::NONE })), expected);
        }
        assert_eq!(squares(Chili::token(&mut ::chili::ThreadPool::new().scope())), expected);
    }

    #[test]
    fn loops_are_the_same_on_every_runtime() {
        let expected: Vec<String> =
            (0..26_u8).map(|place| format!("{}012", char::from(b'a' + place + place / 4))).collect();
        assert_eq!(nested(Serial::token()), expected);
        assert_eq!(::filch::run(|s| nested(Filch::token(s))), expected);
        assert_eq!(nested(FilchImplicit::token()), expected);
        assert_eq!(nested(Rayon::token()), expected);
        assert_eq!(nested(RayonTuned::<true, true>::token(&Tunings::NONE)), expected);
        assert_eq!(nested(Chili::token(&mut ::chili::ThreadPool::new().scope())), expected);
    }
}
