//! The strands inside of a speculation.

use crate::constructs::Indexed;
use crate::constructs::strand::Strand;
use crate::engine::team::Occupied;
use crate::engine::team::stop::{Stops, count_begun};
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// The error of work that has been [aborted](crate::Speculation::abort).
///
/// A child may also return it on its own account, to say that it has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

impl Display for Aborted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("aborted")
    }
}

impl Error for Aborted {}

/// The right to fork inside of a [`Speculation`](crate::Speculation): a [`Strand`] that learns of an abort.
///
/// Its forks, loops and searches return [`Aborted`] if the speculation, or one around it, has been aborted. A strand
/// looks before each fork, each second branch, each item of a loop and each node of a search. What it does between two
/// looks it does to the end: after an abort, each worker begins at most one branch, item, node or child. Destructors
/// run as usual, and nothing unwinds.
///
/// Plain functions take a plain strand: see [`plain`](Self::plain). They are not told of an abort and are never left
/// half done. For a long computation without forks there is [`check`](Self::check).
///
/// A strand outside of any speculation can be made from a [`Strand`]. It is never aborted. So a procedure that calls
/// itself needs only one form:
/// ```
/// use filch::{Aborted, SpeculativeStrand};
///
/// fn fib(mut s: SpeculativeStrand<'_>, n: u64) -> Result<u64, Aborted> {
///     if n < 2 {
///         return Ok(n);
///     }
///     let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2))?;
///     Ok(a + b)
/// }
///
/// assert_eq!(filch::run(|s| fib(s.into(), 20)), Ok(6765));
/// ```
#[derive(Debug)]
pub struct SpeculativeStrand<'s> {
    plain: Strand<'s>,
    /// The stops of the speculations around this strand.
    stops: Stops,
}

impl<'s> From<Strand<'s>> for SpeculativeStrand<'s> {
    fn from(plain: Strand<'s>) -> Self {
        SpeculativeStrand { plain, stops: Stops::NONE }
    }
}

impl<'s> SpeculativeStrand<'s> {
    pub(super) fn within(plain: Strand<'s>, stops: Stops) -> Self {
        SpeculativeStrand { plain, stops }
    }

    pub(super) fn stops(&self) -> Stops {
        self.stops
    }

    pub(super) fn occupied(&self) -> Occupied<'s> {
        self.plain.occupied()
    }

    pub(super) fn into_plain(self) -> Strand<'s> {
        self.plain
    }

    /// Borrows this strand as a shorter-lived one, as [`Strand::reborrow`] does.
    #[inline(always)]
    pub fn reborrow(&mut self) -> SpeculativeStrand<'_> {
        SpeculativeStrand { plain: self.plain.reborrow(), stops: self.stops }
    }

    /// A plain strand in the same place, for code that does not know of aborts. What is forked there runs to its end.
    #[inline(always)]
    pub fn plain(&mut self) -> Strand<'_> {
        self.plain.reborrow()
    }

    /// Whether this strand has been aborted.
    #[inline]
    pub fn is_aborted(&self) -> bool {
        self.stops.acquire()
    }

    /// Looks whether this strand has been aborted. To be called now and then by code that runs for long without a fork.
    ///
    /// Work: two loads; after an abort anywhere in the process, once two for each speculation around this strand.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if it has been.
    #[inline]
    pub fn check(&self) -> Result<(), Aborted> {
        if self.is_aborted() { Err(Aborted) } else { Ok(()) }
    }

    /// Runs `a` and `b`, in parallel if another worker is idle, as [`Strand::join`] does.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if a branch returns it, or if this strand has been aborted before a branch has begun: then that
    /// branch does not run.
    ///
    /// # Panics
    ///
    /// As [`Strand::join`].
    #[inline]
    pub fn join<A, B, RA, RB>(&mut self, a: A, b: B) -> Result<(RA, RB), Aborted>
    where
        A: FnOnce(SpeculativeStrand<'_>) -> Result<RA, Aborted>,
        B: FnOnce(SpeculativeStrand<'_>) -> Result<RB, Aborted> + Send,
        RA: Send,
        RB: Send,
    {
        self.check()?;
        let stops = self.stops;
        let (a, b) = self.plain.join_context(
            #[inline(always)]
            |plain, _| a(SpeculativeStrand { plain, stops }),
            #[inline(always)]
            |plain, context| {
                let s = SpeculativeStrand { plain, stops };
                if s.is_aborted() {
                    count_begun(s.occupied(), context.migrated());
                    return Err(Aborted);
                }
                b(s)
            },
        );
        Ok((a?, b?))
    }

    /// Runs `body` on every item, in parallel, as [`Strand::for_each`] does.
    ///
    /// # Errors
    ///
    /// [`Aborted`] if a body returns it, or if this strand has been aborted before the last item has begun. Then no
    /// further item begins.
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each`].
    pub fn for_each<I, F>(&mut self, items: I, body: F) -> Result<(), Aborted>
    where
        I: Indexed,
        F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<(), Aborted> + Sync,
    {
        let stops = self.stops;
        self.check()?;
        self.plain.try_for_each_unless(stops, items, |plain, item| {
            let s = SpeculativeStrand { plain, stops };
            s.check()?;
            body(s, item)
        })
    }

    /// Runs `body` on every item of an iterator, in parallel, as [`Strand::for_each_item`] does.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Self::for_each). Then no further item is made.
    ///
    /// # Panics
    ///
    /// As [`Strand::for_each_item`].
    pub fn for_each_item<I, F>(&mut self, items: I, body: F) -> Result<(), Aborted>
    where
        I: IntoIterator,
        I::IntoIter: Send,
        F: Fn(SpeculativeStrand<'_>, I::Item) -> Result<(), Aborted> + Sync,
    {
        let stops = self.stops;
        self.check()?;
        self.plain.try_for_each_item_unless(stops, items, |plain, item| {
            let s = SpeculativeStrand { plain, stops };
            s.check()?;
            body(s, item)
        })
    }
}
