//! What a loop does, apart from running in parallel.

use crate::constructs::strand::Strand;

/// What a loop does with its indices, in blocks.
pub(crate) trait Job: Sync {
    type Out: Send;

    fn identity(&self) -> Self::Out;

    /// Adds what the iterations from `lo` to before `hi` come to, in order, to what those before came to. Once
    /// [stopped](Self::is_stopped), it need not run them.
    ///
    /// # Safety
    ///
    /// Within the range of the loop, and no index comes twice.
    unsafe fn block(&self, s: Strand<'_>, lo: u64, hi: u64, so_far: Self::Out) -> Self::Out;

    /// `left` is of lower indices than `right`.
    fn combine(&self, left: Self::Out, right: Self::Out) -> Self::Out;

    /// Whether the rest need not be run, now and for good: looked at before each block.
    #[inline(always)]
    fn is_stopped(&self) -> bool {
        false
    }
}
