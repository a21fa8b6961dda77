//! One program text for all runtimes.
//!
//! A program of this crate is written once, over a [`Token`]: the right to fork on some [`Runtime`]. The compiler makes
//! of it the form that a user of that library would have written by hand: a token of [`Filch`] is a strand, one of
//! [`Chili`] a scope, the others' are nothing at all, and [`Token::join`] is inlined into the library's own join. On
//! [`Serial`] a join is two calls in order: the serial elision (cilk5.txt, section 2).

use std::fmt;

use filch::Strand;

/// A library that can run two closures in parallel.
pub trait Runtime: Sized + 'static {
    /// What its users hand down from fork to fork.
    type Handle<'a, 'b: 'a>;

    /// Runs `a` and `b`, in parallel or one after the other.
    fn join<A, B, RA, RB>(handle: &mut Self::Handle<'_, '_>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send;

    /// The same handle again, while the one given rests.
    fn reborrow<'x, 'b: 'x>(handle: &'x mut Self::Handle<'_, 'b>) -> Self::Handle<'x, 'b>;
}

/// The right to fork on the runtime `R`: every branch gets one of its own.
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
    /// Runs both branches, in parallel or one after the other; returns both results.
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

    /// A token for somebody else to use up, after which this one can be used again.
    #[inline(always)]
    pub fn reborrow<'x>(&'x mut self) -> Token<'x, 'b, R>
    where
        'b: 'x,
    {
        Token(R::reborrow(&mut self.0))
    }

    /// Runs four branches: a pair of pairs.
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

/// No runtime: the serial elision.
#[derive(Debug)]
pub enum Serial {}

impl Serial {
    /// Its token, which costs nothing.
    #[inline(always)]
    pub fn token() -> Token<'static, 'static, Self> {
        Token(())
    }
}

impl Runtime for Serial {
    type Handle<'a, 'b: 'a> = ();

    #[inline(always)]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        (a(Token(())), b(Token(())))
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}

/// Filch with explicit strands.
#[derive(Debug)]
pub enum Filch {}

impl Filch {
    /// The token that this strand is.
    #[inline(always)]
    pub fn token(strand: Strand<'_>) -> Token<'_, 'static, Self> {
        Token(strand)
    }
}

impl Runtime for Filch {
    type Handle<'a, 'b: 'a> = Strand<'a>;

    #[inline(always)]
    fn join<A, B, RA, RB>(strand: &mut Strand<'_>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        strand.join(
            #[inline(always)]
            |s| a(Token(s)),
            #[inline(always)]
            |s| b(Token(s)),
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(strand: &'x mut Strand<'_>) -> Strand<'x> {
        strand.reborrow()
    }
}

/// Filch without strands: the free function [`filch::join`].
#[derive(Debug)]
pub enum FilchImplicit {}

impl FilchImplicit {
    /// Its token, which costs nothing.
    #[inline(always)]
    pub fn token() -> Token<'static, 'static, Self> {
        Token(())
    }
}

impl Runtime for FilchImplicit {
    type Handle<'a, 'b: 'a> = ();

    #[inline(always)]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        filch::join(
            #[inline(always)]
            || a(Token(())),
            #[inline(always)]
            || b(Token(())),
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}

/// The library rayon, on the pool into which the caller is installed.
#[derive(Debug)]
pub enum Rayon {}

impl Rayon {
    /// Its token, which costs nothing.
    #[inline(always)]
    pub fn token() -> Token<'static, 'static, Self> {
        Token(())
    }
}

impl Runtime for Rayon {
    type Handle<'a, 'b: 'a> = ();

    #[inline(always)]
    fn join<A, B, RA, RB>((): &mut (), a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(
            #[inline(always)]
            || a(Token(())),
            #[inline(always)]
            || b(Token(())),
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}

/// The library chili.
#[derive(Debug)]
pub enum Chili {}

impl Chili {
    /// The token that this scope is.
    #[inline(always)]
    pub fn token<'a, 'b>(scope: &'a mut chili::Scope<'b>) -> Token<'a, 'b, Self> {
        Token(scope)
    }
}

impl Runtime for Chili {
    type Handle<'a, 'b: 'a> = &'a mut chili::Scope<'b>;

    #[inline(always)]
    fn join<A, B, RA, RB>(scope: &mut &mut chili::Scope<'_>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        scope.join(
            #[inline(always)]
            |s| a(Token(s)),
            #[inline(always)]
            |s| b(Token(s)),
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(scope: &'x mut &mut chili::Scope<'b>) -> &'x mut chili::Scope<'b> {
        scope
    }
}
