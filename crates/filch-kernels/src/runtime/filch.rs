//! Filch, with and without strands.

use filch::Strand;

use super::items::Items;
use super::token::{Runtime, Token};

/// Filch with explicit strands.
#[derive(Debug)]
pub enum Filch {}

impl Filch {
    /// The token for this strand.
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
    fn for_each<I, F>(strand: &mut Strand<'_>, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        strand.for_each(
            items.for_filch(),
            #[inline(always)]
            |s, item| body(Token(s), item),
        );
    }

    #[inline(always)]
    fn map_reduce<I, T, N, M, C>(strand: &mut Strand<'_>, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        strand.map_reduce(
            items.for_filch(),
            identity,
            #[inline(always)]
            |s, item| map(Token(s), item),
            combine,
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(strand: &'x mut Strand<'_>) -> Strand<'x> {
        strand.reborrow()
    }
}

/// Filch without strands: the free functions [`filch::join`], [`filch::for_each`] and [`filch::map_reduce`].
#[derive(Debug)]
pub enum FilchImplicit {}

impl FilchImplicit {
    /// A token. It has no cost.
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
    fn for_each<I, F>((): &mut (), items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        filch::for_each(
            items.for_filch(),
            #[inline(always)]
            |_, item| body(Token(()), item),
        );
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
        filch::map_reduce(
            items.for_filch(),
            identity,
            #[inline(always)]
            |_, item| map(Token(()), item),
            combine,
        )
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}
