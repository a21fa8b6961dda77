//! What a take costs on this machine.

use super::measured::Measured;
use crate::protocol::ladder::{Claimed, Frame, LadderBox, Occupied, Verdict};
use crate::sync::{boxed, fence, timer};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The takes to time.
const TAKES: usize = 64;

/// How many takes must have interrupted a running thread for them to count.
const ENOUGH: usize = 9;

/// How long to wait until the other thread is seen to run. It may have to wait for a processor if the machine is busy
/// or has only one.
const PATIENCE: Duration = Duration::from_micros(100);

/// How long to sleep if the other thread does not run, to leave it the processor.
const AWAY: Duration = Duration::from_millis(1);

/// If the other thread is seen to go on within this time after a take, it was running during the take.
const AT_ONCE: Duration = Duration::from_micros(50);

/// The cost of a take to the thief, including the system call, while another thread keeps a processor busy. That is the
/// case when takes matter, and most of the cost is the interruption of that processor, for which the thief waits.
///
/// `None` if the other thread was not running often enough.
pub(crate) fn measure() -> Option<Measured> {
    fence::prepare();
    if !fence::is_ready() {
        return None;
    }
    let (beat, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let runs = || {
            while !is_over.load(Ordering::Relaxed) {
                beat.fetch_add(1, Ordering::Relaxed);
                std::hint::spin_loop();
            }
        };
        thread::Builder::new().name("filch-calibration".to_owned()).spawn_scoped(scope, boxed(runs)).ok()?;
        let sees_it_run = |limit: Duration| {
            let (seen, since) = (beat.load(Ordering::Relaxed), Instant::now());
            loop {
                let runs = beat.load(Ordering::Relaxed) != seen;
                if runs || since.elapsed() >= limit {
                    return runs;
                }
                std::hint::spin_loop();
            }
        };
        let _end = End(&is_over);
        time_takes(sees_it_run)
    })
}

/// Ends the other thread, for which the scope waits.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Frame for u64 {
    type Owner = ();
}

fn time_takes(sees_it_run: impl Fn(Duration) -> bool) -> Option<Measured> {
    let frames = [0_u64; TAKES];
    let ladder = LadderBox::<u64>::new(TAKES, ())?;
    // SAFETY: this thread owns the ladder.
    let at = unsafe { Occupied::at(ladder.first()) };
    for frame in &frames {
        // SAFETY: the ladder has as many rungs as there are frames, which outlive it.
        unsafe { at.top().push(NonNull::from(frame)) };
    }
    let mut costs = Vec::with_capacity(TAKES);
    for _ in 0..TAKES {
        let ran_before = sees_it_run(PATIENCE);
        let begin = timer::used_by_this_thread();
        let taken = ladder.take(|| true, |frame| Verdict::Claims(Claimed::All(frame.as_ptr())));
        let cost = timer::used_by_this_thread().saturating_sub(begin);
        debug_assert!(taken.is_ok(), "nobody else is at this ladder");
        if ran_before && sees_it_run(AT_ONCE) {
            costs.push(cost);
        } else {
            // The other thread may be waiting for the processor of this thread; see `AWAY` in `comparison.rs`.
            thread::sleep(AWAY);
        }
    }
    if costs.len() < ENOUGH { None } else { Measured::by_samples(costs) }
}
