//! Loops over indexed things, in parallel, without a grain.

mod indexed;

pub use indexed::{Chunks, ChunksMut, Indexed, chunks, chunks_mut};

use crate::strand::Strand;
use crate::strand::range::{self, Job};
use indexed::Access;

impl Strand<'_> {
    /// Runs `body` on every item, in parallel.
    pub fn for_each<I, F>(&mut self, items: I, body: F)
    where
        I: Indexed,
        F: Fn(Strand<'_>, I::Item) + Sync,
    {
        self.map_reduce(items, || (), body, |(), ()| ());
    }

    /// Maps every item, in parallel, and combines the results in the order of the items.
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
        let len = access.len();
        unsafe { range::run(self.reborrow(), &MapReduce { access, identity, map, combine }, len) }
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

/// Runs `body` on every item, in parallel: [`Strand::for_each`] without a strand.
pub fn for_each<I, F>(items: I, body: F)
where
    I: Indexed + Send,
    F: Fn(Strand<'_>, I::Item) + Send + Sync,
{
    super::run(|mut s| s.for_each(items, body));
}

/// Maps every item, in parallel, and combines the results in the order of the items: [`Strand::map_reduce`] without a strand.
pub fn map_reduce<I, T, N, M, C>(items: I, identity: N, map: M, combine: C) -> T
where
    I: Indexed + Send,
    T: Send,
    N: Fn() -> T + Send + Sync,
    M: Fn(Strand<'_>, I::Item) -> T + Send + Sync,
    C: Fn(T, T) -> T + Send + Sync,
{
    super::run(|mut s| s.map_reduce(items, identity, map, combine))
}
