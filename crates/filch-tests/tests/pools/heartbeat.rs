//! Heartbeat scheduling: each worker promotes its oldest fork once per period, whether another worker is there or not.

use crate::common::fib;
use crate::{assert_upper_half_moves, poll_until};
use filch::{Balancer, Pool, Scheduler, Strand};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const BALANCERS: &[Balancer] =
    if cfg!(miri) { &[Balancer::Mixed] } else { &[Balancer::Concurrent, Balancer::Private, Balancer::Mixed] };

fn pool(workers: usize, period: Duration, balancer: Balancer) -> Pool {
    let scheduler = Scheduler::heartbeat().with_period(period).with_balancer(balancer);
    Pool::builder().workers(workers).scheduler(scheduler).build().expect("a small pool")
}

/// Promotions do not depend on the load: a pool of one worker promotes, and takes back what it has promoted.
#[test]
fn a_single_worker_promotes_at_most_once_per_period() {
    for &balancer in BALANCERS {
        let period = Duration::from_micros(200);
        let pool = pool(1, period, balancer);
        let begin = Instant::now();
        // Until there have been some, at first forks and at returns, however slow the machine is.
        while pool.counters().promotions < 3 || pool.latencies().polls.is_empty() {
            assert_eq!(pool.run(|s| fib(s, if cfg!(miri) { 6 } else { 20 })), if cfg!(miri) { 8 } else { 6_765 });
        }
        let most = begin.elapsed().as_nanos() / period.as_nanos() + 1;
        let counters = pool.counters();
        assert!(u128::from(counters.promotions) <= most, "at most {most}: {counters}");
        // The last beat may have come when the run was over.
        let taken = counters.promotions + counters.empty_beats;
        assert!(taken == counters.beats || taken + 1 == counters.beats, "{counters}");
        assert_eq!(counters.forks_reclaimed, counters.promotions, "no other worker could begin them");
        assert_eq!((counters.asks, counters.forks_taken), (0, 0));
    }
}

#[test]
fn without_a_beat_nothing_is_promoted() {
    let pool = pool(2, Duration::MAX, Balancer::Mixed);
    assert_eq!(pool.run(|s| fib(s, 10)), 55);
    let counters = pool.counters();
    // The first beat of a pool may come at once.
    assert!(counters.promotions <= 2 && counters.forks_taken == 0, "{counters}");
}

/// The outermost fork goes first, although the worker has younger ones. The test ends only if another worker gets it.
#[test]
fn the_oldest_fork_is_promoted_and_another_worker_begins_it() {
    for &balancer in BALANCERS {
        let pool = pool(2, Duration::from_micros(50), balancer);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            let has_begun = AtomicBool::new(false);
            let depth = pool.run(|mut s| {
                let first = |mut s: Strand<'_>| {
                    s.join(|mut s| poll_until(&mut s, || has_begun.load(Ordering::SeqCst)), |_| 1).1
                };
                s.join(first, |_| has_begun.store(true, Ordering::SeqCst)).0
            });
            assert_eq!(depth, 1);
        }
        let counters = pool.counters();
        assert!(counters.promotions > 0 && counters.forks_taken == 0, "{counters}");
    }
}

/// The outermost loop with iterations left is halved at a beat.
#[test]
#[cfg_attr(miri, ignore = "many iterations")]
fn the_outer_loop_is_halved_at_a_beat() {
    let pool = pool(2, Duration::from_micros(50), Balancer::Mixed);
    assert_upper_half_moves(&pool, |mut s, has_moved| {
        s.for_each(0..1_000_000_u64, |mut s, _| {
            if !has_moved.load(Ordering::SeqCst) {
                s.join(|_| (), |_| ());
            }
        });
        poll_until(&mut s, || has_moved.load(Ordering::SeqCst));
    });
    assert!(pool.counters().promotions > 0);
}

/// A worker that waits at the end of a scope does not return, but has an older fork.
#[test]
fn a_worker_that_waits_at_the_end_of_a_scope_promotes() {
    let pool = pool(3, Duration::from_micros(50), Balancer::Mixed);
    let (is_spawned, has_begun) = (AtomicBool::new(false), AtomicBool::new(false));
    pool.run(|mut s| {
        let scoped = |mut s: Strand<'_>| {
            s.scope(|_, scope| {
                scope.spawn(|_| {
                    is_spawned.store(true, Ordering::SeqCst);
                    while !has_begun.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                });
                // The task runs elsewhere, so that this thread waits for it and does nothing else.
                while !is_spawned.load(Ordering::SeqCst) {
                    std::thread::yield_now();
                }
            });
        };
        s.join(scoped, |_| has_begun.store(true, Ordering::SeqCst));
    });
}
