//! Pools that enter each other, from their callers and from their branches.

use crate::common::{assert_usable, await_value, eager_pool, panic_text};
use crate::{ROUNDS, Working, assert_seats_hold, begun_elsewhere, poll_until, tree};
use filch::Pool;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn runs_nest_on_the_same_pool_and_on_others() {
    let (a, b) = (eager_pool(1), eager_pool(2));
    let depth =
        a.run(|_| b.run(|_| a.run(|mut s| s.join(|_| b.run(|_| filch::num_workers()), |_| filch::num_workers()))));
    assert_eq!(depth, (2, 1));
    assert_usable(&a);
    assert_usable(&b);
}

/// Enters the pools inside each other, one after the other and from the first again, with work at each level.
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
#[cfg_attr(miri, ignore = "slow there, and what it runs is run by others")]
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
                        // Every second thread enters the pools in the other order.
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
    // Until another thread than the first caller, which waits and helps, has had the innermost run.
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

/// Neither of the two waiters inside the other pools waits for a thread that asks for its own seat. Only both together
/// form a circle.
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
                        |mut s| {
                            poll_until(&mut s, || begun.load(Ordering::SeqCst) == 1);
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
