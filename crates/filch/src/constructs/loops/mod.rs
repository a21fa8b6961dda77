//! Loops over indexed things, in parallel, without a grain.
//!
//! [`indexed`] says what they run over; here are the loops that run to their end, in [`stop`] those that can be
//! stopped, by a token of [`cancel`] among other things, in [`free`] all of them without a strand.

mod frame;
mod indexed;
mod job;
mod run;
mod shared;
mod stop;

pub use indexed::{Chunks, ChunksMut, Indexed, chunks, chunks_mut};

use crate::constructs::strand::Strand;
use indexed::Access;
use job::Job;
use run::run;

impl Strand<'_> {
    /// Runs `body` on every item, in parallel.
    ///
    /// There is no grain to choose. The loop goes over its items in order, in blocks; between two of them it is halved
    /// if somebody asks for work, and an idle worker that gets no answer halves what is left by force. A block
    /// takes a few microseconds from the first request on, or once some thousand items have been run. Before,
    /// nobody looks at the clock: a block is at most three times as long as all before it, or leaves half of the
    /// rest to others. If loops are nested, the outermost that has something left is shared first (papers:
    /// heartbeat.txt section 4, tascell-graphs.txt section 2.2).
    ///
    /// Work: that of the plain loop, a few nanoseconds when it begins, and some instructions per block; no allocation
    /// unless a part moves. Span: that of the longest block, and a logarithm of the number of items.
    ///
    /// A loop promises parallelism, *not* concurrency: an iteration that waits for another one of the same loop to
    /// begin may wait for ever, since that may come after it in the same block.
    ///
    /// ```
    /// let (mut areas, radii) = (vec![0.0; 1000], vec![2.0_f64; 1000]);
    /// filch::run(|mut s| s.for_each((&mut areas, &radii), |_, (area, r)| *area = r * r * 3.14));
    /// assert!(areas.iter().all(|&area| area == 12.56));
    /// ```
    ///
    /// The body is shared, so it must be `Sync`.
    /// ```compile_fail,E0277
    /// let count = std::cell::Cell::new(0);
    /// filch::run(|mut s| s.for_each(0..10, |_, _| count.set(count.get() + 1)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `body` does. No further block is begun, those under way are awaited, and of several panics the one with the
    /// lowest index is passed on that is known of.
    #[inline]
    pub fn for_each<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        self.map_reduce(items, || (), body, |(), ()| ());
    }

    /// Maps every item, in parallel, and combines the results in the order of the items.
    ///
    /// `identity` begins each part of the loop that is run by itself, and `combine` must be associative with that as
    /// its neutral element; it need not be commutative. Where it is not quite associative, as the addition of
    /// floating-point numbers, the result depends on where the loop was split.
    ///
    /// Work, span and the rest as [`for_each`](Self::for_each).
    ///
    /// ```
    /// let words = ["to", "be", "or", "not"];
    /// let text = filch::run(|mut s| s.map_reduce(&words, String::new, |_, word| word.to_string() + " ", |a, b| a + &b));
    /// assert_eq!(text, "to be or not ");
    /// ```
    ///
    /// What the parts come to moves between threads.
    /// ```compile_fail,E0277
    /// use std::rc::Rc;
    /// filch::run(|mut s| { s.map_reduce(0..10, || Rc::new(0), |_, i| Rc::new(i), |a, b| Rc::new(*a + *b)); });
    /// ```
    ///
    /// # Panics
    ///
    /// As [`for_each`](Self::for_each); and if `identity` or `combine` does.
    #[inline]
    pub fn map_reduce<I, T, N, M, C>(&mut self, items: I, identity: N, map: M, combine: C) -> T
    where
        I: Indexed,
        T: Send,
        N: Fn() -> T + Sync,
        M: Fn(Strand<'_>, I::Item) -> T + Sync,
        C: Fn(T, T) -> T + Sync,
    {
        let access = items.access();
        let job = MapReduce { access, identity, map, combine };
        // SAFETY: the length is that of what the job runs over.
        unsafe { run(self.reborrow(), job, access.len()) }
    }
}

struct MapReduce<A, N, M, C> {
    access: A,
    identity: N,
    map: M,
    combine: C,
}

impl<A, T, N, M, C> Job for MapReduce<A, N, M, C>
where
    A: Access,
    T: Send,
    N: Fn() -> T + Sync,
    M: Fn(Strand<'_>, A::Item) -> T + Sync,
    C: Fn(T, T) -> T + Sync,
{
    type Out = T;

    #[inline(always)]
    fn identity(&self) -> T {
        (self.identity)()
    }

    #[inline(always)]
    unsafe fn block(&self, mut s: Strand<'_>, lo: u64, hi: u64, mut so_far: T) -> T {
        let access = self.access;
        for index in lo..hi {
            // SAFETY: forwarded.
            let item = unsafe { access.item(index) };
            so_far = (self.combine)(so_far, (self.map)(s.reborrow(), item));
        }
        so_far
    }

    #[inline(always)]
    fn combine(&self, left: T, right: T) -> T {
        (self.combine)(left, right)
    }
}
