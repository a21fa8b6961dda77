//! A part of what a loop could run over.

use super::{Access, Indexed, Sealed};
use std::ops::Range;

/// The items of another access with these indices.
pub(in super::super) struct Part<A> {
    items: Items<A>,
}

impl<A: Access> Part<A> {
    /// # Safety
    ///
    /// The indices must be below the length of `items`, and none of them must be used otherwise.
    pub(in super::super) unsafe fn new(items: A, part: Range<u64>) -> Self {
        Part { items: Items { items, from: part.start, len: part.end - part.start } }
    }
}

impl<A: Access> Sealed for Part<A> {}

impl<A: Access> Indexed for Part<A> {
    type Item = A::Item;
    type Access = Items<A>;

    #[inline]
    fn access(self) -> Items<A> {
        self.items
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Items<A> {
    items: A,
    from: u64,
    len: u64,
}

// SAFETY: the length never changes.
unsafe impl<A: Access> Access for Items<A> {
    type Item = A::Item;

    #[inline(always)]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline(always)]
    unsafe fn item(&self, index: u64) -> A::Item {
        // SAFETY: the caller guarantees that the index is below `len` and has not been used before, and that of the
        // part that all its indices belong to this access alone.
        unsafe { self.items.item(self.from + index) }
    }
}
