//! Chili, which has joins only: loops are divided in halves down to single items.

use super::items::Items;
use super::token::{Runtime, Token};

/// The library chili.
#[derive(Debug)]
pub enum Chili {}

impl Chili {
    /// The token for this scope.
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
        // Swapped: chili runs its second branch first. So it visits what a program visits in the same order as every
        // other runtime, and meets memory in the same order.
        let (b, a) = scope.join(
            #[inline(always)]
            |s| b(Token(s)),
            #[inline(always)]
            |s| a(Token(s)),
        );
        (a, b)
    }

    #[inline(always)]
    fn for_each<I, F>(scope: &mut &mut chili::Scope<'_>, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        halve(scope, items, &|| (), &body, &|(), ()| ());
    }

    #[inline(always)]
    fn map_reduce<I, T, N, M, C>(scope: &mut &mut chili::Scope<'_>, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        halve(scope, items, &identity, &map, &combine)
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(scope: &'x mut &mut chili::Scope<'b>) -> &'x mut chili::Scope<'b> {
        scope
    }
}

/// A loop, as a tree of joins.
fn halve<I, T, N, M, C>(scope: &mut chili::Scope<'_>, items: I, identity: &N, map: &M, combine: &C) -> T
where
    I: Items,
    T: Send,
    N: Fn() -> T + Sync,
    M: Fn(Token<Chili>, I::Item) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    if items.length() < 2 {
        return items.in_order().next().map_or_else(identity, |item| map(Token(scope), item));
    }
    let middle = items.length() / 2;
    let (left, right) = items.split_at(middle);
    // Swapped, as above.
    let (right, left) = scope
        .join(|scope| halve(scope, right, identity, map, combine), |scope| halve(scope, left, identity, map, combine));
    combine(left, right)
}
