//! What has to be measured before the rules have numbers.

use crate::ladder::LadderBox;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

/// The period N is this many times the cost of what it limits, which bounds the overhead by a twentieth (heartbeat.txt,
/// section 5.1).
const PERIOD_PER_COST: u32 = 20;

/// Takes timed; the median counts, so that being descheduled once or twice does not.
const SAMPLES: usize = 9;

/// The cost of a take to the thief, system call included. `see_running` returns when another thread of the pool has just
/// been seen running, as there is one when takes matter: interrupting it is most of the cost.
///
/// `None` where there is no memory for a ladder.
pub(crate) fn take_cost(see_running: impl Fn()) -> Option<Duration> {
    let frames = [0_u64; SAMPLES];
    let ladder = LadderBox::<u64, ()>::new(SAMPLES, ())?;
    let mut rungs = [ladder.first(); SAMPLES];
    for i in 0..SAMPLES {
        if i > 0 {
            // SAFETY: the ladder has SAMPLES rungs, and this is at most the last.
            rungs[i] = unsafe { rungs[i - 1].next() };
        }
        // SAFETY: this thread owns the ladder and pushes at its top; the frames outlive it.
        unsafe { rungs[i].push(NonNull::from(&frames[i])) };
    }
    let mut costs = [Duration::ZERO; SAMPLES];
    for cost in &mut costs {
        see_running();
        let begin = Instant::now();
        let taken = ladder.take(0, |_| true);
        *cost = begin.elapsed();
        debug_assert!(taken.is_ok(), "nobody else is at this ladder");
    }
    costs.sort_unstable();
    Some(costs[SAMPLES / 2])
}

/// The period N that goes with a cost.
pub(crate) fn period(cost: Duration) -> Duration {
    cost * PERIOD_PER_COST
}
