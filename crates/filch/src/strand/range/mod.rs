//! Range loops.

use super::Strand;

/// What a loop does with its indices, in blocks.
pub(crate) trait Job: Sync {
    type Out: Send;

    fn identity(&self) -> Self::Out;

    /// Adds what the iterations from `lo` to before `hi` come to, in order, to what those before came to.
    ///
    /// # Safety
    ///
    /// Within the range of the loop, and no index comes twice.
    unsafe fn block(&self, s: Strand<'_>, lo: u64, hi: u64, so_far: Self::Out) -> Self::Out;

    /// `left` is of lower indices than `right`.
    fn combine(&self, left: Self::Out, right: Self::Out) -> Self::Out;

    /// Whether the rest need not be run.
    #[inline(always)]
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Runs all of `0..len`.
#[inline(always)]
pub(crate) unsafe fn run<J: Job>(mut s: Strand<'_>, job: &J, len: u64) -> J::Out {
    unsafe { job.block(s.reborrow(), 0, len, job.identity()) }
}
