//! Blocking sections: while a worker blocks, another thread works on its seat.
#![allow(missing_docs)]

mod common;

use common::{assert_usable, eager_pool, must_end, scheduler, takes};
use filch::{Pool, PoolBuilder, block_on, blocking};
use std::cell::Cell;
use std::collections::HashSet;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;

const MANY: usize = if cfg!(miri) { 3 } else { 40 };

const ROUNDS: usize = if cfg!(miri) { 1 } else { 200 };

/// Pools that have threads, of one worker and of several.
fn pools() -> impl Iterator<Item = Pool> {
    (1..=if cfg!(miri) { 2 } else { 3 }).map(|workers| build(builder(workers)))
}

fn builder(workers: usize) -> PoolBuilder {
    Pool::builder().workers(workers).own_threads(true).scheduler(scheduler())
}

fn build(builder: PoolBuilder) -> Pool {
    builder.build().expect("a small pool")
}

/// Whether each worker is a thread.
fn has_threads() -> bool {
    !["chaos", "serial"].iter().any(|name| scheduler().to_string().starts_with(name))
}

/// What one thread waits for, and another one says.
#[derive(Default)]
struct Signal(Mutex<bool>, Condvar);

impl Signal {
    fn give(&self) {
        *self.0.lock().expect("no panic") = true;
        self.1.notify_all();
    }

    fn wait(&self) {
        let given = self.0.lock().expect("no panic");
        drop(self.1.wait_while(given, |given| !*given).expect("no panic"));
    }
}

#[test]
fn tasks_that_wait_for_each_other_in_blocking_sections_end() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            let barrier = Barrier::new(MANY);
            let ends = AtomicUsize::new(0);
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    for _ in 0..MANY {
                        scope.spawn(|_| {
                            blocking(|| barrier.wait());
                            ends.fetch_add(1, Ordering::Relaxed);
                        });
                    }
                });
            });
            assert_eq!(ends.into_inner(), MANY);
            assert!(pool.counters().seats_left > 0);
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_section_waits_for_what_its_worker_has_spawned_or_forked() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS {
                let (spawned, forked) = (Signal::default(), Signal::default());
                pool.run(|mut s| {
                    s.scope(|_, scope| {
                        scope.spawn(|_| spawned.give());
                        blocking(|| spawned.wait());
                    });
                    if takes() {
                        s.join(|_| blocking(|| forked.wait()), |_| forked.give());
                    }
                });
            }
            assert_usable(&pool);
        }
    });
}

/// While a thread blocks, its seat is another's; afterwards it takes one, or works beside the others.
#[test]
fn no_more_threads_compute_than_the_pool_has_workers_and_has_counted() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            let (computing, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let compute = || {
                most.fetch_max(computing.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                (0..100).for_each(|_| thread::yield_now());
                computing.fetch_sub(1, Ordering::SeqCst);
            };
            pool.run(|mut s| {
                s.for_each(0..MANY, |_, _| {
                    compute();
                    blocking(thread::yield_now);
                    compute();
                });
            });
            let allowed = pool.num_workers() as u64 + pool.counters().seats_exceeded;
            assert!(most.into_inner() as u64 <= allowed);
        }
    });
}

#[test]
fn threads_of_the_reserve_are_used_again() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pool = build(builder(2).blocking_threads(4));
        let threads = Mutex::new(HashSet::new());
        for _ in 0..ROUNDS {
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    for _ in 0..8 {
                        scope.spawn(|_| {
                            threads.lock().expect("no panic").insert(thread::current().id());
                            blocking(thread::yield_now);
                        });
                    }
                });
            });
        }
        // The caller, two threads of the workers, and four of the reserve.
        assert!(threads.into_inner().expect("no panic").len() <= 7);
        assert_usable(&pool);
    });
}

#[test]
fn without_a_reserve_a_section_is_a_call() {
    let nobody = build(builder(1).blocking_threads(0));
    for pool in [nobody, eager_pool(1)] {
        let handle = pool.run(|_| {
            let handle = pool.submit(|_| thread::current().id());
            blocking(|| assert!(!handle.is_finished()));
            handle
        });
        drop(handle);
        assert_eq!(pool.counters().seats_left, 0);
    }
    assert_eq!(blocking(|| 42), 42, "outside of any run");
}

#[test]
fn a_section_may_fork_run_block_and_enter_other_pools() {
    must_end(|| {
        for pool in pools() {
            let other = eager_pool(2);
            for _ in 0..ROUNDS.min(20) {
                let sum = pool.run(|mut s| {
                    let (a, b) = s.join(
                        |mut s| blocking(|| s.join(|_| 1, |_| filch::join(|| 2, || 3).1)),
                        |_| blocking(|| blocking(|| other.run(|mut s| s.join(|_| pool.run(|_| 4), |_| 5)))),
                    );
                    a.0 + a.1 + b.0 + b.1
                });
                assert_eq!(sum, 13);
            }
            assert_usable(&pool);
            assert_usable(&other);
        }
    });
}

#[test]
fn a_panic_of_a_section_arrives() {
    for pool in pools() {
        let run = || pool.run(|mut s| s.join(|_| blocking(|| panic!("in a section")), |_| ()));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert_usable(&pool);
    }
}

thread_local! {
    static AT_END: Cell<Option<AtEnd>> = const { Cell::new(None) };
}

/// Counts the threads that have ended.
struct AtEnd(Arc<AtomicUsize>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn the_end_of_a_pool_waits_for_the_threads_of_its_reserve() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for _ in 0..ROUNDS.min(20) {
            let (ends, begins) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let pool = build(builder(1));
            let barrier = Arc::new(Barrier::new(3));
            for _ in 0..3 {
                let (ends, begins, barrier) = (Arc::clone(&ends), Arc::clone(&begins), Arc::clone(&barrier));
                pool.spawn(move |_| {
                    AT_END.set(Some(AtEnd(ends)));
                    begins.fetch_add(1, Ordering::SeqCst);
                    blocking(|| _ = barrier.wait());
                });
            }
            pool.shutdown();
            assert_eq!((begins.load(Ordering::SeqCst), ends.load(Ordering::SeqCst)), (3, 3));
        }
    });
}

#[test]
fn workers_of_two_pools_join_each_others_tasks() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pools: Arc<[Pool; 2]> = Arc::new([build(builder(1)), build(builder(1))]);
        for depth in 0..if cfg!(miri) { 3 } else { 20 } {
            assert_eq!(ping(&pools, depth), depth);
        }
    });
}

/// A chain of tasks, each of which waits for one of the other pool.
fn ping(pools: &Arc<[Pool; 2]>, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let again = Arc::clone(pools);
    pools[depth % 2].submit(move |_| ping(&again, depth - 1) + 1).join()
}

#[test]
fn a_future_is_polled_when_it_has_been_woken() {
    let polls = Cell::new(0);
    let result = block_on(poll_fn(|context: &mut Context<'_>| {
        polls.set(polls.get() + 1);
        if polls.get() == 10 {
            return Poll::Ready(polls.get());
        }
        let waker = context.waker().clone();
        if polls.get() % 2 == 0 {
            waker.wake()
        } else {
            _ = thread::spawn(move || waker.wake())
        }
        Poll::Pending
    }));
    assert_eq!(result, 10);
}

#[test]
fn a_future_may_depend_on_the_pool_that_waits_for_it() {
    must_end(|| {
        for pool in pools().chain([eager_pool(1), eager_pool(2)]) {
            let sum = pool.run(|mut s| {
                let one =
                    |_: filch::Strand<'_>| block_on(async { pool.submit(|_| 1).await + pool.submit(|_| 2).await });
                let (a, b) = s.join(one, one);
                a + b
            });
            assert_eq!(sum, 6);
            assert_usable(&pool);
        }
    });
}

#[test]
fn many_futures_wait_at_once() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            let wakers: Mutex<Vec<Waker>> = Mutex::default();
            let all_wait = AtomicBool::new(false);
            pool.run(|mut s| {
                s.scope(|_, scope| {
                    for _ in 0..MANY {
                        scope.spawn(|_| {
                            block_on(poll_fn(|context| {
                                if all_wait.load(Ordering::SeqCst) {
                                    return Poll::Ready(());
                                }
                                let mut wakers = wakers.lock().expect("no panic");
                                wakers.push(context.waker().clone());
                                if wakers.len() == MANY {
                                    all_wait.store(true, Ordering::SeqCst);
                                    wakers.drain(..).for_each(Waker::wake);
                                }
                                Poll::Pending
                            }));
                        });
                    }
                });
            });
            assert_usable(&pool);
        }
    });
}

#[test]
fn a_panic_of_a_future_arrives_and_what_it_has_is_dropped() {
    let drops = Arc::new(AtomicUsize::new(0));
    let held = AtEnd(Arc::clone(&drops));
    let future = async move {
        let _held = held;
        if true {
            panic!("in a future");
        }
        pending::<()>().await;
    };
    assert!(catch_unwind(AssertUnwindSafe(|| block_on(future))).is_err());
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

/// A caller gets the seat of a worker that blocks.
#[test]
fn a_caller_that_waits_gets_the_seat_of_a_thread_that_blocks() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pool = build(builder(1));
        for _ in 0..ROUNDS {
            let (entered, entered_too) = mpsc::channel();
            let (pool, has_run) = (&pool, &Signal::default());
            thread::scope(|threads| {
                threads.spawn(move || {
                    pool.run(|_| {
                        entered.send(()).expect("it is awaited");
                        blocking(|| has_run.wait());
                    });
                });
                entered_too.recv().expect("it is sent");
                pool.run(|_| has_run.give());
            });
        }
        assert_usable(&pool);
    });
}

/// Calls `f` while each worker of the pool is in a task that ends when `f` has returned.
fn while_all_are_busy<R>(pool: &Pool, f: impl FnOnce() -> R) -> R {
    let (begun, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let be_busy = || {
        begun.fetch_add(1, Ordering::SeqCst);
        while !is_over.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    };
    thread::scope(|threads| {
        for _ in 0..pool.num_workers() {
            threads.spawn(|| pool.run(|_| be_busy()));
        }
        while begun.load(Ordering::SeqCst) < pool.num_workers() {
            thread::yield_now();
        }
        let result = f();
        is_over.store(true, Ordering::SeqCst);
        result
    })
}

#[test]
fn what_is_urgent_begins_though_all_workers_are_busy() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for pool in pools() {
            for _ in 0..ROUNDS.min(10) {
                let join = |mut s: filch::Strand<'_>| s.join(|_| 1, |_| 2);
                while_all_are_busy(&pool, || {
                    let before = pool.counters().seats_exceeded;
                    assert_eq!(pool.run_urgent(join), (1, 2));
                    assert_eq!(pool.counters().seats_exceeded, before + 1);
                    let handles: Vec<_> = (0..MANY).map(|_| pool.submit_urgent(join)).collect();
                    handles.into_iter().for_each(|handle| assert_eq!(handle.join(), (1, 2)));
                    assert_eq!(block_on(pool.submit_urgent(join)), (1, 2));
                });
            }
            assert_usable(&pool);
        }
    });
}

#[test]
fn urgent_runs_beyond_the_number_of_workers_wait() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pool = build(builder(1));
        while_all_are_busy(&pool, || {
            let (runs, is_over) = (AtomicUsize::new(0), Signal::default());
            thread::scope(|threads| {
                let run = || {
                    pool.run_urgent(|_| {
                        if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                            is_over.wait();
                        }
                    });
                };
                (0..2).for_each(|_| _ = threads.spawn(run));
                // The second one waits for a seat, and goes on without after some milliseconds.
                while pool.counters().seats_awaited == 0 {
                    thread::yield_now();
                }
                is_over.give();
            });
            assert_eq!(runs.into_inner(), 2);
        });
        assert_usable(&pool);
    });
}

#[test]
fn urgent_tasks_are_run_once_or_dropped_and_their_panics_arrive() {
    must_end(|| {
        for pool in pools().chain([eager_pool(1), eager_pool(2), build(builder(1).blocking_threads(0))]) {
            let (runs, drops) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let task = || {
                let (runs, held) = (Arc::clone(&runs), AtEnd(Arc::clone(&drops)));
                move |_: filch::Strand<'_>| {
                    let _held = held;
                    runs.fetch_add(1, Ordering::SeqCst);
                }
            };
            let handles: Vec<_> = (0..MANY).map(|_| pool.submit_urgent(task())).collect();
            let aborted = handles.into_iter().map(filch::Handle::abort).filter(|&is_aborted| is_aborted).count();
            let panic = pool.submit_urgent(|_| panic!("urgently"));
            assert!(catch_unwind(AssertUnwindSafe(|| panic.join())).is_err());
            assert_usable(&pool);
            pool.shutdown();
            assert_eq!((runs.load(Ordering::SeqCst) + aborted, drops.load(Ordering::SeqCst)), (MANY, MANY));
        }
    });
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}
