//! The indices of a loop that have not been run, as values. Whoever has an index runs it, and nobody else.
//!
//! A loop and its indices bear the same mark, `'i`, which no other loop has. So a body gets the items of its own loop,
//! each of them once.

use super::body::Body;
use super::indexed::{Access, Indexed};
use crate::constructs::strand::Strand;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem;

/// Invariant, so that two marks are not taken for the same.
type Mark<'i> = PhantomData<fn(&'i ()) -> &'i ()>;

/// What a loop runs over, and what it does.
pub(super) struct Loop<'i, B: Body> {
    access: B::Access,
    pub(super) body: B,
    mark: Mark<'i>,
}

/// Successive indices of a loop, which belong to the holder.
pub(super) struct Indices<'i> {
    lo: u64,
    /// Not below `lo`.
    hi: u64,
    mark: Mark<'i>,
}

impl<B: Body> Loop<'_, B> {
    /// Calls `run` with a loop and all of its indices.
    #[inline(always)]
    pub(super) fn begin<I, R>(items: I, body: B, run: impl for<'i> FnOnce(Loop<'i, B>, Indices<'i>) -> R) -> R
    where
        I: Indexed<Access = B::Access>,
    {
        let access = items.items().into_access();
        let hi = access.len();
        run(Loop { access, body, mark: PhantomData }, Indices { lo: 0, hi, mark: PhantomData })
    }
}

impl<'i, B: Body> Loop<'i, B> {
    /// Runs the body on all of `indices`, as one block, and adds to `so_far`.
    #[inline(always)]
    pub(super) fn block(&self, s: Strand<'_>, indices: Indices<'i>, so_far: B::Out) -> B::Out {
        let mut scratch = B::Scratch::default();
        let result = self.stride(s, indices, so_far, &mut scratch);
        self.body.end_block(scratch);
        result
    }

    /// Runs the body on all of `indices`, a stride of the block to which `scratch` belongs.
    #[inline(always)]
    pub(super) fn stride<'l>(
        &'l self,
        s: Strand<'_>,
        indices: Indices<'i>,
        so_far: B::Out,
        scratch: &mut B::Scratch<'l>,
    ) -> B::Out {
        let access = self.access;
        // SAFETY: the index is one of this loop, whose items nobody else accesses, and is used up here.
        let items = (indices.lo..indices.hi).map(move |index| unsafe { access.item(index) });
        self.body.stride(s, items, so_far, scratch)
    }
}

impl<'i> Indices<'i> {
    #[inline(always)]
    pub(super) fn lo(&self) -> u64 {
        self.lo
    }

    #[inline(always)]
    pub(super) fn hi(&self) -> u64 {
        self.hi
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.lo == self.hi
    }

    pub(super) fn take_all(&mut self) -> Indices<'i> {
        self.take_to(self.hi)
    }

    /// Takes out the indices below `end`.
    #[inline(always)]
    pub(super) fn take_to(&mut self, end: u64) -> Indices<'i> {
        let end = end.min(self.hi).max(self.lo);
        Indices { lo: mem::replace(&mut self.lo, end), hi: end, mark: PhantomData }
    }

    /// Lends those below `end` to `run`, which gives back what it has not run of them. The mark `'b` is that of this
    /// call, so nothing else can be given back. If `run` unwinds, they are gone.
    #[inline(always)]
    pub(super) fn lend(&mut self, end: u64, run: impl for<'b> FnOnce(Block<'b, 'i>) -> Left<'b>) {
        let left = run(Block { indices: self.take_to(end), mark: PhantomData });
        self.lo = left.lo;
    }
}

/// Indices that are [lent](Indices::lend).
pub(super) struct Block<'b, 'i> {
    indices: Indices<'i>,
    mark: Mark<'b>,
}

/// What is left of a block: one word, since the lender knows where the block ends.
pub(super) struct Left<'b> {
    lo: u64,
    mark: Mark<'b>,
}

impl<'b, 'i> Block<'b, 'i> {
    /// Takes out the first indices, up to where `end` says that those end which begin here.
    #[inline(always)]
    pub(super) fn take_to(&mut self, end: impl FnOnce(u64) -> u64) -> Indices<'i> {
        self.indices.take_to(end(self.indices.lo))
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Gives back what is left.
    #[inline(always)]
    pub(super) fn give_back(self) -> Left<'b> {
        Left { lo: self.indices.lo, mark: self.mark }
    }
}

/// The indices that are left in a frame. They come after those that the owner of the frame has.
pub(super) struct Rest<'i> {
    lo: Cell<u64>,
    hi: Cell<u64>,
    mark: Mark<'i>,
}

impl<'i> Rest<'i> {
    /// All of `indices`, and those that the owner has: none.
    #[inline(always)]
    pub(super) fn new(Indices { lo, hi, mark }: Indices<'i>) -> (Self, Indices<'i>) {
        (Rest { lo: Cell::new(lo), hi: Cell::new(hi), mark }, Indices { lo, hi: lo, mark })
    }

    #[inline(always)]
    pub(super) fn hi(&self) -> u64 {
        self.hi.get()
    }

    pub(super) fn lo(&self) -> u64 {
        self.lo.get()
    }

    /// Divides the owner's indices and the rest anew: those below `end` are the owner's.
    #[inline(always)]
    pub(super) fn claim(&self, own: Indices<'i>, end: u64) -> Indices<'i> {
        assert!(own.hi == self.lo.get(), "the rest begins where the owner's indices end");
        let end = end.min(self.hi.get()).max(own.lo);
        self.lo.set(end);
        Indices { hi: end, ..own }
    }

    /// Takes out the indices from `middle` on.
    pub(super) fn split_off(&self, middle: u64) -> Indices<'i> {
        let (lo, hi) = (self.lo.get(), self.hi.get());
        assert!(lo <= middle && middle <= hi, "a loop is divided within what is left");
        self.hi.set(middle);
        Indices { lo: middle, hi, mark: PhantomData }
    }
}
