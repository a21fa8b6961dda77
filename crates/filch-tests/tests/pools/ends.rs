//! How pools end whose last handles are dropped by what other pools run.

use crate::common::{await_value, must_end, scheduler};
use filch::{Pool, PoolBuilder};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

const ROUNDS: usize = if cfg!(miri) { 1 } else { 100 };

/// Counts the threads of pools that have come to their end.
#[derive(Clone)]
struct Threads {
    begun: Arc<AtomicUsize>,
    /// Each thread has a sender until it ends.
    alive: mpsc::Sender<()>,
}

thread_local! {
    static ALIVE: RefCell<Vec<mpsc::Sender<()>>> = const { RefCell::new(Vec::new()) };
}

impl Threads {
    /// Calls `f`, and returns when all threads have ended that pools have started by [`Threads::builder`] meanwhile.
    fn all_end(f: impl FnOnce(&Threads)) {
        let (alive, ends) = mpsc::channel();
        let threads = Threads { begun: Arc::default(), alive };
        f(&threads);
        let begun = Arc::clone(&threads.begun);
        drop(threads);
        assert!(ends.recv().is_err(), "nothing is sent");
        assert!(begun.load(Ordering::SeqCst) > 0 || !has_threads(), "some have been counted");
    }

    fn builder(&self, workers: usize) -> PoolBuilder {
        let threads = self.clone();
        Pool::builder().workers(workers).scheduler(scheduler()).own_threads(true).start_handler(move |_| {
            threads.begun.fetch_add(1, Ordering::SeqCst);
            ALIVE.with_borrow_mut(|alive| alive.push(threads.alive.clone()));
        })
    }

    fn pool(&self, workers: usize) -> Arc<Pool> {
        Arc::new(self.builder(workers).build().expect("a small pool"))
    }
}

/// Whether pools have threads.
fn has_threads() -> bool {
    !scheduler().to_string().starts_with("chaos")
}

/// Meets the others who have one, or whoever is there where one thread plays all workers.
fn meet(barrier: &std::sync::Barrier) {
    if has_threads() {
        barrier.wait();
    }
}

#[test]
fn pools_whose_last_handles_their_tasks_drop_in_a_ring_end() {
    must_end(|| {
        for round in 0..ROUNDS {
            Threads::all_end(|threads| {
                let count = 2 + round % 2;
                let pools: Vec<_> = (0..count).map(|_| threads.pool(1 + round % 3)).collect();
                let barrier = Arc::new(std::sync::Barrier::new(count + 1));
                for (i, pool) in pools.iter().enumerate() {
                    let (next, barrier) = (Arc::clone(&pools[(i + 1) % count]), Arc::clone(&barrier));
                    pool.spawn(move |_| {
                        meet(&barrier);
                        drop(next);
                    });
                }
                // The tasks have the last handles, which they drop at the same time.
                drop(pools);
                meet(&barrier);
            });
        }
    });
}

#[test]
fn a_branch_of_a_run_may_drop_the_pool_whose_task_waits_for_it() {
    must_end(|| {
        for _ in 0..ROUNDS {
            Threads::all_end(|threads| {
                let [pool, other] = [threads.pool(1), threads.pool(2)];
                let barrier = Arc::new(std::sync::Barrier::new(2));
                let (handle, its_barrier) = (Arc::clone(&pool), Arc::clone(&barrier));
                pool.spawn(move |_| {
                    meet(&its_barrier);
                    other.run_on_worker(|mut s| s.join(|_| std::thread::yield_now(), |_| drop(handle)));
                });
                drop(pool);
                meet(&barrier);
            });
        }
    });
}

#[test]
fn tasks_of_a_moved_run_a_scope_and_a_broadcast_may_drop_the_pool_that_waits_for_them() {
    must_end(|| {
        for _ in 0..ROUNDS {
            for way in 0..3 {
                Threads::all_end(|threads| {
                    let [pool, other] = [threads.pool(1), threads.pool(2)];
                    let barrier = Arc::new(std::sync::Barrier::new(2));
                    let handle = std::sync::Mutex::new(Some(Arc::clone(&pool)));
                    let its_barrier = Arc::clone(&barrier);
                    pool.spawn(move |_| {
                        meet(&its_barrier);
                        let drop_it = || drop(handle.lock().expect("nobody panics").take());
                        match way {
                            0 => other.run_on_worker(|_| drop_it()),
                            1 => other.scope_in_place(|scope| scope.spawn(|_| drop_it())),
                            _ => _ = other.broadcast(|_, _| drop_it()),
                        }
                    });
                    drop(pool);
                    meet(&barrier);
                });
            }
        }
    });
}

/// The last thing that a thread does is to drop a handle of the pool that waits for its end.
#[test]
fn handlers_and_destructors_of_a_thread_may_drop_the_pool_whose_task_waits_for_its_end() {
    thread_local! {
        static HANDLE: RefCell<Option<Arc<Pool>>> = const { RefCell::new(None) };
    }
    must_end(|| {
        for _ in 0..ROUNDS {
            for way in 0..3 {
                Threads::all_end(|threads| {
                    let pool = threads.pool(1);
                    let handle = Arc::new(std::sync::Mutex::new(Some(Arc::clone(&pool))));
                    let take = move || handle.lock().expect("nobody panics").take();
                    let builder = match way {
                        0 => threads.builder(1).exit_handler(move |_| drop(take())),
                        1 => threads.builder(1).exit_handler(move |_| HANDLE.set(take())),
                        _ => threads.builder(1).unawaited_panic_handler(move |_| drop(take())),
                    };
                    let other = builder.build().expect("a small pool");
                    crate::common::tell_panics_briefly();
                    let barrier = Arc::new(std::sync::Barrier::new(2));
                    let its_barrier = Arc::clone(&barrier);
                    pool.spawn(move |_| {
                        meet(&its_barrier);
                        if way == 2 {
                            other.spawn(|_| panic!("in a task"));
                        }
                        // Waits, also for the thread of the other pool.
                        other.shutdown();
                    });
                    drop(pool);
                    meet(&barrier);
                });
            }
        }
    });
}

#[test]
fn a_pool_that_a_run_of_another_one_drops_finishes_its_tasks() {
    must_end(|| {
        for _ in 0..ROUNDS {
            Threads::all_end(|threads| {
                let (sender, receiver) = mpsc::channel();
                let pool = threads.pool(2);
                pool.run(|_| {
                    let inner = threads.pool(2);
                    for i in 0..10 {
                        let sender = sender.clone();
                        inner.spawn(move |_| sender.send(i).expect("the receiver waits"));
                    }
                    drop(inner);
                });
                drop(sender);
                let mut all: Vec<i32> = receiver.iter().collect();
                all.sort_unstable();
                assert_eq!(all, (0..10).collect::<Vec<_>>());
            });
        }
    });
}

#[test]
fn a_shutdown_waits_for_the_tasks_also_on_a_worker_of_another_pool() {
    must_end(|| {
        for _ in 0..ROUNDS {
            Threads::all_end(|threads| {
                let done = Arc::new(AtomicUsize::new(0));
                threads.pool(2).run(|_| {
                    let inner = threads.builder(2).build().expect("a small pool");
                    for _ in 0..10 {
                        let done = Arc::clone(&done);
                        inner.spawn(move |_| _ = done.fetch_add(1, Ordering::SeqCst));
                    }
                    inner.shutdown();
                    assert_eq!(done.load(Ordering::SeqCst), 10);
                });
            });
        }
    });
}

#[test]
fn a_task_may_shut_its_own_pool_down_from_within_another_one() {
    must_end(|| {
        for _ in 0..ROUNDS {
            Threads::all_end(|threads| {
                let [pool, other] = [threads.pool(1), threads.pool(1)];
                let barrier = Arc::new(std::sync::Barrier::new(2));
                let (handle, its_barrier) = (Arc::clone(&pool), Arc::clone(&barrier));
                pool.spawn(move |_| {
                    meet(&its_barrier);
                    other.run(|_| Arc::into_inner(handle).expect("the last one").shutdown());
                });
                drop(pool);
                meet(&barrier);
            });
        }
    });
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        resume_unwind(Box::new("dropped"));
    }
}

/// What a handler owns is dropped by the thread that is the last to know the pool.
#[test]
fn a_thread_that_leaves_a_pool_by_a_panic_is_none_of_a_pool_any_more() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let (sender, threads) = mpsc::channel();
        let (bomb, released) = (Bomb, Arc::new(AtomicUsize::new(0)));
        let its_released = Arc::clone(&released);
        let handler = move |_| {
            let _bomb = &bomb;
            await_value(&its_released, 1);
        };
        let builder = Pool::builder().workers(1).scheduler(scheduler()).own_threads(true).start_handler(handler);
        let pool = builder.build_with(|thread| sender.send(thread).map_err(std::io::Error::other));
        let thread = std::thread::spawn(move || {
            let thread: filch::PoolThread = threads.recv().expect("the pool has one");
            assert!(catch_unwind(AssertUnwindSafe(|| thread.run())).is_err());
            // So it waits for the end of a pool.
            for _ in 0..ROUNDS {
                let done = Arc::new(AtomicUsize::new(0));
                let other = Pool::builder().workers(2).scheduler(scheduler()).build().expect("a small pool");
                let its_done = Arc::clone(&done);
                other.spawn(move |_| {
                    (0..10).for_each(|_| std::thread::yield_now());
                    its_done.store(1, Ordering::SeqCst);
                });
                drop(other);
                assert_eq!(done.load(Ordering::SeqCst), 1);
            }
        });
        pool.expect("a small pool").release();
        released.store(1, Ordering::SeqCst);
        thread.join().expect("no panic");
    });
}
