//! Sections: who works meanwhile, and what happens afterwards.

use super::*;

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

/// Two pools of one worker each, with a thread of its own.
fn two_pools() -> [Pool; 2] {
    [(); 2].map(|()| build(builder(1)))
}

#[test]
fn a_thread_that_blocks_leaves_its_seats_of_all_pools() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let [outer, inner] = two_pools();
        for _ in 0..ROUNDS.min(20) {
            assert_eq!(outer.run(|_| inner.run(|_| block_on(outer.submit(|_| 42)))), 42);
            let arrived = outer.run(|_| {
                inner.run(|_| {
                    let (sender, receiver) = mpsc::channel();
                    outer.spawn(move |_| sender.send(42).expect("it is awaited"));
                    blocking(|| receiver.recv())
                })
            });
            assert_eq!(arrived, Ok(42));
        }
        assert_usable(&outer);
        assert_usable(&inner);
    });
}

/// Each of two threads borrows the seat of the other, and what it blocks on needs that seat.
#[test]
fn a_thread_that_blocks_on_a_borrowed_seat_is_replaced() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        let pools = two_pools();
        for _ in 0..ROUNDS.min(5) {
            let both_are_in = Barrier::new(2);
            let (pools, both_are_in) = (&pools, &both_are_in);
            thread::scope(|threads| {
                for (outer, inner) in [(0, 1), (1, 0)] {
                    threads.spawn(move || {
                        let run = || pools[inner].run(|_| block_on(pools[inner].submit(|_| 42)));
                        assert_eq!(pools[outer].run(|_| (both_are_in.wait(), run()).1), 42);
                    });
                }
            });
        }
        pools.iter().for_each(assert_usable);
    });
}

/// The scope waits inside of the section, and lets others ask the worker again.
#[test]
fn who_asks_while_a_section_ends_gets_an_answer() {
    if !has_threads() {
        return;
    }
    must_end(|| {
        for _ in 0..ROUNDS {
            let pool = build(builder(3));
            pool.run(|mut s| {
                s.join(
                    |_| {
                        blocking(|| {
                            filch::scope(|_, scope| {
                                scope.spawn(|_| (0..100).for_each(|_| thread::yield_now()));
                            });
                            (0..100).for_each(|_| thread::yield_now());
                        });
                    },
                    |_| (),
                );
            });
            // Its threads end.
            pool.shutdown();
        }
    });
}
