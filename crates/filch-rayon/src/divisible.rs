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

    /// Divides them at `at`, which is more than 0 and less than their length. The length of a producer is its number
    /// of items; that of a text is its number of bytes, and it is divided near `at`, or not at all if it has no place
    /// for that.
    fn split_at(self, at: usize) -> Result<(Self, Self), Self>;

    /// The length, which should be `planned`. Only texts know it, and have another one.
    #[inline(always)]
    fn len_or(&self, planned: usize) -> usize {
        planned
    }

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
    fn split_at(self, at: usize) -> Result<(Self, Self), Self> {
        Ok(Producer::split_at(self, at))
    }

    #[inline(always)]
    fn fold_with<F: Folder<P::Item>>(self, folder: F) -> F {
        Producer::fold_with(self, folder)
    }
}
