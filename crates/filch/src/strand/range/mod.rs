//! Range loops: what is left of a loop stands on the ladder, to be halved for whoever comes (heartbeat.txt, section 4;
//! tascell-graphs.txt, 2.2).
//!
//! [`run`] is the way in. A loop that finds older work on its ladder begins without a frame, for thieves take the oldest
//! first: it needs one only if it lasts. [`shared::run_all`] is the loop with a frame, of the whole or of a part that
//! has moved; [`pace`] says how long blocks are.

mod job;
mod pace;
mod shared;

pub(crate) use job::Job;

use super::Strand;
use crate::sync::clock;
use crate::worker::cheap::{Cost, guesses};
use crate::worker::{Rung, Worker};
use pace::Pace;
use shared::{Shared, run_all};

/// Iterations that a loop runs one by one before it shows a frame, where thieves have something older to take.
const FEW: u64 = 16;

/// The same at once, where they are believed to be short.
const HIDDEN: u64 = 64;

/// Runs `job` on all of `0..len`.
///
/// # Safety
///
/// The indices below `len` are the range of the loop, and have not been run.
#[inline(always)]
pub(crate) unsafe fn run<J: Job>(s: Strand<'_>, job: J, len: u64) -> J::Out {
    let rung = s.rung();
    // SAFETY: a strand exists only on the thread that occupies its ladder.
    let is_covered = || unsafe { rung.is_covered::<Worker>() };
    // SAFETY: as above.
    let are_short = || unsafe { guesses(rung) }.are_short(Shared::<J>::key());
    if len <= HIDDEN && is_covered() && are_short() && !job.is_stopped() {
        // SAFETY: the range, which has not been run.
        unsafe { job.block(s, 0, len, job.identity()) }
    } else {
        // By value: what has its address taken does not stay in registers.
        // SAFETY: forwarded.
        unsafe { run_longer(job, rung, len) }
    }
}

/// A loop that may be long.
///
/// # Safety
///
/// As [`run`]; the caller occupies the ladder of `rung`, its top.
#[cold]
#[inline(never)]
unsafe fn run_longer<J: Job>(job: J, rung: Rung, len: u64) -> J::Out {
    let key = Shared::<J>::key();
    // SAFETY: forwarded.
    let cost = unsafe { guesses(rung) }.expect(key);
    let since_ns = if cost == Cost::Unknown { clock::now_ns() } else { 0 };
    let (hidden, step) = if cost < Cost::Short { (FEW, 1) } else { (HIDDEN, HIDDEN) };
    let (mut lo, mut so_far) = (0, job.identity());
    // With a look in between: they may be long, and somebody may have taken the rest of what is older.
    // SAFETY: forwarded.
    while lo < hidden.min(len) && unsafe { rung.is_covered::<Worker>() } && !job.is_stopped() {
        let end = len.min(lo + step);
        // SAFETY: forwarded, and the top stays where it is.
        let s = unsafe { Strand::at(rung) };
        // SAFETY: each index once, by contract.
        so_far = unsafe { block(&job, s, lo, end, so_far) };
        lo = end;
    }
    if lo == len {
        if cost == Cost::Unknown && len > 0 {
            // So few do not tell cheap ones from short ones.
            let cost = pace::cost(len, clock::now_ns() - since_ns).min(Cost::Short);
            // SAFETY: forwarded.
            unsafe { guesses(rung) }.note(key, cost);
        }
        return so_far;
    }
    let pace = match cost {
        Cost::Cheap => Pace::untimed(lo),
        Cost::Short => Pace::timed(lo, FEW),
        Cost::Unknown | Cost::Dear => Pace::timed(lo, 1),
    };
    // SAFETY: forwarded.
    unsafe { run_all(&Shared::new(&job), rung, lo, len, pace, so_far) }
}

/// [`Job::block`], as a function of its own: the body is inlined here, once, and what it captures is loaded once a block.
///
/// # Safety
///
/// As [`Job::block`].
#[inline(never)]
unsafe fn block<J: Job>(job: &J, s: Strand<'_>, lo: u64, hi: u64, so_far: J::Out) -> J::Out {
    // SAFETY: forwarded.
    unsafe { job.block(s, lo, hi, so_far) }
}
