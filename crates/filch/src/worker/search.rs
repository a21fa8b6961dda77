//! The life of a thread of the team: look for work, run it, rest.

use super::execute::execute;
use super::idle::Rest;
use super::team::Stage;
use super::{Header, Ladder, Team, Worker, current};
use crate::ladder::Miss;
use crate::sync::{AtomicU64, Ordering, clock};
use std::time::Duration;

/// Sleep between looks of a thread that waits for calibration to end.
const START_NAP: Duration = Duration::from_millis(1);

/// Occupies `team`'s worker `index` until the team is dismissed and there is nothing left to do.
pub(crate) fn live(team: &Team, index: usize) {
    let ladder: &Ladder = &team.ladders()[index];
    while team.is_at(Stage::Calibrating) {
        // One thread keeps a processor busy, so that there is somebody to interrupt; the others keep out of the way.
        if index == 1 { team.beat() } else { ladder.owner().parker.park_timeout(START_NAP) }
    }
    current::occupy(team, ladder, ladder.first(), || work(team, ladder));
}

fn work(team: &Team, ladder: &Ladder) {
    let worker = ladder.owner();
    let mut rest = Rest::new(worker);
    while !team.is_at(Stage::Leaving) {
        let found = clock::now_ns();
        // SAFETY: `live` has made this thread the occupant, and between two tasks its ladder is empty.
        if unsafe { team.entrance.run_next(ladder) } || unsafe { take_any(team, ladder) } {
            rest.over(found);
        } else {
            rest.pause(team, || !team.is_at(Stage::Leaving) && team.entrance.is_quiet());
        }
    }
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
        worker.counters.steal_attempts.bump();
        let taken = victim.take(team.period_ns(), |frame| {
            let task = worker.tasks.begin(worker.index);
            // SAFETY: `take` calls this under L, before H moves.
            unsafe { Header::set_claim(frame, task) };
            true
        });
        match taken {
            Ok(frame) => {
                worker.counters.forks_taken.bump();
                let wake = || victim.owner().parker.unpark();
                // SAFETY: forwarded; claimed above.
                unsafe { execute(ladder, ladder.first(), frame, wake) };
                return true;
            }
            Err(Miss::Failed) => worker.counters.failed_takes.bump(),
            Err(Miss::Empty | Miss::TooSoon | Miss::Contended) => {}
        }
    }
    false
}

impl Worker {
    /// A number below `n`, from xorshift64 (Marsaglia): where to look first needs to be spread, not unpredictable.
    fn random_below(&self, n: usize) -> usize {
        static SEED: AtomicU64 = AtomicU64::new(0x9E37_79B9_7F4A_7C15);
        let mut x = self.random.load(Ordering::Relaxed);
        if x == 0 {
            x = SEED.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed) | 1;
        }
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.store(x, Ordering::Relaxed);
        (x % n as u64) as usize
    }
}
