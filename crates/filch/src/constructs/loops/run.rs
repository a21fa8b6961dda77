//! Range loops. The rest of a loop is on the ladder, where other workers can take half of it (Acar, Charguéraud,
//! Guatto, Rainey and Sieczkowski 2018, section 4; Yasugi et al. 2012, section 2.2).
//!
//! [`run`] is the entry. If there is older work on the ladder, a loop of short iterations starts without a frame:
//! thieves take the oldest frame first, so the loop needs a frame only if it lasts. [`run_all`] runs a loop
//! with a frame, the whole of it or a part that has moved. The policy decides how long blocks are
//! ([`filch_policy::loops`]).

use super::body::Body;
use super::shared::{Shared, run_all, run_block};
use crate::constructs::strand::Strand;
use crate::engine::cost;
use crate::engine::frame::Rung;
use crate::engine::team::Worker;
use crate::sync::clock;
use filch_policy::loops::{self, Cost, Pace, Strides};

/// Runs `body` on all of `0..len`.
///
/// # Safety
///
/// The indices below `len` must be the range of the loop, and must not have been run.
#[inline(always)]
pub(crate) unsafe fn run<B: Body>(s: Strand<'_>, body: B, len: u64) -> B::Out {
    let rung = s.rung();
    let mut so_far = body.identity();
    let mut lo = 0;
    // SAFETY: a strand exists only on the thread that occupies its ladder.
    let few = len.min(unsafe { cost::hidden(rung, Shared::<B>::key()) });
    // One by one, with a check in between, because a thief may take the last of the older frames.
    // SAFETY: the strand's thread occupies the ladder; see above.
    while lo < few && unsafe { rung.is_covered::<Worker>() } && !body.is_stopped() {
        // SAFETY: this thread occupies the ladder, and the top stays at `rung` or above.
        let s = unsafe { Strand::at(rung) };
        // SAFETY: the caller guarantees the range, and `lo` grows, so each index comes once.
        so_far = unsafe { body.block(s, lo, lo + 1, so_far) };
        lo += 1;
    }
    if lo == len {
        return so_far;
    }
    // By value: a body whose address is taken would not stay in registers.
    // SAFETY: this thread occupies the ladder, and the indices from `lo` on have not been run.
    unsafe { run_longer(body, rung, lo, len, so_far) }
}

/// Runs a loop from `lo` on, if it has more than a few iterations or shows its frame at once.
///
/// # Safety
///
/// The caller must occupy the ladder of `rung`, whose top must be there or above. The indices `lo..len` must be in the
/// range of the loop, and must not have been run.
#[inline(never)]
unsafe fn run_longer<B: Body>(body: B, rung: Rung, mut lo: u64, len: u64, mut so_far: B::Out) -> B::Out {
    let key = Shared::<B>::key();
    // SAFETY: by the contract of this function.
    let mut cost = unsafe { cost::guess(rung, key) };
    if lo > 0 {
        let hidden = loops::hidden(lo, len, cost);
        // SAFETY: this thread occupies the ladder.
        while lo < hidden && unsafe { rung.is_covered::<Worker>() } && !body.is_stopped() {
            let end = loops::next_look(lo, hidden);
            // SAFETY: as in `run`.
            (lo, so_far) = unsafe { run_block(&body, rung, rung, lo, end, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
        // SAFETY: this thread occupies the ladder.
        if !unsafe { rung.is_covered::<Worker>() } {
            // A thief has taken the older frames while this loop was hidden, so its iterations may be longer than
            // expected.
            cost = Cost::Unknown;
            // SAFETY: this thread occupies the ladder.
            unsafe { cost::note(rung, key, cost) };
        }
    }
    // SAFETY: guaranteed by the caller.
    if lo == 0 && loops::hides_all(len, cost) && unsafe { rung.is_closed() } {
        // A run that has not forked has woken no worker, and a few short iterations end before a worker would be awake.
        let begin = clock::now_ns();
        // SAFETY: by the contract of this function; `lo` grows, so each index comes once.
        (lo, so_far) = unsafe { run_block(&body, rung, rung, 0, 1, Strides::OF_HIDDEN, so_far) };
        if !loops::is_worth_a_call(clock::now_ns() - begin) && !body.is_stopped() {
            // SAFETY: by the contract of this function; `lo` grows, so each index comes once.
            (lo, so_far) = unsafe { run_block(&body, rung, rung, lo, len, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
    }
    let shared = Shared::new(&body);
    let pace = if Pace::is_untimed(cost) { Pace::untimed(lo, cost) } else { Pace::timed(lo, 1, clock::now_ns()) };
    // SAFETY: by the contract of this function.
    unsafe { run_all(&shared, rung, lo, len, pace, so_far, true) }
}
