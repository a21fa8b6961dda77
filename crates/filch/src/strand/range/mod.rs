//! Range loops: what is left of a loop stands on the ladder, to be halved for whoever comes (heartbeat.txt, section 4;
//! tascell-graphs.txt, 2.2).
//!
//! [`run`] is the way in. A loop that finds older work on its ladder begins without a frame, for thieves take the oldest
//! first: it needs one only if it lasts. [`shared::run_all`] is the loop with a frame, of the whole or of a part that has moved;
//! [`pace`] says how long blocks are.

mod job;
mod pace;
mod shared;

pub(crate) use job::Job;

use super::Strand;
use crate::worker::{Rung, Worker};

/// Iterations that a loop runs one by one before it shows a frame, where thieves have something older to take.
const SINGLES: u64 = 8;

/// Iterations that it runs altogether before it does.
const HIDDEN: u64 = 64;

/// Runs `job` on all of `0..len`.
///
/// # Safety
///
/// The indices below `len` are the range of the loop, and have not been run.
#[inline(always)]
pub(crate) unsafe fn run<J: Job>(s: Strand<'_>, job: &J, len: u64) -> J::Out {
    let rung = s.rung();
    let mut so_far = job.identity();
    let mut lo = 0;
    let end = len.min(SINGLES);
    // One by one, with a look in between: they may be long, and somebody may have taken the rest of what is older.
    // SAFETY: a strand exists only on the thread that occupies its ladder.
    while lo < end && unsafe { rung.is_covered::<Worker>() } {
        if job.is_stopped() {
            return so_far;
        }
        // SAFETY: as above, and the top stays where it is; each index once.
        so_far = unsafe { job.block(Strand::at(rung), lo, lo + 1, so_far) };
        lo += 1;
    }
    if lo < len {
        // SAFETY: as above.
        so_far = unsafe { run_longer(job, rung, lo, len, so_far) };
    }
    so_far
}

/// A loop that has more than a few iterations, from `lo` on.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
unsafe fn run_longer<J: Job>(job: &J, rung: Rung, mut lo: u64, len: u64, mut so_far: J::Out) -> J::Out {
    let end = len.min(HIDDEN);
    // As many as there have been.
    // SAFETY: as in `run`.
    while lo > 0 && lo < end && unsafe { rung.is_covered::<Worker>() } {
        if job.is_stopped() {
            return so_far;
        }
        let block_end = end.min(2 * lo);
        // SAFETY: as in `run`.
        so_far = unsafe { job.block(Strand::at(rung), lo, block_end, so_far) };
        lo = block_end;
    }
    if lo < len {
        // SAFETY: forwarded.
        so_far = unsafe { shared::run_root(job, rung, lo, len, so_far) };
    }
    so_far
}
