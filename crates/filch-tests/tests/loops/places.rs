//! Where loops can run: on threads outside, in pools inside pools, on full ladders, by stale strands, with bodies that
//! block.

use crate::common::{self, SendWrapper, await_value, eager_pool, takes};
use filch::{Pool, Strand};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

const LEN: u64 = if cfg!(miri) { 10 } else { 500 };
const ROUNDS: usize = if cfg!(miri) { 1 } else { 30 };

fn sum(mut s: Strand<'_>, len: u64) -> u64 {
    s.map_reduce(0..len, || 0, |_, i| i, |a, b| a + b)
}

fn sum_of(len: u64) -> u64 {
    len * (len - 1) / 2
}

#[test]
fn threads_outside_run_loops_all_at_once_on_one_pool_and_on_the_global_one() {
    let pool = eager_pool(3);
    std::thread::scope(|scope| {
        for caller in 0..if cfg!(miri) { 2 } else { 6 } {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..ROUNDS as u64 {
                    let len = LEN + caller * 7 + round;
                    assert_eq!(pool.run(|s| sum(s, len)), sum_of(len));
                    if !cfg!(miri) {
                        assert_eq!(filch::map_reduce(0..len, || 0, |_, i| i, |a, b| a + b), sum_of(len));
                    }
                }
            });
        }
    });
}

#[test]
fn loops_of_two_pools_run_inside_each_other() {
    let (outer, inner) = (eager_pool(2), eager_pool(2));
    let width = if cfg!(miri) { 3 } else { 12 };
    for _ in 0..ROUNDS {
        let total = outer.run(|mut s| {
            let within = |_: Strand<'_>, _| {
                inner.run(|mut s| {
                    let again = |_: Strand<'_>, _| outer.run(|s| sum(s, LEN / 10));
                    s.map_reduce(0..width, || 0, again, |a, b| a + b)
                })
            };
            s.map_reduce(0..width, || 0, within, |a, b| a + b)
        });
        assert_eq!(total, width * width * sum_of(LEN / 10));
    }
}

#[test]
fn a_loop_without_a_strand_goes_on_where_its_thread_is() {
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let widths = pool.run(|_| {
            let width = |_: Strand<'_>, _: u64| filch::map_reduce(0..10, || 0, |_, _| filch::num_workers(), usize::max);
            filch::map_reduce(0..LEN / 10, || 0, width, usize::max)
        });
        assert_eq!(widths, pool.num_workers());
    }
}

#[test]
fn loops_on_a_full_ladder_run_serially() {
    fn nest(mut s: Strand<'_>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let (a, b) = s.join(
            |mut s| s.map_reduce(0..3_u64, || 0, |s, _| nest(s, depth - 1), |a, b| a + b),
            |mut s| s.map_reduce(0..2_u64, || 0, |s, _| nest(s, depth - 1), |a, b| a + b),
        );
        a + b
    }
    let depth = if cfg!(miri) { 3 } else { 5 };
    for workers in [1, 3] {
        for capacity in 1..if cfg!(miri) { 2 } else { 8 } {
            let builder = Pool::builder().workers(workers).scheduler(common::scheduler());
            let pool = builder.ladder_capacity(capacity).build().expect("a pool");
            assert_eq!(pool.run(|s| nest(s, depth)), 5_u64.pow(depth));
            assert_eq!(pool.run(|s| sum(s, LEN)), sum_of(LEN));
            // At a leaf, `depth` joins are open at least, on the ladders of all workers together.
            let overflowed = pool.counters().overflowed_forks;
            assert!(overflowed > 0 || workers * capacity >= depth as usize, "capacity {capacity}, {workers} workers");
        }
    }
}

/// A strand of the run around a loop is used in the bodies of the loop, in joins inside, and where results are
/// combined.
#[test]
fn a_stale_strand_smuggled_into_a_loop_does_no_harm() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for _ in 0..ROUNDS {
            let total = pool.run(|mut s| {
                let stale = Mutex::new(SendWrapper::new(s.reborrow()));
                // Another body that this thread runs while it waits inside one finds the mutex locked.
                let with_stale = |f: &dyn Fn(Strand<'_>) -> u64, or: u64| {
                    let Ok(mut stale) = stale.try_lock() else { return or };
                    stale.get().map_or(or, |stale| f(stale.reborrow()))
                };
                let stale_loop = |_| with_stale(&|s| sum(s, 40), sum_of(40));
                let stale_join = |_| with_stale(&|mut s| s.join(|s| sum(s, 20), |_| 5).0 + 5, sum_of(20) + 5);
                let body = |mut s: Strand<'_>, i: u64| {
                    let (a, b) = s.join(|_| stale_loop(i), |_| stale_join(i));
                    a + b + stale_join(i)
                };
                let combine = |a: u64, b: u64| a + b + with_stale(&|s| sum(s, 3), 3) - 3;
                let total = filch::map_reduce(0..LEN, || 0, body, combine);
                // The strand is not stale any more.
                total + with_stale(&|s| sum(s, 3), 0)
            });
            assert_eq!(total, LEN * (sum_of(40) + 2 * (sum_of(20) + 5)) + 3);
        }
        // While other workers are idle, frames are left for them; then a single round need not have any on the ladder.
        let is_certain = workers == 1 || ROUNDS > 1;
        assert!(!is_certain || pool.counters().stale_forks > 0, "the smuggled strand was caught");
    }
}

#[test]
fn a_strand_smuggled_into_a_loop_of_another_pool_does_no_harm() {
    let (outer, inner) = (eager_pool(2), eager_pool(2));
    for _ in 0..ROUNDS {
        let total = outer.run(|mut s| {
            let smuggled = Mutex::new(SendWrapper::new(s.reborrow()));
            let body = |_: Strand<'_>, _| {
                let Ok(mut smuggled) = smuggled.try_lock() else { return sum_of(30) };
                smuggled.get().map_or(sum_of(30), |s| sum(s.reborrow(), 30))
            };
            inner.run(|mut s| s.map_reduce(0..LEN, || 0, body, |a, b| a + b))
        });
        assert_eq!(total, LEN * sum_of(30));
    }
}

/// Each iteration waits for a message that it orders from a thread outside; even one worker gets to the end.
#[test]
fn bodies_may_wait_for_a_thread_outside() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let (order, orders) = mpsc::channel::<mpsc::Sender<u64>>();
        let total = std::thread::scope(|scope| {
            scope.spawn(move || orders.into_iter().zip(0..).for_each(|(order, i)| order.send(i).expect("it waits")));
            let order = Mutex::new(order);
            let body = |_: Strand<'_>, _| {
                let (send, receive) = mpsc::channel();
                order.lock().expect("nobody panics").send(send).expect("it listens");
                receive.recv().expect("it answers")
            };
            pool.run(move |mut s| s.map_reduce(0..LEN, || 0, body, |a, b| a + b))
        });
        assert_eq!(total, sum_of(LEN));
    }
}

/// The first body is a block by itself: while its owner is in it, other workers run the rest of the loop.
#[test]
fn a_first_body_that_blocks_keeps_nothing_but_itself_back() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    for _ in 0..ROUNDS {
        let run = AtomicUsize::new(0);
        let (rows, columns) = (5, LEN as usize / 5);
        pool.run(|mut s| {
            s.for_each(0..rows, |mut s, row| {
                if row == 0 {
                    await_value(&run, (rows - 1) * columns);
                }
                s.for_each(0..columns, |_, _| {
                    run.fetch_add(1, Ordering::SeqCst);
                });
            });
        });
        assert_eq!(run.into_inner(), rows * columns);
    }
}

/// A lock held across a loop is safe while the waiter runs parts of that loop only.
#[test]
fn a_lock_may_be_held_across_a_loop() {
    if !common::waits_for_descendants() {
        return;
    }
    let pool = eager_pool(3);
    let (lock, run) = (Mutex::new(0), AtomicU64::new(0));
    for _ in 0..ROUNDS {
        pool.run(|mut s| {
            s.for_each(0..LEN / 10, |mut s, _| {
                let mut held = lock.lock().expect("nobody panics");
                *held += sum(s.reborrow(), 20);
                run.fetch_add(1, Ordering::Relaxed);
            });
        });
    }
    assert_eq!(lock.into_inner().expect("nobody panics"), run.into_inner() * sum_of(20));
}

/// Captures live until the last part has ended, and the owner of the loop drops them, in order.
#[test]
fn what_a_loop_captures_is_dropped_once_all_parts_have_ended() {
    struct Logs<'a>(&'a Mutex<Vec<&'static str>>, &'static str);
    impl Drop for Logs<'_> {
        fn drop(&mut self) {
            self.0.lock().expect("nobody panics").push(self.1);
        }
    }
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let (log, run) = (Mutex::new(Vec::new()), AtomicU64::new(0));
        pool.run(|mut s| {
            let (outer, captured) = (Logs(&log, "outer"), Logs(&log, "captured"));
            s.for_each(0..LEN, move |_, _| {
                // Captures the whole, not its fields.
                let all: &Logs<'_> = &captured;
                assert!(all.0.lock().expect("nobody panics").is_empty());
                run.fetch_add(1, Ordering::SeqCst);
            });
            log.lock().expect("nobody panics").push("returned");
            drop(outer);
        });
        assert_eq!(*log.lock().expect("nobody panics"), ["captured", "returned", "outer"]);
    }
}
