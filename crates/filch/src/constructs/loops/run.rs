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
use crate::sync::clock;
use filch_policy::loops::{self, Cost, Pace, Strides};

/// Runs `body` on all of `0..len`.
///
/// # Safety
///
/// The indices below `len` must be the range of the loop, and must not have been run.
#[inline(always)]
pub(crate) unsafe fn run<B: Body>(mut s: Strand<'_>, body: B, len: u64) -> B::Out {
    let at = s.occupied();
    let mut so_far = body.identity();
    let mut lo = 0;
    let few = len.min(at.owner().costs.hidden(Shared::<B>::key()));
    // One by one, with a check in between, because a thief may take the last of the older frames.
    while lo < few && at.is_covered() && !body.is_stopped() {
        // SAFETY: the caller guarantees the range, and `lo` grows, so each index comes once.
        so_far = unsafe { body.block(s.reborrow(), lo, lo + 1, so_far) };
        lo += 1;
    }
    if lo == len {
        return so_far;
    }
    // By value: a body whose address is taken would not stay in registers.
    // SAFETY: the indices from `lo` on are in the range, and have not been run.
    unsafe { run_longer(body, s, lo, len, so_far) }
}

/// Runs a loop from `lo` on, if it has more than a few iterations or shows its frame at once.
///
/// # Safety
///
/// The indices `lo..len` must be in the range of the loop, and must not have been run.
#[inline(never)]
unsafe fn run_longer<B: Body>(body: B, mut s: Strand<'_>, mut lo: u64, len: u64, mut so_far: B::Out) -> B::Out {
    let (key, at) = (Shared::<B>::key(), s.occupied());
    let mut cost = at.owner().costs.guess(key);
    if lo > 0 {
        let hidden = loops::hidden(lo, len, cost);
        while lo < hidden && at.is_covered() && !body.is_stopped() {
            let end = loops::next_look(lo, hidden);
            // SAFETY: as in `run`.
            (lo, so_far) = unsafe { run_block(&body, at, s.reborrow(), lo, end, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
        if !at.is_covered() {
            // A thief has taken the older frames while this loop was hidden, so its iterations may be longer than
            // expected.
            cost = Cost::Unknown;
            at.owner().costs.note(key, cost);
        }
    }
    if lo == 0 && loops::hides_all(len, cost) && at.is_closed() {
        // A run that has not forked has woken no worker, and a few short iterations end before a worker would be awake.
        let begin = clock::now_ns();
        // SAFETY: by the contract of this function; `lo` grows, so each index comes once.
        (lo, so_far) = unsafe { run_block(&body, at, s.reborrow(), 0, 1, Strides::OF_HIDDEN, so_far) };
        if !loops::is_worth_a_call(clock::now_ns() - begin) && !body.is_stopped() {
            // SAFETY: by the contract of this function; `lo` grows, so each index comes once.
            (lo, so_far) = unsafe { run_block(&body, at, s.reborrow(), lo, len, Strides::OF_HIDDEN, so_far) };
        }
        if lo == len {
            return so_far;
        }
    }
    let shared = Shared::new(&body);
    let pace = if Pace::is_untimed(cost) { Pace::untimed(lo, cost) } else { Pace::timed(lo, 1, clock::now_ns()) };
    // SAFETY: by the contract of this function.
    unsafe { run_all(&shared, s, lo, len, pace, so_far, true) }
}
