//! A pool of one worker needs no threads, no clock and no environment: every construct runs on the global pool of a
//! system that has none of them.
//!
//! A program of its own, since the test harness wants threads. `.ci/wasm` runs it on wasm32-unknown-unknown.
#![allow(missing_docs)]

use filch::{Pool, Reducer, monoids::Sum};
use std::ops::ControlFlow::Continue;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

/// Each construct, where this thread is.
fn all_constructs() {
    assert_eq!(fib(15), 610);

    // Long enough for blocks that look at the clock.
    let run = AtomicUsize::new(0);
    filch::for_each(0..100_000_usize, |_, i| {
        run.fetch_add(i % 2, Relaxed);
    });
    assert_eq!(run.load(Relaxed), 50_000);
    let sum = filch::map_reduce(0..100_000_u64, || 0, |_, i| i, |a, b| a + b);
    assert_eq!(sum, 4_999_950_000);

    let items = AtomicUsize::new(0);
    filch::for_each_item(0..1_000_usize, |_, i| {
        items.fetch_add(i, Relaxed);
    });
    assert_eq!(items.load(Relaxed), 499_500);

    let tasks = AtomicUsize::new(0);
    filch::scope(|_, scope| {
        for _ in 0..100 {
            scope.spawn(|_| {
                tasks.fetch_add(1, Relaxed);
            });
        }
    });
    assert_eq!(tasks.load(Relaxed), 100);

    let mut phases = 0;
    let visited = filch::Traverse::new()
        .at_phase_end(|_| {
            phases += 1;
            Continue(())
        })
        .run(
            [12_u32],
            || (),
            |list, n| {
                (0..n.min(2)).for_each(|_| list.push(n / 2));
                if n > 0 {
                    list.push_next(n - 1);
                }
            },
        );
    assert!(visited.counts.items > 100 && phases == 13, "{:?}, {phases} phases", visited.counts);

    let total = Reducer::new(Sum::<u64>::new());
    filch::for_each(0..1_000_u64, |_, i| total.update(|sum| *sum += i));
    assert_eq!(total.into_inner(), 499_500);
}

fn main() {
    for scheduler in ["default", "serial", "cilk5", "chaos,seed=1"] {
        let scheduler: filch::Scheduler = scheduler.parse().expect("a scheduler");
        let pool = Pool::builder().workers(1).scheduler(scheduler).build().expect("a pool of one needs no threads");
        pool.run(|_| all_constructs());
        pool.intervals().next().expect("there is no end of them");
    }
    all_constructs();

    // Without a second thread this cannot be measured. Elsewhere it is measured in the tests of the library.
    #[cfg(target_family = "wasm")]
    assert!(!Pool::measure_costs());
}
