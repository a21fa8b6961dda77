//! Range loops: what is left of a loop stands on the ladder, to be halved for whoever comes (heartbeat.txt, section 4;
//! tascell-graphs.txt, 2.2).
//!
//! [`run`] is the way in. A loop of short iterations that finds older work on its ladder begins without a frame, for
//! thieves take the oldest first: it needs one only if it lasts. [`shared::run_all`] is the loop with a frame, of the
//! whole or of a part that has moved; [`Pace`] says how long blocks are.

use super::job::Job;
use super::shared::{Shared, run_all, run_block};
use crate::constructs::strand::Strand;
use crate::engine::cost;
use crate::engine::frame::Rung;
use crate::engine::team::Worker;
use crate::sync::clock;
use filch_policy::loops::{self, Cost, Pace, Strides};

/// Runs `job` on all of `0..len`.
///
/// # Safety
///
/// The indices below `len` are the range of the loop, and have not been run.
#[inline(always)]
pub(crate) unsafe fn run<J: Job>(s: Strand<'_>, job: J, len: u64) -> J::Out {
    let rung = s.rung();
    let mut so_far = job.identity();
    let mut lo = 0;
    // SAFETY: a strand exists only on the thread that occupies its ladder.
    let few = len.min(unsafe { cost::hidden(rung, Shared::<J>::key()) });
    // One by one, with a look in between: somebody may have taken the rest of what is older.
    // SAFETY: as above.
    while lo < few && unsafe { rung.is_covered::<Worker>() } && !job.is_stopped() {
        // SAFETY: as above, and the top stays where it is.
        let s = unsafe { Strand::at(rung) };
        // SAFETY: each index once, by contract.
        so_far = unsafe { job.block(s, lo, lo + 1, so_far) };
        lo += 1;
    }
    if lo == len {
        return so_far;
    }
    // By value: what has its address taken does not stay in registers.
    // SAFETY: as above.
    unsafe { run_longer(job, rung, lo, len, so_far) }
}

/// A loop of more than a few iterations, or one that shows its frame at once, from `lo` on.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
unsafe fn run_longer<J: Job>(job: J, rung: Rung, mut lo: u64, len: u64, mut so_far: J::Out) -> J::Out {
    let key = Shared::<J>::key();
    // SAFETY: forwarded.
    let mut cost = unsafe { cost::guess(rung, key) };
    if lo > 0 {
        let hidden = loops::hidden(lo, len, cost);
        // SAFETY: as in `run`.
        while lo < hidden && unsafe { rung.is_covered::<Worker>() } && !job.is_stopped() {
            let end = loops::next_look(lo, hidden);
            // SAFETY: as in `run`.
            (lo, so_far) = unsafe { run_block(&job, rung, rung, lo, end, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
        // SAFETY: as in `run`.
        if !unsafe { rung.is_covered::<Worker>() } {
            // Somebody has come while it hid: it may be longer than believed.
            cost = Cost::Unknown;
            // SAFETY: forwarded.
            unsafe { cost::note(rung, key, cost) };
        }
    }
    // SAFETY: forwarded.
    if lo == 0 && loops::hides_all(len, cost) && unsafe { rung.is_closed() } {
        // Nobody is awake for a run that has not forked, and few short iterations are over before anybody would be.
        let begin = clock::now_ns();
        // SAFETY: as in `run`.
        (lo, so_far) = unsafe { run_block(&job, rung, rung, 0, 1, Strides::OF_HIDDEN, so_far) };
        if !loops::is_worth_a_call(clock::now_ns() - begin) && !job.is_stopped() {
            // SAFETY: as in `run`.
            (lo, so_far) = unsafe { run_block(&job, rung, rung, lo, len, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
    }
    let shared = Shared::new(&job);
    let pace = if Pace::is_untimed(cost) { Pace::untimed(lo, cost) } else { Pace::timed(lo, 1, clock::now_ns()) };
    // SAFETY: forwarded.
    unsafe { run_all(&shared, rung, lo, len, pace, so_far, true) }
}
