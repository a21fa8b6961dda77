//! What a loop does with its items, independent of how it runs in parallel.

use super::indexed::Access;
use crate::constructs::strand::Strand;

/// What a loop does with its items, in blocks.
pub(crate) trait Body: Sync {
    type Access: Access;
    type Out: Send;
    /// What a worker has for itself while it runs a block.
    type Scratch<'b>: Default
    where
        Self: 'b;

    fn identity(&self) -> Self::Out;

    /// Combines `so_far`, the result of earlier iterations, with the results of those over `items`, in order: a block,
    /// or a stride of one. If the body [is stopped](Self::is_stopped), it need not run all of them.
    fn stride<'b>(
        &'b self,
        s: Strand<'_>,
        items: impl Iterator<Item = Item<Self>>,
        so_far: Self::Out,
        scratch: &mut Self::Scratch<'b>,
    ) -> Self::Out;

    /// A block has ended, and not by a panic.
    #[inline(always)]
    fn end_block(&self, _: Self::Scratch<'_>) {}

    /// Combines two results. `left` is of lower indices than `right`.
    fn combine(&self, left: Self::Out, right: Self::Out) -> Self::Out;

    /// Whether the rest of the loop need not run. Once true it stays true. Checked before each block.
    #[inline(always)]
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether the loop has been aborted from outside. Asked for each part that begins on another worker.
    #[inline(always)]
    fn is_aborted(&self) -> bool {
        false
    }
}

pub(crate) type Item<B> = <<B as Body>::Access as Access>::Item;
