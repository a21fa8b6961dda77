//! What is driven: a producer of rayon, or a text, which can be divided only in some places.

use rayon::iter::plumbing::{Folder, Producer};

/// Items that can be divided about where one wants.
pub(crate) trait Divisible: Send + Sized {
    type Item;

    fn min_len(&self) -> usize {
        1
    }

    fn max_len(&self) -> usize {
        usize::MAX
    }

    /// Divides the items, for some unit of their length, near `at`. One side may be empty.
    fn split_at(self, at: usize) -> (Self, Self);

    /// Feeds the items to `folder`, until it is full.
    fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F;
}

impl<P: Producer> Divisible for P {
    type Item = P::Item;

    #[inline(always)]
    fn min_len(&self) -> usize {
        Producer::min_len(self)
    }

    #[inline(always)]
    fn max_len(&self) -> usize {
        Producer::max_len(self)
    }

    #[inline(always)]
    fn split_at(self, at: usize) -> (Self, Self) {
        Producer::split_at(self, at)
    }

    #[inline(always)]
    fn fold_with<F: Folder<P::Item>>(self, folder: F) -> F {
        Producer::fold_with(self, folder)
    }
}
