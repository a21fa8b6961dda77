//! The life of a thread of the team: look for work, run it, rest.

use super::abort::AbortOnUnwind;
use super::idle::Rest;
use super::stage::Stage;
use super::steal::take_from;
use super::{Ladder, Team, Worker, current};
use crate::sync::{Ordering, clock};
use std::time::Duration;

/// Sleep between looks of a thread that waits for calibration to end.
const START_NAP: Duration = Duration::from_millis(1);

/// Occupies `team`'s worker `index` until the team is dismissed and there is nothing left to do.
pub(crate) fn live(team: &Team, index: usize) {
    let ladder: &Ladder = &team.ladders()[index];
    while team.stage().is(Stage::Calibrating) {
        // One thread keeps a processor busy, so that there is somebody to interrupt; the others keep out of the way.
        if index == 1 { team.stage().beat() } else { ladder.owner().parker.park_timeout(START_NAP) }
    }
    current::occupy(team, ladder, ladder.first(), || work(team, ladder));
}

fn work(team: &Team, ladder: &Ladder) {
    // A pool with a thread less than it was built with would leave queued callers waiting.
    let abort = AbortOnUnwind::arm();
    let worker = ladder.owner();
    let mut rest = Rest::new(worker);
    while !team.stage().is(Stage::Leaving) {
        let found = clock::now_ns();
        // SAFETY: `live` has made this thread the occupant, and between two tasks its ladder is empty.
        if unsafe { team.entrance.run_next(ladder) } || unsafe { take_any(team, ladder) } {
            rest.over(found);
        } else {
            rest.pause(team, || !team.stage().is(Stage::Leaving) && team.entrance.is_quiet());
        }
    }
    abort.disarm();
}

/// Visits the other workers once, from a random one on, and runs the first frame that it can take. False if there was
/// none.
///
/// # Safety
///
/// The caller occupies `ladder`, which is empty, and runs no task on it.
unsafe fn take_any(team: &Team, ladder: &Ladder) -> bool {
    if !team.takes() {
        return false;
    }
    let worker = ladder.owner();
    let count = team.ladders().len();
    let start = worker.random_below(count);
    for step in 0..count {
        let victim = &team.ladders()[(start + step) % count];
        if victim.owner().index == worker.index {
            continue;
        }
        // SAFETY: forwarded; no task runs, so there is room for one.
        if unsafe { take_from(team, victim, ladder, ladder.first(), || true) } {
            return true;
        }
    }
    false
}

/// 2^64 over the golden ratio: its multiples are far apart.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Worker {
    /// A number below `n`, from xorshift64 (Marsaglia): where to look first needs to be spread, not unpredictable.
    fn random_below(&self, n: usize) -> usize {
        let mut x = self.random.load(Ordering::Relaxed);
        if x == 0 {
            x = SPREAD.wrapping_mul(self.index as u64 + 1);
        }
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.store(x, Ordering::Relaxed);
        (x % n as u64) as usize
    }
}
