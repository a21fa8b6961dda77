//! Threads that call a pool: how many of them work at once, and when one goes without a seat.

use crate::common::{assert_usable, await_value, eager_pool, must_end};
use crate::{ROUNDS, Working, assert_seats_hold, tree};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn no_more_threads_work_for_a_pool_than_it_has_workers() {
    for workers in if cfg!(miri) { 2..=2 } else { 1..=3 } {
        let pool = eager_pool(workers);
        let working = Working::default();
        std::thread::scope(|scope| {
            for _ in 0..workers + 2 {
                scope.spawn(|| {
                    for _ in 0..ROUNDS {
                        pool.run(|s| tree(s, if cfg!(miri) { 2 } else { 4 }, &|| working.work()));
                    }
                });
            }
        });
        assert_seats_hold(&pool, &working);
    }
}

#[test]
fn callers_get_free_seats_at_once() {
    let pool = eager_pool(3);
    let inside = AtomicUsize::new(0);
    // Each waits for the other two inside: there are seats for all three.
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                pool.run(|_| {
                    inside.fetch_add(1, Ordering::SeqCst);
                    await_value(&inside, 3);
                });
            });
        }
    });
    assert_usable(&pool);
}

#[test]
fn a_caller_that_finds_one_seat_taken_gets_another() {
    let pool = eager_pool(2);
    let inside = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            pool.run(|_| {
                inside.store(1, Ordering::SeqCst);
                await_value(&inside, 2);
            });
        });
        await_value(&inside, 1);
        assert_eq!(pool.run(|_| filch::current_worker()), Some(1));
        inside.store(2, Ordering::SeqCst);
    });
}

#[test]
fn more_callers_than_seats_are_all_served() {
    const CALLERS: usize = if cfg!(miri) { 4 } else { 8 };
    const RUNS: usize = if cfg!(miri) { 2 } else { 100 };
    for workers in if cfg!(miri) { 2..=2 } else { 1..=3 } {
        let pool = eager_pool(workers);
        let (total, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let all_there = std::sync::Barrier::new(CALLERS);
        std::thread::scope(|scope| {
            for _ in 0..CALLERS {
                scope.spawn(|| {
                    all_there.wait();
                    for _ in 0..RUNS {
                        let (a, b) = pool.run(|mut s| {
                            ran.fetch_add(1, Ordering::Relaxed);
                            s.join(|_| 1, |_| filch::join(|| 2, || 3).1)
                        });
                        total.fetch_add(a + b, Ordering::Relaxed);
                    }
                });
            }
        });
        let runs = CALLERS * RUNS;
        assert_eq!((total.into_inner(), ran.into_inner()), (4 * runs, runs), "each run once");
        assert_usable(&pool);
    }
}

/// A caller does not wait for the end of another thread's task, which may take an hour.
#[test]
fn a_caller_of_a_pool_whose_workers_sleep_goes_without_a_seat() {
    must_end(|| {
        for holds_another in [false, true] {
            let (pool, other) = (eager_pool(2), eager_pool(1));
            let (inside, is_over) = (AtomicUsize::new(0), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        pool.run(|_| {
                            inside.fetch_add(1, Ordering::SeqCst);
                            await_value(&is_over, 1);
                        });
                    });
                }
                await_value(&inside, 2);
                let run = || pool.run(|mut s| s.join(|_| 1, |_| 2));
                assert_eq!(if holds_another { other.run(|_| run()) } else { run() }, (1, 2));
                is_over.store(1, Ordering::SeqCst);
            });
            assert_eq!(pool.counters().seats_exceeded, 1);
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_run_may_wait_for_another_threads_run_of_a_full_pool() {
    must_end(|| {
        let pool = eager_pool(1);
        for _ in 0..ROUNDS.min(10) {
            let has_run = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                pool.run(|_| {
                    scope.spawn(|| pool.run(|s| tree(s, 4, &|| has_run.store(1, Ordering::SeqCst))));
                    await_value(&has_run, 1);
                });
            });
        }
    });
}
