//! A part of what a loop could run over.

use super::{Access, Indexed, Items};
use filch_policy::Over;
use std::ops::Range;

/// The items of another access with these indices.
pub(in super::super) struct Part<A> {
    access: OfPart<A>,
}

impl<A: Access> Part<A> {
    /// # Safety
    ///
    /// The indices must be below the length of `whole`, and none of them must be used otherwise.
    pub(in super::super) unsafe fn new(whole: A, part: Range<u64>) -> Self {
        Part { access: OfPart { whole, from: part.start, len: part.end - part.start } }
    }
}

impl<A: Access> Indexed for Part<A> {
    type Item = A::Item;
    type Access = OfPart<A>;

    #[inline]
    fn items(self) -> Items<OfPart<A>> {
        // SAFETY: whoever has made the part guarantees that its indices are not used otherwise.
        unsafe { Items::new(self.access) }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct OfPart<A> {
    whole: A,
    from: u64,
    len: u64,
}

// SAFETY: the length never changes, and other indices are other items, as of the whole.
unsafe impl<A: Access> Access for OfPart<A> {
    type Item = A::Item;

    const OVER: Over = A::OVER;

    #[inline(always)]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> A::Item {
        // SAFETY: the caller guarantees that the index is below `len` and has not been used before, and that of the
        // part that all its indices belong to this access alone.
        unsafe { self.whole.item(self.from + index) }
    }
}
