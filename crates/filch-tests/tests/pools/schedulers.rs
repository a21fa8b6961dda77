//! What single schedulers promise: which worker takes, how often a worker is disturbed, and that the seed of chaos
//! decides its schedule.

use crate::common::{await_value, busy, fib};
use filch::{Pool, Scheduler, Strand};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn pool_of_two() -> Pool {
    Pool::builder().workers(2).scheduler(Scheduler::cilk5()).build().expect("two workers")
}

#[test]
fn a_second_branch_runs_elsewhere_while_the_first_blocks() {
    let pool = pool_of_two();
    let barrier = Barrier::new(2);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        pool.run(|mut s| s.join(|_| barrier.wait().is_leader(), |_| barrier.wait().is_leader()));
        pool.run(|_| filch::join(|| barrier.wait().is_leader(), || barrier.wait().is_leader()));
    }
}

#[test]
fn a_second_branch_runs_elsewhere_also_after_serial_work() {
    let pool = pool_of_two();
    let barrier = Barrier::new(2);
    pool.run(|mut s| {
        busy(Duration::from_millis(50));
        s.join(|_| barrier.wait(), |_| barrier.wait());
        busy(Duration::from_millis(50));
        s.join(|_| barrier.wait(), |_| barrier.wait());
    });
}

#[test]
fn a_context_tells_which_branch_has_moved() {
    let pool = pool_of_two();
    let moved = AtomicUsize::new(0);
    let (a, b) = pool.run(|mut s| {
        s.join_context(
            |_, context| {
                await_value(&moved, 1);
                context.migrated()
            },
            |_, context| {
                moved.store(1, Ordering::SeqCst);
                context.migrated()
            },
        )
    });
    assert_eq!((a, b), (false, true));
    let alone = Pool::builder().workers(1).build().expect("one worker");
    let (a, b) = alone.run(|_| filch::join_context(|c| c.migrated(), |c| c.migrated()));
    assert_eq!((a, b), (false, false));
}

/// How often a worker may be disturbed in a row after a quiet time (`filch-policy/src/credit.rs`).
const BURST: u64 = 8;

/// However many workers look for work, each victim is disturbed once a period, and in a burst after a quiet time.
#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn a_period_bounds_how_often_a_worker_is_disturbed() {
    let scheduler = Scheduler::cilk5().with_period(Duration::from_secs(3600));
    let pool = Pool::builder().workers(3).scheduler(scheduler).build().expect("three workers");
    let attempts = || {
        let counters = pool.counters();
        counters.forks_taken + counters.failed_takes
    };
    let run = || assert_eq!(pool.run(|s| fib(s, if cfg!(miri) { 8 } else { 18 })), if cfg!(miri) { 21 } else { 2584 });
    while attempts() == 0 {
        run();
    }
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        run();
    }
    let counters = pool.counters();
    assert!(attempts() <= 3 * BURST, "attempts within an hour on three workers: {counters}");
    assert_eq!(counters.forks_given, 0, "Cilk-5's scheduler only takes: {counters}");
}

/// The order in which chaos runs the leaves of a tree, and the workers that run them.
fn schedule(pool: &Pool) -> Vec<(u64, usize)> {
    fn tree(mut s: Strand<'_>, path: u64, ran: &std::sync::Mutex<Vec<(u64, usize)>>) {
        if path >= 32 {
            let worker = filch::current_worker().expect("inside a run");
            ran.lock().expect("nobody panics").push((path, worker));
        } else {
            s.join(|s| tree(s, 2 * path, ran), |s| tree(s, 2 * path + 1, ran));
        }
    }
    let ran = std::sync::Mutex::new(Vec::new());
    pool.run(|s| tree(s, 1, &ran));
    ran.into_inner().expect("nobody panics")
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn the_same_seed_of_chaos_is_the_same_schedule_and_another_is_another() {
    let pool = |seed| Pool::builder().scheduler(Scheduler::chaos(seed)).build().expect("a pool");
    let in_order: Vec<u64> = (32..64).collect();
    let mut seen = std::collections::HashSet::new();
    let seeds = if cfg!(miri) { 2 } else { 20 };
    for seed in 0..seeds {
        let a = pool(seed);
        let first = schedule(&a);
        assert_eq!(first, schedule(&a), "each run starts afresh");
        assert_eq!(first, schedule(&pool(seed)), "in another pool, too");
        let mut leaves: Vec<u64> = first.iter().map(|&(leaf, _)| leaf).collect();
        assert!(first.iter().any(|&(_, worker)| worker > 0), "several workers are played");
        leaves.sort_unstable();
        assert_eq!(leaves, in_order, "each leaf once");
        seen.insert(first);
    }
    assert!(4 * seen.len() > 3 * seeds as usize, "{} schedules from {seeds} seeds", seen.len());
    assert!(seen.iter().any(|schedule| !schedule.is_sorted()), "not all of them in program order");
}

/// In chaos, what has moved to another worker is shared further.
#[test]
fn chaos_shares_what_a_task_forks() {
    fn tree(mut s: Strand<'_>, depth: u32, moved_on: &AtomicUsize) {
        if depth == 0 {
            return;
        }
        let forked_by = filch::current_worker();
        s.join_context(
            |s, _| tree(s, depth - 1, moved_on),
            |s, context| {
                moved_on.fetch_add(usize::from(context.migrated() && forked_by != Some(0)), Ordering::Relaxed);
                tree(s, depth - 1, moved_on);
            },
        );
    }
    let moved_on = AtomicUsize::new(0);
    let (seeds, depth) = if cfg!(miri) { (2, 4) } else { (20, 6) };
    for seed in 0..seeds {
        let pool = Pool::builder().scheduler(Scheduler::chaos(seed)).build().expect("a pool");
        pool.run(|s| tree(s, depth, &moved_on));
    }
    assert!(moved_on.into_inner() > 0);
}

/// In a period without end each worker has one burst of gifts and one of takes, and nothing overflows.
#[test]
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
fn in_the_longest_period_each_worker_shares_one_burst() {
    let scheduler = Scheduler::default().with_period(Duration::MAX);
    for _ in 0..if cfg!(miri) { 1 } else { 10 } {
        let pool = Pool::builder().workers(2).scheduler(scheduler.clone()).build().expect("two workers");
        // The outer fork can be given when the inner one returns, or be taken meanwhile.
        for _ in 0..40 {
            let pause = |_: Strand<'_>| std::thread::sleep(Duration::from_micros(300));
            pool.run(|mut s| s.join(|mut s| s.join(pause, |_| ()), |_| ()));
        }
        let counters = pool.counters();
        assert!(counters.forks_given <= 2 * BURST && counters.forks_taken <= 2 * BURST, "{counters}");
    }
}

/// An idle worker looks now and then, not all the time, at a fork that it may not have yet.
#[test]
#[cfg(not(miri))]
fn nobody_spins_while_a_fork_cannot_be_had() {
    for text in ["default,patience=never", "default,period=10s", "cilk5,period=10s"] {
        let pool = Pool::builder().workers(2).scheduler(text.parse().expect("a scheduler")).build().expect("a pool");
        let mut before = pool.counters();
        pool.run(|mut s| {
            // Until a period has begun, whether the attempt succeeds or not.
            while pool.counters().steal_attempts == 0 {
                s.join(|mut s| s.join(|_| std::thread::sleep(Duration::from_millis(1)), |_| ()), |_| ());
            }
            before = pool.counters();
            s.join(|_| std::thread::sleep(Duration::from_millis(300)), |_| ());
        });
        // A worker that spun made thousands of attempts a second, each with a park.
        let counters = pool.counters().since(&before);
        assert!(counters.steal_attempts < 1_000 && counters.parks < 1_000, "{text}: {counters}");
    }
}
