//! Loom checks the rule for idle threads. `cargo xtask loom` runs these tests, and the mutants that they must reject.

use super::{Plan, Sleepers};
use crate::protocol::marks::Marks;
use crate::protocol::task_pool::{SharedPool, Shelf, TaskPool};
use crate::sync::parker::Parker;
use crate::sync::{AtomicBool, Ordering};
use filch_policy::Balancer;
use loom::sync::Arc;
use loom::thread;
use std::ptr::NonNull;
use std::time::Duration;

/// A thread that looks for work, and sleeps without a last look at it, which the protocol allows. Loom has no clock. So
/// the sentinel does not sleep here, which stands for its timeout, and any other sleep ends only when the thread is
/// called. A lost call is thus a deadlock, which loom reports.
fn live_until(sleepers: &Sleepers, me: usize, work: &AtomicBool) {
    while !work.load(Ordering::SeqCst) {
        sleepers.sleep(me, Plan::Nap(Duration::ZERO), false, |_| false);
        thread::yield_now();
    }
    sleepers.going_busy(me);
}

/// Runs threads beside a run whose first fork announces itself *before* it shows its frame.
fn check(threads: usize, model: &loom::model::Builder) {
    model.check(move || {
        let shared = Arc::new((Sleepers::new(threads, None), AtomicBool::new(false)));
        let threads: Vec<_> = (0..threads)
            .map(|me| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || live_until(&shared.0, me, &shared.1))
            })
            .collect();
        shared.0.begin_run();
        shared.1.store(true, Ordering::SeqCst);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        shared.0.end_run();
    });
}

/// The first fork of a run finds a sentinel, or wakes a thread.
#[test]
fn a_first_fork_finds_somebody() {
    check(1, &loom::model::Builder::new());
}

/// One of two threads becomes the sentinel. When it gets busy, it wakes the other thread to look in its place.
#[test]
fn a_sentinel_that_goes_busy_wakes_another() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    check(2, &model);
}

/// A sentinel that watches has arranged to be called by any thread that makes work, and sleeps until then.
#[test]
fn a_sentinel_that_watches_is_called() {
    loom::model(|| {
        let shared = Arc::new((Sleepers::new(1, None), AtomicBool::new(false)));
        shared.0.begin_run();
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                while !shared.1.load(Ordering::SeqCst) {
                    shared.0.sleep(0, Plan::Watch(Duration::MAX), false, |_| shared.1.load(Ordering::SeqCst));
                }
            }
        });
        shared.1.store(true, Ordering::SeqCst);
        shared.0.ensure_sentinel();
        thread.join().unwrap();
    });
}

/// A thread that is told to leave does so, whether it sleeps or is about to sleep.
#[test]
fn everybody_can_be_called() {
    loom::model(|| {
        let shared = Arc::new((Sleepers::new(1, None), AtomicBool::new(false)));
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                while !shared.1.load(Ordering::SeqCst) {
                    shared.0.sleep(0, Plan::Nap(Duration::MAX), false, |_| shared.1.load(Ordering::SeqCst));
                }
                shared.0.leave(0);
            }
        });
        shared.1.store(true, Ordering::SeqCst);
        shared.0.wake_all();
        assert!(shared.0.announced.load(Ordering::SeqCst) <= 1, "no thread is counted out that is not counted in");
        thread.join().unwrap();
    });
}

/// With squads, a call for one of them wakes its watcher, whichever thread has the role of the sentinel. There is no
/// timeout here, so a call that goes to another squad alone is a deadlock.
#[test]
fn a_watcher_is_called_for_its_squad() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let works = [(); 2].map(|()| AtomicBool::new(false));
        let shared = Arc::new((Sleepers::new(2, Some(Box::new([0, 1]))), works));
        shared.0.begin_run();
        let threads = [0, 1].map(|me| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let look = || shared.1[me].load(Ordering::SeqCst);
                while !look() {
                    shared.0.sleep(me, Plan::Watch(Duration::MAX), false, |_| look());
                }
                shared.0.going_busy(me);
            })
        });
        for squad in [1, 0] {
            shared.1[squad].store(true, Ordering::SeqCst);
            shared.0.call_for_more(Some(squad));
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// A frame comes onto a shelf while a thread that is about to watch looks for marks. It does not lock a shelf that has
/// none, so only fences order the two. There is no timeout here, so a call that is missed is a deadlock.
#[test]
fn a_watcher_sees_the_mark_of_a_shelf_or_is_called() {
    loom::model(|| {
        let marks = std::sync::Arc::new(Marks::none(1));
        let shelf = Shelf::new(Balancer::Concurrent).marked(&marks, 0);
        let shared = Arc::new((Sleepers::new(1, None), shelf, Parker::new()));
        let owner = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                shared.1.put(&0_u8);
                if shared.0.is_watched() {
                    shared.2.unpark();
                }
            }
        });
        shared.0.begin_watch();
        if marks.first(0..1).is_none() {
            shared.2.park();
        }
        shared.0.end_watch();
        owner.join().unwrap();
        assert!(shared.1.get(&|_| true).is_some());
    });
}
