//! Rayon, as written and with its loops tuned by hand.

use std::fmt;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};

use super::items::Items;
use super::token::{Number, Runtime, Token};

/// The library rayon, on the pool into which the caller is installed.
#[derive(Debug)]
pub enum Rayon {}

impl Rayon {
    /// A token. It has no cost.
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

/// Runs a loop with a tuning. Like a user, it writes `with_max_len` only if the bound is wanted.
macro_rules! tuned {
    ($level:expr, $items:expr, |$iter:ident| $run:expr) => {{
        let Tuning { min_len, max_len } = $level.tuning();
        let $iter = $items.for_rayon().with_min_len(min_len);
        if $level.has_max_len() {
            let $iter = $iter.with_max_len(max_len);
            $run
        } else {
            $run
        }
    }};
}

/// The library rayon with `with_min_len` on its loops, and with `with_max_len` on the outer and the inner loops if the
/// parameters say so.
///
/// Whether there is a `with_max_len` is decided at compile time, as in the source of a user. A loop that could be
/// divided either way at run time would call a function from two places that is inlined otherwise. That takes a tenth
/// of the time if inner loops are short.
#[derive(Debug)]
pub enum RayonTuned<const OUTER_MAX: bool, const INNER_MAX: bool> {}

impl<const OUTER_MAX: bool, const INNER_MAX: bool> RayonTuned<OUTER_MAX, INNER_MAX> {
    /// A token whose loops have these tunings.
    #[inline(always)]
    pub fn token(tunings: &Tunings) -> Token<'_, '_, Self> {
        Token(Level { tunings, is_inner: false })
    }
}

/// The tuning that applies. At each loop of a program, the compiler knows which level applies, so reading a bound is
/// one load. Tunings by value would be copied for every inner loop.
#[derive(Clone, Copy, Debug)]
pub struct Level<'t, const OUTER_MAX: bool, const INNER_MAX: bool> {
    tunings: &'t Tunings,
    is_inner: bool,
}

impl<const OUTER_MAX: bool, const INNER_MAX: bool> Level<'_, OUTER_MAX, INNER_MAX> {
    #[inline(always)]
    fn tuning(self) -> Tuning {
        if self.is_inner { self.tunings.inner } else { self.tunings.outer }
    }

    #[inline(always)]
    fn has_max_len(self) -> bool {
        if self.is_inner { INNER_MAX } else { OUTER_MAX }
    }
}

/// The token inside the body of a loop.
#[inline(always)]
fn inside<const OUTER_MAX: bool, const INNER_MAX: bool>(
    tunings: &Tunings,
) -> Token<'_, '_, RayonTuned<OUTER_MAX, INNER_MAX>> {
    Token(Level { tunings, is_inner: true })
}

impl<const OUTER_MAX: bool, const INNER_MAX: bool> Runtime for RayonTuned<OUTER_MAX, INNER_MAX> {
    type Handle<'a, 'b: 'a> = Level<'b, OUTER_MAX, INNER_MAX>;

    #[inline(always)]
    fn join<A, B, RA, RB>(&mut level: &mut Level<'_, OUTER_MAX, INNER_MAX>, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(Token<Self>) -> RA + Send,
        B: FnOnce(Token<Self>) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        rayon::join(
            #[inline(always)]
            || a(Token(level)),
            #[inline(always)]
            || b(Token(level)),
        )
    }

    #[inline(always)]
    fn for_each<I, F>(&mut level: &mut Level<'_, OUTER_MAX, INNER_MAX>, items: I, body: F)
    where
        I: Items,
        F: Fn(Token<Self>, I::Item) + Send + Sync,
    {
        let tunings = level.tunings;
        tuned!(level, items, |iter| iter.for_each(
            #[inline(always)]
            |item| body(inside(tunings), item)
        ));
    }

    #[inline(always)]
    fn map_reduce<I, T, N, M, C>(
        &mut level: &mut Level<'_, OUTER_MAX, INNER_MAX>,
        items: I,
        identity: N,
        map: M,
        combine: C,
    ) -> T
    where
        I: Items,
        T: Send,
        N: Fn() -> T + Send + Sync,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
        C: Fn(T, T) -> T + Send + Sync,
    {
        let tunings = level.tunings;
        tuned!(level, items, |iter| {
            let mapped = iter.map(
                #[inline(always)]
                |item| map(inside(tunings), item),
            );
            mapped.reduce(identity, combine)
        })
    }

    #[inline(always)]
    fn sum<I, T, M>(&mut level: &mut Level<'_, OUTER_MAX, INNER_MAX>, items: I, map: M) -> T
    where
        I: Items,
        T: Number,
        M: Fn(Token<Self>, I::Item) -> T + Send + Sync,
    {
        let tunings = level.tunings;
        tuned!(level, items, |iter| iter.map(|item| map(inside(tunings), item)).sum())
    }

    #[inline(always)]
    fn reborrow<'x, 'b: 'x>(&mut level: &'x mut Level<'b, OUTER_MAX, INNER_MAX>) -> Level<'b, OUTER_MAX, INNER_MAX> {
        level
    }
}

/// How finely rayon may divide a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The minimum length of parts (`with_min_len`). Rayon's default is 1.
    pub min_len: usize,
    /// The maximum length of parts (`with_max_len`), unless it contradicts the minimum. Rayon's default is
    /// `usize::MAX`.
    pub max_len: usize,
}

impl Tuning {
    /// As written: rayon decides.
    pub const NONE: Self = Self { min_len: 1, max_len: usize::MAX };

    /// Whether the loop has a `with_max_len`.
    pub fn has_max_len(self) -> bool {
        self.max_len != usize::MAX
    }
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

/// The tunings of a program's outer loops and of all loops inside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunings {
    /// The tuning of the outer loops.
    pub outer: Tuning,
    /// The tuning of the loops inside of them.
    pub inner: Tuning,
}

impl Tunings {
    /// As written: rayon decides.
    pub const NONE: Self = Self { outer: Tuning::NONE, inner: Tuning::NONE };
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::answer::Mismatch;
    use crate::kernel::{Instance, Kernel};

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

    /// A loop of 4 iterations, each of which has a loop of 8. There is one identity for each part.
    #[derive(Default)]
    struct Parts {
        outer: AtomicUsize,
        inner: AtomicUsize,
    }

    impl Kernel for Parts {
        const LOOPS: usize = 2;

        fn run<R: Runtime>(&mut self, mut t: Token<R>) {
            let count = |counter: &AtomicUsize| {
                counter.fetch_add(1, Ordering::Relaxed);
            };
            t.map_reduce(
                0..4_usize,
                || count(&self.outer),
                |mut t, _| t.map_reduce(0..8_usize, || count(&self.inner), |_, _| (), |(), ()| ()),
                |(), ()| (),
            );
        }

        fn verify(&mut self) -> Result<(), Mismatch> {
            Ok(())
        }
    }

    /// A part whose minimum length is that of the loop is the whole loop. A part whose maximum length is 1 is one item.
    #[test]
    fn inner_tunings_hold_inside_of_loops_and_outer_ones_outside() {
        let whole = |len| Tuning { min_len: len, ..Tuning::NONE };
        let parts = |tunings| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let mut parts = Parts::default();
            pool.install(|| parts.rayon_tuned(tunings));
            [parts.outer.into_inner(), parts.inner.into_inner()]
        };
        let max = |max_len| Tuning { max_len, ..Tuning::NONE };
        assert_eq!(parts(Tunings { outer: whole(4), inner: whole(8) }), [1, 4]);
        assert_eq!(parts(Tunings { outer: whole(4), inner: max(1) }), [1, 32]);
        assert_eq!(parts(Tunings { outer: max(1), inner: whole(8) }), [4, 4]);
        assert_eq!(parts(Tunings { outer: max(1), inner: max(1) }), [4, 32]);
    }
}
