//! Rayon: as written, and with its loops tuned by hand.

use std::fmt;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};

use super::{Items, Number, Runtime, Token};

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
    fn for_each<I, F>((): &mut (), items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        items.for_rayon().for_each(
            #[inline(always)]
            |item| body(Token(()), item),
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
        let mapped = items.for_rayon().map(
            #[inline(always)]
            |item| map(Token(()), item),
        );
        mapped.reduce(identity, combine)
    }

    #[inline(always)]
    fn sum<I, T, M>((): &mut (), items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
    {
        items.for_rayon().map(|item| map(Token(()), item)).sum()
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>((): &'x mut ()) {}
}

/// Runs a loop with a tuning. Nobody writes a bound that he does not want, and each costs some nanoseconds per loop.
macro_rules! tuned {
    ($tuning:expr, $items:expr, |$iter:ident| $run:expr) => {{
        let Tuning { min_len, max_len } = $tuning;
        let $iter = $items.for_rayon().with_min_len(min_len);
        if max_len == usize::MAX {
            $run
        } else {
            let $iter = $iter.with_max_len(max_len);
            $run
        }
    }};
}

/// The library rayon again, with `with_min_len` and `with_max_len` at its loops.
#[derive(Debug)]
pub enum RayonTuned {}

impl RayonTuned {
    /// A token whose loops are tuned like that.
    #[inline(always)]
    pub fn token(tunings: Tunings) -> Token<'static, 'static, Self> {
        Token(tunings)
    }
}

impl Runtime for RayonTuned {
    type Handle<'a, 'b: 'a> = Tunings;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut tunings: &mut Tunings, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(
            #[inline(always)]
            || a(Token(tunings)),
            #[inline(always)]
            || b(Token(tunings)),
        )
    }

    #[inline(always)]
    fn for_each<I, F>(&mut tunings: &mut Tunings, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        tuned!(tunings.outer, items, |iter| iter.for_each(
            #[inline(always)]
            |item| body(Token(tunings.inside()), item)
        ));
    }

    #[inline(always)]
    fn map_reduce<I, T, N, M, C>(&mut tunings: &mut Tunings, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        tuned!(tunings.outer, items, |iter| {
            let mapped = iter.map(
                #[inline(always)]
                |item| map(Token(tunings.inside()), item),
            );
            mapped.reduce(identity, combine)
        })
    }

    #[inline(always)]
    fn sum<I, T, M>(&mut tunings: &mut Tunings, items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
    {
        tuned!(tunings.outer, items, |iter| iter.map(|item| map(Token(tunings.inside()), item)).sum())
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(&mut tunings: &'x mut Tunings) -> Tunings {
        tunings
    }
}

/// How far rayon may cut a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Parts are at least so long (`with_min_len`); 1 is how rayon begins.
    pub min_len: usize,
    /// Parts are at most so long (`with_max_len`), where that does not contradict the former; `usize::MAX` is how rayon
    /// begins.
    pub max_len: usize,
}

impl Tuning {
    /// As written: rayon decides.
    pub const NONE: Self = Self { min_len: 1, max_len: usize::MAX };
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("as written"),
            Self { min_len, max_len: usize::MAX } => write!(f, "with_min_len({min_len})"),
            Self { min_len: 1, max_len } => write!(f, "with_max_len({max_len})"),
            Self { min_len, max_len } => write!(f, "with_min_len({min_len}).with_max_len({max_len})"),
        }
    }
}

/// The tuning of a program: of its outer loops, and of all loops inside these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunings {
    /// That of the outer loops.
    pub outer: Tuning,
    /// That of loops inside loops.
    pub inner: Tuning,
}

impl Tunings {
    /// As written: rayon decides.
    pub const NONE: Self = Self { outer: Tuning::NONE, inner: Tuning::NONE };

    /// What holds inside the body of an outer loop.
    #[inline(always)]
    fn inside(self) -> Self {
        Self { outer: self.inner, inner: self.inner }
    }
}

impl fmt::Display for Tunings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("as written"),
            Self { outer, inner: Tuning::NONE } => write!(f, "outer {outer}"),
            Self { outer: Tuning::NONE, inner } => write!(f, "inner {inner}"),
            Self { outer, inner } => write!(f, "outer {outer}, inner {inner}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuning_is_named_by_what_is_to_be_written() {
        let min = |min_len| Tuning { min_len, ..Tuning::NONE };
        let max = |max_len| Tuning { max_len, ..Tuning::NONE };
        assert_eq!(Tunings::NONE.to_string(), "as written");
        assert_eq!(Tunings { outer: Tuning::NONE, inner: min(64) }.to_string(), "inner with_min_len(64)");
        assert_eq!(Tunings { outer: max(1), inner: Tuning::NONE }.to_string(), "outer with_max_len(1)");
        let both = Tunings { outer: max(1), inner: Tuning { min_len: 4, max_len: 16 } };
        assert_eq!(both.to_string(), "outer with_max_len(1), inner with_min_len(4).with_max_len(16)");
    }

    /// A part that must be as long as the loop is the loop; one that may be 1 long at most is an item.
    #[test]
    fn inner_tunings_hold_inside_of_loops_and_outer_ones_outside() {
        let whole = |len| Tuning { min_len: len, ..Tuning::NONE };
        let parts = |tunings| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            // Of an identity there is one for each part.
            let outer_parts = std::sync::atomic::AtomicUsize::new(0);
            let inner_parts = std::sync::atomic::AtomicUsize::new(0);
            let count = |counter: &std::sync::atomic::AtomicUsize| {
                counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            };
            pool.install(|| {
                RayonTuned::token(tunings).map_reduce(
                    0..4_usize,
                    || count(&outer_parts),
                    |mut t, _| t.map_reduce(0..8_usize, || count(&inner_parts), |_, _| (), |(), ()| ()),
                    |(), ()| (),
                );
            });
            [outer_parts.into_inner(), inner_parts.into_inner()]
        };
        let max = |max_len| Tuning { max_len, ..Tuning::NONE };
        assert_eq!(parts(Tunings { outer: whole(4), inner: whole(8) }), [1, 4]);
        assert_eq!(parts(Tunings { outer: whole(4), inner: max(1) }), [1, 32]);
        assert_eq!(parts(Tunings { outer: max(1), inner: whole(8) }), [4, 4]);
    }
}
