//! Seats: how many threads work for a pool at once, and pools that enter each other.
#![allow(missing_docs)]

mod common;

use common::{
    SendWrapper, assert_usable, await_above_an_older_frame, await_value, eager_pool, must_end, panic_text,
    with_another_held,
};
use filch::{Pool, Strand};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Counts those who work for a pool, where work is what happens between two calls into the library.
#[derive(Default)]
struct Working {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Working {
    fn work(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        (0..200).for_each(|_| std::hint::spin_loop());
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

fn tree(mut s: Strand<'_>, depth: u32, leaf: &(impl Fn() + Sync)) {
    if depth == 0 {
        leaf();
    } else {
        s.join(|s| tree(s, depth - 1, leaf), |s| tree(s, depth - 1, leaf));
    }
}

const ROUNDS: usize = if cfg!(miri) { 2 } else { 200 };

#[test]
fn no_more_threads_work_for_a_pool_than_it_has_workers() {
    for workers in [1, 2, 3] {
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

/// No more than there are seats, and those that went without one.
fn assert_seats_hold(pool: &Pool, working: &Working) {
    let most = pool.num_workers() as u64 + pool.counters().seats_exceeded;
    assert!(working.most() as u64 <= most, "{} at once in a pool of {}", working.most(), pool.num_workers());
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

/// Nobody waits for somebody's whole task, which may take an hour.
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

/// Runs on the pools one inside the other, round and round, with work at each level.
fn nest(pools: &[&Pool], depth: usize, working: &[Working]) -> usize {
    if depth == 0 {
        return 0;
    }
    let at = depth % pools.len();
    pools[at].run(|mut s| {
        working[at].work();
        let (a, b) = s.join(|_| nest(pools, depth - 1, working), |_| 1);
        working[at].work();
        a + b
    })
}

#[test]
fn one_worker_pools_enter_each_other_to_any_depth() {
    let (a, b, c) = (eager_pool(1), eager_pool(1), eager_pool(1));
    let working: [Working; 3] = Default::default();
    assert_eq!(nest(&[&a, &b, &c], 50, &working), 50);
}

#[test]
fn two_pools_enter_each_other_from_different_threads() {
    for workers in [1, 2] {
        let (a, b) = (eager_pool(workers), eager_pool(workers));
        let working: [Working; 2] = Default::default();
        std::thread::scope(|scope| {
            for i in 0..4 {
                let pools = if i % 2 == 0 { [&a, &b] } else { [&b, &a] };
                let working = &working;
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        // Each thread numbers the pools its own way.
                        let enter = |first: usize| {
                            pools[0].run(|_| {
                                working[first].work();
                                pools[1].run(|_| {
                                    working[1 - first].work();
                                    pools[0].run(|s| tree(s, 2, &|| working[first].work()));
                                    working[1 - first].work();
                                });
                                working[first].work();
                            });
                        };
                        enter(i % 2);
                    }
                });
            }
        });
        [&a, &b].into_iter().zip(&working).for_each(|(pool, working)| assert_seats_hold(pool, working));
    }
}

/// The second branch begins elsewhere before the first returns.
fn begun_elsewhere(s: &mut Strand<'_>, b: impl FnOnce(Strand<'_>) + Send) {
    let begun = AtomicUsize::new(0);
    s.join(
        |_| await_value(&begun, 1),
        |s| {
            begun.store(1, Ordering::SeqCst);
            b(s);
        },
    );
}

#[test]
fn a_branch_of_the_inner_pool_enters_the_outer_one() {
    for workers in [1, 2] {
        let (a, b) = (eager_pool(workers), eager_pool(2));
        for _ in 0..ROUNDS {
            a.run(|_| b.run(|mut s| begun_elsewhere(&mut s, |_| a.run(|_| ()))));
        }
        assert_usable(&a);
        assert_usable(&b);
    }
}

#[test]
fn a_branch_of_a_branch_of_the_inner_pool_enters_the_outer_one() {
    let (a, b) = (eager_pool(1), eager_pool(3));
    let mut rounds = 0;
    // Until the innermost run has come to somebody else than the first caller, who waits and helps.
    while rounds < ROUNDS || (a.counters().seats_borrowed == 0 && !cfg!(miri)) {
        rounds += 1;
        a.run(|_| {
            b.run(|mut s| {
                begun_elsewhere(&mut s, |mut s| {
                    begun_elsewhere(&mut s, |_| a.run(|_| b.run(|_| a.run(|_| ()))));
                });
            });
        });
    }
    assert_usable(&a);
}

/// Neither who waits inside the other pool waits for one that asks for its seat; it is the two together that are in a
/// circle.
#[test]
fn a_circle_of_joins_and_seats_is_broken() {
    let (a, c) = (eager_pool(1), eager_pool(1));
    for _ in 0..ROUNDS.min(50) {
        let (b, d) = (eager_pool(2), eager_pool(2));
        let seated = AtomicUsize::new(0);
        let enter = |outer: &Pool, inner: &Pool, wanted: &Pool| {
            outer.run(|_| {
                inner.run(|mut s| {
                    begun_elsewhere(&mut s, |_| {
                        seated.fetch_add(1, Ordering::SeqCst);
                        await_value(&seated, 2);
                        wanted.run(|_| ());
                    });
                });
            });
        };
        std::thread::scope(|scope| {
            scope.spawn(|| enter(&a, &b, &c));
            scope.spawn(|| enter(&c, &d, &a));
        });
    }
}

/// Who waits for the outer pool's end of a scope helps on a ladder that it has no seat of its own for.
#[test]
fn a_task_that_is_helped_with_above_an_older_frame_gets_the_seat_of_who_waits_for_it() {
    must_end(|| {
        let (a, b) = (eager_pool(2), eager_pool(1));
        for _ in 0..ROUNDS {
            with_another_held(&a, |s, released| {
                await_above_an_older_frame(s, released, |_| {
                    b.run(|_| a.run(|mut s| begun_elsewhere(&mut s, |_| b.run(|_| ()))));
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// Who has brought a strand of the outer pool into a run of the inner one waits there for what needs a seat of the
/// inner one: that is its latest, and not the one that it will go on with.
#[test]
fn a_thread_that_waits_with_a_strand_of_an_older_seat_lends_its_latest() {
    must_end(|| {
        let (a, b) = (eager_pool(2), eager_pool(1));
        let mut rounds = 0;
        // In some it is slow, and the other goes without a seat.
        while rounds < ROUNDS.min(20) || b.counters().seats_borrowed == 0 {
            rounds += 1;
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(|_| {
                    let s = of_a.get().expect("on its own thread");
                    begun_elsewhere(s, |_| b.run(|s| tree(s, 2, &|| ())));
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// What it helps with there is the older pool's: it does not wait for its latest seat in between, which somebody has
/// who waits for that very task.
#[test]
fn a_thread_that_helps_with_a_strand_of_an_older_seat_does_not_wait_for_its_latest() {
    must_end(|| {
        let (a, b, c) = (eager_pool(2), eager_pool(1), eager_pool(1));
        for _ in 0..ROUNDS.min(20) {
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(|_| {
                    begun_elsewhere(of_a.get().expect("on its own thread"), |of_a| {
                        let mut of_a = SendWrapper::new(of_a);
                        b.run(|_| {
                            begun_elsewhere(of_a.get().expect("as above"), |_| c.run(|_| ()));
                        });
                    });
                });
            });
        }
        assert_usable(&a);
        assert_usable(&b);
    });
}

/// A lock held by somebody who waits in an inner pool is not waited for by anybody whom its seat was lent to.
#[test]
fn a_seat_is_not_lent_to_strangers() {
    let (a, b) = (eager_pool(1), eager_pool(2));
    let lock = std::sync::Mutex::new(0);
    for _ in 0..ROUNDS {
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                a.run(|_| {
                    let mut held = lock.lock().expect("nobody panics");
                    inside.store(1, Ordering::SeqCst);
                    b.run(|mut s| begun_elsewhere(&mut s, |_| std::thread::sleep(Duration::from_micros(200))));
                    *held += 1;
                });
            });
            await_value(&inside, 1);
            // Somebody with a seat elsewhere, on whom nobody depends.
            let c = eager_pool(1);
            c.run(|_| a.run(|_| *lock.lock().expect("nobody panics") += 1));
        });
    }
    assert_eq!(lock.into_inner().expect("nobody panics"), 2 * ROUNDS);
}

#[test]
fn a_panic_passes_through_pools_and_gives_back_what_was_lent() {
    let (a, b) = (eager_pool(1), eager_pool(2));
    for _ in 0..ROUNDS {
        let text = panic_text(|| a.run(|_| b.run(|mut s| begun_elsewhere(&mut s, |_| a.run(|_| panic!("inner"))))));
        assert_eq!(text, "inner");
        // Unwinding out of the inner pool while a branch there still asks for the outer one.
        let text = panic_text(|| {
            a.run(|_| {
                b.run(|mut s| {
                    let begun = AtomicUsize::new(0);
                    s.join(
                        |_| {
                            await_value(&begun, 1);
                            panic!("outer")
                        },
                        |_| {
                            begun.store(1, Ordering::SeqCst);
                            a.run(|_| ());
                        },
                    );
                });
            });
        });
        assert_eq!(text, "outer");
    }
    assert_usable(&a);
    assert_usable(&b);
}

#[test]
fn the_last_to_leave_ends_a_shared_pool() {
    for _ in 0..ROUNDS.min(50) {
        let pool = Arc::new(eager_pool(2));
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (its_pool, inside) = (Arc::clone(&pool), &inside);
            scope.spawn(move || {
                its_pool.run(|s| {
                    inside.store(1, Ordering::SeqCst);
                    tree(s, 3, &|| std::thread::yield_now());
                });
            });
            await_value(inside, 1);
            drop(pool);
        });
    }
}

/// Trees that go on beside each other on a ladder and on a spare one.
const TREES: usize = if cfg!(miri) { 4 } else { 50 };

/// A thread whose seat is lent helps, and what it helps with uses a strand of that seat, beside the borrower.
#[test]
fn a_strand_of_a_lent_seat_does_no_harm() {
    let (a, b) = (eager_pool(2), eager_pool(2));
    let leaves = AtomicUsize::new(0);
    for _ in 0..ROUNDS.min(20) {
        let (helped, seated) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (a, helped, seated, leaves) = (&a, &helped, &seated, &leaves);
        let count = || {
            leaves.fetch_add(1, Ordering::Relaxed);
        };
        std::thread::scope(|scope| {
            // Keeps the other seat of `a` until the first has been lent.
            scope.spawn(|| {
                a.run(|_| {
                    seated.store(1, Ordering::SeqCst);
                    await_value(helped, 1);
                });
            });
            await_value(seated, 1);
            a.run(|of_a| {
                let mut of_a = SendWrapper::new(of_a);
                b.run(move |mut s| {
                    begun_elsewhere(&mut s, move |mut s| {
                        s.join(
                            move |_| {
                                a.run(|mut s| {
                                    // Not beyond reason: the other branch may not have been taken.
                                    (0..2_000).take_while(|_| helped.load(Ordering::SeqCst) == 0).for_each(|_| {
                                        std::thread::yield_now();
                                    });
                                    helped.store(1, Ordering::SeqCst);
                                    (0..TREES).for_each(|_| tree(s.reborrow(), 6, &count));
                                });
                            },
                            move |_| {
                                if let Some(s) = of_a.get() {
                                    helped.store(1, Ordering::SeqCst);
                                    (0..TREES).for_each(|_| tree(s.reborrow(), 6, &count));
                                }
                            },
                        );
                    });
                });
            });
        });
    }
    assert!(leaves.into_inner() >= ROUNDS.min(20) * TREES * 64);
}
