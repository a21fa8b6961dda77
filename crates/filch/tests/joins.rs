//! What a join promises when nothing goes wrong.
#![allow(missing_docs)]

mod common;

use common::{await_value, eager_pool};
use filch::{Pool, Scheduler, Strand};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn pool_of_two() -> Pool {
    Pool::builder().workers(2).scheduler(Scheduler::cilk5()).build().expect("two workers")
}

/// Works, without forking, for about as long.
fn busy(time: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < time {
        std::hint::spin_loop();
    }
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
fn a_context_tells_who_has_moved() {
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

#[test]
fn explicit_and_implicit_joins_nest_in_each_other() {
    fn explicit(mut s: Strand<'_>, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = s.join(|_| implicit(n - 1), |s| explicit(s, n - 2));
        a + b
    }
    fn implicit(n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = filch::join(|| filch::run(|s| explicit(s, n - 1)), || implicit(n - 2));
        a + b
    }
    let n = if cfg!(miri) { 8 } else { 20 };
    let expected = (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        assert_eq!(pool.run(|s| explicit(s, n)), expected);
        assert_eq!(pool.run(|_| implicit(n)), expected);
        assert_eq!(pool.counters().stale_forks, 0, "a hint is no stale strand");
    }
}

/// Asserts `Send` and keeps to its thread, as published wrappers do.
struct SendWrapper<T> {
    value: T,
    thread: std::thread::ThreadId,
}

// SAFETY: `get` panics on any other thread than the one that made it.
unsafe impl<T> Send for SendWrapper<T> {}

impl<T> SendWrapper<T> {
    fn new(value: T) -> Self {
        SendWrapper { value, thread: std::thread::current().id() }
    }

    fn get(&mut self) -> &mut T {
        assert_eq!(std::thread::current().id(), self.thread);
        &mut self.value
    }
}

#[test]
fn a_stale_strand_smuggled_into_an_implicit_join_does_no_harm() {
    for workers in [1, 2] {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 2 } else { 200 } {
            let (from_stale, (sum, kept)) = pool.run(|mut s| {
                let mut stale = SendWrapper::new(s.reborrow());
                let payload = vec![1_u64; 100];
                let result = filch::join(
                    || {
                        // Its rung holds the frame of the join around it.
                        let (a, b) = stale.get().join(|_| 1, |_| 2);
                        let (c, d) = stale.get().join(|mut s| s.join(|_| 3, |_| 4).1, |_| 5);
                        a + b + c + d
                    },
                    || (payload.iter().sum::<u64>(), payload.len()),
                );
                // And on this strand, afterwards, all is as before.
                assert_eq!(s.join(|_| 6, |_| 7), (6, 7));
                result
            });
            assert_eq!((from_stale, sum, kept), (12, 100, 100));
        }
        assert!(pool.counters().stale_forks > 0, "the smuggled strand was caught");
    }
}

/// After a run of another pool a thread is back where it was: an implicit join goes to the outer pool's ladder.
#[test]
fn an_implicit_join_after_a_nested_run_belongs_to_the_outer_pool() {
    if !common::takes() {
        return;
    }
    let (outer, inner) = (eager_pool(2), eager_pool(1));
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let begun = AtomicUsize::new(0);
        outer.run(|_| {
            assert_eq!(inner.run(|_| filch::join(|| 1, || 2)), (1, 2));
            // Ends only if the second branch is taken, which nobody does in the inner pool.
            filch::join(|| await_value(&begun, 1), || begun.store(1, Ordering::SeqCst));
        });
    }
}

/// A strand of one pool, used inside a run of another on the same thread: its forks go to its own pool's ladder, and
/// the thread goes on in the inner pool afterwards.
#[test]
fn a_strand_smuggled_into_another_pools_run_does_no_harm() {
    if !common::takes() {
        return;
    }
    let (outer, inner) = (eager_pool(2), eager_pool(1));
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let begun = AtomicUsize::new(0);
        outer.run(|mut s| {
            let mut smuggled = SendWrapper::new(s.reborrow());
            inner.run(|_| {
                assert_eq!(filch::num_workers(), 1);
                // Taken, so that this thread waits and helps on the outer ladder.
                let (_, sum) = smuggled.get().join(
                    |_| await_value(&begun, 1),
                    |mut s| {
                        begun.store(1, Ordering::SeqCst);
                        let (a, b) = s.join(|_| filch::join(|| 1, || 2), |_| filch::join(|| 3, || 4));
                        a.0 + a.1 + b.0 + b.1
                    },
                );
                assert_eq!(sum, 10);
                assert_eq!(filch::num_workers(), 1, "back in the inner pool");
                assert_eq!(inner.run(|mut s| s.join(|_| filch::join(|| 1, || 2).1, |_| 3)), (2, 3));
            });
        });
    }
}

/// What a join takes of the stack, generously: see docs/architecture.md.
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
    // Miri's ladders are short; the sanitizer keeps call stacks of its own, and they end at 64 K.
    let depth = match () {
        () if cfg!(miri) => 700,
        () if cfg!(filch_sanitizer = "thread") => 1_000,
        () => 100_000,
    };
    with_stack(depth * STACK_PER_JOIN, || {
        // Alone under Miri, where a thread in search of work takes most of the time.
        for workers in 1..=if cfg!(miri) { 1 } else { 2 } {
            let pool = Pool::builder().workers(workers).stack_size(depth * STACK_PER_JOIN).build().expect("a pool");
            assert_eq!(pool.run(|s| nest(s, depth)), depth);
            if !cfg!(filch_sanitizer = "thread") {
                assert!(pool.counters().overflowed_forks > 0, "deeper than the ladder");
            }
        }
    });
}

/// The same through implicit joins, with a panic from the bottom, past forks that had no place on the ladder.
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

/// A waiter leaves unrelated work alone. One branch holds a lock and waits for its own second branch, which has been taken
/// and does not end; meanwhile an unrelated frame lies on the ladder of the thief's neighbour. Whoever waits under the lock
/// must not run it.
#[test]
fn a_waiter_runs_nothing_unrelated() {
    if !(common::takes() && common::waits_for_descendants()) {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        // 1: the holder's second branch has been taken; 2: the unrelated frame has been pushed; 3: it has been run.
        let stage = AtomicUsize::new(0);
        let holder = AtomicUsize::new(usize::MAX);
        let here = || filch::current_worker().expect("inside a run");
        pool.run(|mut s| {
            s.join(
                |mut s| {
                    holder.store(here(), Ordering::SeqCst);
                    s.join(
                        // Ends, and so begins to wait, once the second branch is elsewhere.
                        |_| await_value(&stage, 1),
                        |_| {
                            stage.store(1, Ordering::SeqCst);
                            await_value(&stage, 3);
                        },
                    );
                },
                |mut s| {
                    await_value(&stage, 1);
                    s.join(
                        // Gives the waiter every chance to take the frame behind this branch.
                        |_| busy(Duration::from_millis(2)),
                        |_| {
                            assert_ne!(
                                here(),
                                holder.load(Ordering::SeqCst),
                                "run by a worker that waits for other work"
                            );
                            stage.store(3, Ordering::SeqCst);
                        },
                    );
                },
            );
        });
    }
}

/// However many workers look for work, each victim is disturbed once a period.
#[test]
fn a_period_bounds_how_often_a_worker_is_disturbed() {
    fn fib(mut s: Strand<'_>, n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = s.join(|s| fib(s, n - 1), |s| fib(s, n - 2));
        a + b
    }
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
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        run();
    }
    assert!(attempts() <= 3, "one attempt per worker and hour: {}", pool.counters());
}

/// Waiting inside waiting, deeper than a worker helps: it goes on without help.
#[test]
fn helping_has_a_depth_beyond_which_a_worker_only_waits() {
    if !common::takes() {
        return;
    }
    fn ping(mut s: Strand<'_>, depth: usize) -> usize {
        if depth == 0 {
            return 0;
        }
        let begun = AtomicUsize::new(0);
        // Tries to have the second branch taken by the other worker, which waits for this one; not beyond reason.
        let patience = |begun: &AtomicUsize| {
            (0..2_000).take_while(|_| begun.load(Ordering::SeqCst) == 0).for_each(|_| std::thread::yield_now());
        };
        let ((), below) = s.join(
            |_| patience(&begun),
            |s| {
                begun.store(1, Ordering::SeqCst);
                ping(s, depth - 1)
            },
        );
        below + 1
    }
    let depth = if cfg!(miri) { 10 } else { 300 };
    let pool = eager_pool(2);
    let mut helped = 0;
    // Until a run has had more tasks inside tasks than one worker helps with.
    while helped <= if cfg!(miri) { 0 } else { 64 } {
        let before = pool.counters();
        assert_eq!(pool.run(|s| ping(s, depth)), depth);
        helped = pool.counters().since(&before).tasks_run_while_waiting;
    }
}

/// A lock held across a join is safe while the waiter runs nothing unrelated (rayon's issue 592 is this program).
#[test]
fn a_lock_may_be_held_across_a_join() {
    if !common::waits_for_descendants() {
        return;
    }
    let pool = eager_pool(2);
    let lock = std::sync::Mutex::new(0_u64);
    let work = |mut s: Strand<'_>| {
        let mut held = lock.lock().expect("nobody panics");
        let (a, b) = s.join(|_| 1, |_| 2);
        *held += a + b;
    };
    let rounds = if cfg!(miri) { 3 } else { 500 };
    for _ in 0..rounds {
        pool.run(|mut s| {
            s.join(
                |mut s| {
                    s.join(work, work);
                },
                |mut s| {
                    s.join(work, work);
                },
            );
        });
    }
    assert_eq!(*lock.lock().expect("nobody panics"), rounds * 12);
}

/// The order in which chaos runs the leaves of a tree, and who runs them.
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
fn the_same_seed_of_chaos_is_the_same_schedule_and_another_is_another() {
    let pool = |seed| Pool::builder().scheduler(Scheduler::chaos(seed)).build().expect("a pool");
    let in_order: Vec<u64> = (32..64).collect();
    let mut seen = std::collections::HashSet::new();
    let seeds = if cfg!(miri) { 4 } else { 20 };
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
    for seed in 0..if cfg!(miri) { 4 } else { 20 } {
        let pool = Pool::builder().scheduler(Scheduler::chaos(seed)).build().expect("a pool");
        pool.run(|s| tree(s, 6, &moved_on));
    }
    assert!(moved_on.into_inner() > 0);
}

/// A period without end is one gift by each worker, or one take, and not an overflow.
#[test]
fn the_longest_period_is_shared_in_once() {
    let scheduler = Scheduler::default().with_period(Duration::MAX);
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        let pool = Pool::builder().workers(2).scheduler(scheduler.clone()).build().expect("two workers");
        // The outer fork can be given when the inner one returns, or be taken meanwhile.
        for _ in 0..4 {
            let pause = |_: Strand<'_>| std::thread::sleep(Duration::from_micros(300));
            pool.run(|mut s| s.join(|mut s| s.join(pause, |_| ()), |_| ()));
        }
        assert!(common::tasks(&pool) <= 4, "{}", pool.counters());
    }
}

/// A fork that nobody may have yet is looked at now and then, not all the time.
#[test]
#[cfg(not(miri))]
fn nobody_spins_while_a_fork_cannot_be_had() {
    for text in ["default,patience=never", "default,period=10s", "cilk5,period=10s"] {
        let pool = Pool::builder().workers(2).scheduler(text.parse().expect("a scheduler")).build().expect("a pool");
        let mut before = pool.counters();
        pool.run(|mut s| {
            // Until a period has begun, with a success or not.
            while pool.counters().steal_attempts == 0 {
                s.join(|mut s| s.join(|_| std::thread::sleep(Duration::from_millis(1)), |_| ()), |_| ());
            }
            before = pool.counters();
            s.join(|_| std::thread::sleep(Duration::from_millis(300)), |_| ());
        });
        // Spinning made some thousands a second of attempts, and a park each.
        let counters = pool.counters().since(&before);
        assert!(counters.steal_attempts < 1_000 && counters.parks < 1_000, "{text}: {counters}");
    }
}

#[test]
#[cfg(not(miri))]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}
