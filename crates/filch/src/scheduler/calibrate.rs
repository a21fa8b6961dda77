//! What has to be measured before the rules have numbers.

use crate::ladder::LadderBox;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Takes timed; the median counts, so that being descheduled once or twice does not.
const SAMPLES: usize = 9;

/// How long to wait for another thread to run, where there may be one processor only.
const PATIENCE: Duration = Duration::from_millis(1);

/// The cost of a take to the thief, system call included, while another thread keeps a processor busy, as there is one when
/// takes matter: interrupting it is most of the cost.
///
/// `None` where there is no memory for a ladder, or no thread to be had.
pub(crate) fn take_cost() -> Option<Duration> {
    let (beat, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let runs = || {
            while !is_over.load(Ordering::Relaxed) {
                beat.fetch_add(1, Ordering::Relaxed);
                std::hint::spin_loop();
            }
        };
        thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, runs).ok()?;
        // Returns when the other one has just been seen running.
        let cost = time_takes(|| {
            let (seen, since) = (beat.load(Ordering::Relaxed), Instant::now());
            while beat.load(Ordering::Relaxed) == seen && since.elapsed() < PATIENCE {
                std::hint::spin_loop();
            }
        });
        is_over.store(true, Ordering::Relaxed);
        cost
    })
}

fn time_takes(see_running: impl Fn()) -> Option<Duration> {
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
