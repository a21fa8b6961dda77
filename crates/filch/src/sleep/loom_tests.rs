//! The idle rule under the model checker; `.ci/loom` runs it, and the mutants that it must reject.

use super::Sleepers;
use crate::sync::{AtomicBool, Ordering};
use loom::sync::Arc;
use loom::thread;
use std::time::Duration;

/// The model checker has no clock: a sleep with a timeout, unless that is zero, ends only when called, so a call that goes
/// missing is a deadlock, which it reports.
fn sleep_until(sleepers: &Sleepers, me: usize, work: &AtomicBool) {
    while !work.load(Ordering::SeqCst) {
        sleepers.sleep(me, Duration::MAX, false, || work.load(Ordering::SeqCst));
    }
    sleepers.going_busy(me);
}

/// The first fork of a run finds a thread that is on the look-out, or wakes one. It announces itself *before* it shows its
/// frame, so a sleeper that looks for frames only may miss it.
#[test]
fn a_first_fork_finds_somebody() {
    loom::model(|| {
        let shared = Arc::new((Sleepers::new(1), AtomicBool::new(false)));
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                while !shared.1.load(Ordering::SeqCst) {
                    // On the look-out it does not sleep at all: that is the sentinel's timeout.
                    shared.0.sleep(0, Duration::ZERO, false, || shared.1.load(Ordering::SeqCst));
                    thread::yield_now();
                }
                shared.0.going_busy(0);
            }
        });
        shared.0.begin_run();
        shared.1.store(true, Ordering::SeqCst);
        thread.join().unwrap();
        shared.0.end_run();
    });
}

/// Of two threads one becomes the sentinel; when it goes busy, the other is woken to look in its place.
#[test]
fn a_sentinel_that_goes_busy_wakes_another() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let shared = Arc::new((Sleepers::new(2), AtomicBool::new(false)));
        let threads: Vec<_> = (0..2)
            .map(|me| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || sleep_until(&shared.0, me, &shared.1))
            })
            .collect();
        shared.1.store(true, Ordering::SeqCst);
        shared.0.begin_run();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        shared.0.end_run();
    });
}

/// Whoever is told to leave does, asleep or about to be.
#[test]
fn everybody_can_be_called() {
    loom::model(|| {
        let shared = Arc::new((Sleepers::new(1), AtomicBool::new(false)));
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || sleep_until(&shared.0, 0, &shared.1)
        });
        shared.1.store(true, Ordering::SeqCst);
        shared.0.wake_all();
        thread.join().unwrap();
    });
}
