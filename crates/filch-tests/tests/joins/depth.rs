//! Joins that are nested deeper than the ladder has places, and so deep that they need much of the stack.

use crate::common;
use filch::{Pool, Scheduler, Strand};
use std::time::Duration;

/// Bytes of the stack that a join takes at most: see docs/architecture.md.
const STACK_PER_JOIN: usize = 2 << 10;

/// Forks on the way down, in first branches; each second branch counts one.
fn nest(mut s: Strand<'_>, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let (a, b) = s.join(|s| nest(s, depth - 1), |_| 1);
    a + b
}

fn with_stack<R: Send>(bytes: usize, f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, f).expect("a thread");
        thread.join().expect("it does not panic")
    })
}

#[test]
fn nesting_a_hundred_thousand_deep_neither_aborts_nor_corrupts() {
    // Once is enough: it names its own scheduler.
    if common::is_under_another_scheduler() {
        return;
    }
    // Miri's ladders are short; the sanitizer keeps call stacks of its own, and they end at 64 K.
    let depth = match () {
        () if cfg!(miri) => 700,
        () if cfg!(filch_sanitizer = "thread") => 1_000,
        () => 100_000,
    };
    with_stack(depth * STACK_PER_JOIN, || {
        // One worker under Miri, where another that searches for work would take most of the time.
        for workers in 1..=if cfg!(miri) { 1 } else { 2 } {
            let pool = Pool::builder().workers(workers).stack_size(depth * STACK_PER_JOIN).build().expect("a pool");
            assert_eq!(pool.run(|s| nest(s, depth)), depth);
            if !cfg!(filch_sanitizer = "thread") {
                assert!(pool.counters().overflowed_forks > 0, "deeper than the ladder");
            }
        }
    });
}

/// As [`nest`], but down in second branches, which other workers take: a cactus of stacks, each of which is as large as
/// that of one worker would have to be.
#[test]
fn several_workers_nest_as_deep_as_one_each_on_the_stack_of_one() {
    fn nest(mut s: Strand<'_>, depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        // The thread of another worker may run meanwhile.
        let (a, b) = s.join(|_| std::thread::yield_now(), |s| nest(s, depth - 1) + 1);
        let () = a;
        b
    }
    let depth = if cfg!(miri) { 100 } else { 5_000 };
    with_stack(depth * STACK_PER_JOIN, || {
        let builder = Pool::builder().workers(3).scheduler(common::scheduler()).stack_size(depth * STACK_PER_JOIN);
        let pool = builder.build().expect("a pool");
        for _ in 0..if cfg!(miri) { 1 } else { 5 } {
            assert_eq!(pool.run(|s| nest(s, depth)), depth);
        }
    });
}

/// A panic in the innermost of many implicit joins passes forks that had no place on the ladder.
#[test]
fn a_panic_from_beyond_a_full_ladder_settles_every_fork() {
    fn nest(depth: usize) -> usize {
        if depth == 0 {
            panic!("from the bottom");
        }
        filch::join(|| nest(depth - 1), || 1).0
    }
    for workers in [1, 2] {
        let scheduler = Scheduler::cilk5().with_period(Duration::ZERO);
        let pool = Pool::builder().workers(workers).scheduler(scheduler).ladder_capacity(10).build().expect("a pool");
        for _ in 0..if cfg!(miri) { 1 } else { 50 } {
            assert_eq!(common::panic_text(|| pool.run(|_| nest(30))), "from the bottom");
            common::assert_usable(&pool);
        }
        assert!(pool.counters().overflowed_forks > 0);
    }
}

#[test]
fn a_full_ladder_runs_forks_serially_and_counts_them() {
    let pool = Pool::builder().workers(1).ladder_capacity(10).build().expect("a pool");
    assert_eq!(pool.run(|s| nest(s, 9)), 9);
    assert_eq!(pool.counters().overflowed_forks, 0);
    assert_eq!(pool.run(|s| nest(s, 15)), 15);
    assert_eq!(pool.counters().overflowed_forks, 5);
}
