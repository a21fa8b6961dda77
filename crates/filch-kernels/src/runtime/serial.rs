//! The serial elision.

use super::items::Items;
use super::token::{Number, Runtime, Token};

/// No runtime: the serial elision.
#[derive(Debug)]
pub enum Serial {}

impl Serial {
    /// A token. It has no cost.
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
    fn for_each<I, F>((): &mut (), items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        items.in_order().for_each(|item| body(Token(()), item));
    }

    #[inline(always)]
    fn map_reduce<I, T, N, M, C>((): &mut (), items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        items.in_order().fold(identity(), |so_far, item| combine(so_far, map(Token(()), item)))
    }

    #[inline(always)]
    fn sum<I, T, M>((): &mut (), items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
    {
        items.in_order().map(|item| map(Token(()), item)).sum()
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}
