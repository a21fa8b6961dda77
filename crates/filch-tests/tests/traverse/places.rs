//! Visits that fork, and where traversals may be begun.

use crate::WORKERS;
use crate::common::{self, eager_pool, fib};
use filch::Worklist;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Visits a tree of that many levels and counts its leaves; `inner` runs in each visit.
fn leaves(levels: u32, inner: impl Fn(&mut Worklist<'_, u32, usize>) + Sync + Send) -> usize {
    let done = filch::traverse(
        [levels],
        || 0,
        |list, level| {
            inner(list);
            if level == 0 {
                *list.workspace() += 1;
            } else {
                list.push(level - 1);
                list.push_next(level - 1);
            }
        },
    );
    done.workspaces.iter().sum()
}

const LEVELS: u32 = if cfg!(miri) { 1 } else { 5 };

#[test]
fn visits_fork_by_their_strand_and_by_free_functions() {
    for &workers in WORKERS {
        let n = if cfg!(miri) { 2 } else { 10 };
        eager_pool(workers).run(|_| {
            let expected = fib_serially(n);
            let by_strand = leaves(LEVELS, |list| assert_eq!(fib(list.strand(), n), expected));
            let by_join = leaves(LEVELS, |_| assert_eq!(filch::join(|| 1, || 2), (1, 2)));
            assert_eq!([by_strand, by_join], [1 << LEVELS; 2]);
            if cfg!(miri) {
                return;
            }
            let by_loop = leaves(LEVELS, |list| {
                let sum = AtomicUsize::new(0);
                list.strand().for_each(0..20usize, |_, i| {
                    sum.fetch_add(i, Relaxed);
                });
                filch::for_each(0..20usize, |_, i| {
                    sum.fetch_add(i, Relaxed);
                });
                assert_eq!(sum.into_inner(), 380);
            });
            let by_scope = leaves(LEVELS, |_| {
                let sum = AtomicUsize::new(0);
                filch::scope(|_, scope| {
                    (0..5usize).for_each(|i| {
                        let sum = &sum;
                        scope.spawn(move |_| {
                            sum.fetch_add(i, Relaxed);
                        });
                    });
                });
                assert_eq!(sum.into_inner(), 10);
            });
            assert_eq!([by_loop, by_scope], [1 << LEVELS; 2]);
        });
    }
}

fn fib_serially(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

#[test]
fn traversals_nest() {
    for &workers in WORKERS {
        let inner = LEVELS / 2;
        let count = eager_pool(workers).run(|_| {
            leaves(inner + 1, |_| {
                let nested = leaves(inner, |_| assert_eq!(leaves(1, |_| ()), 2));
                assert_eq!(nested, 1 << inner);
            })
        });
        assert_eq!(count, 2 << inner);
    }
}

#[test]
fn traversals_run_in_tasks_and_branches() {
    for &workers in WORKERS {
        let total = AtomicUsize::new(0);
        eager_pool(workers).run(|mut s| {
            s.scope(|_, scope| {
                for _ in 0..4 {
                    let total = &total;
                    scope.spawn(move |mut s| {
                        let (a, b) = s.join(|_| leaves(LEVELS, |_| ()), |_| leaves(LEVELS, |_| ()));
                        total.fetch_add(a + b, Relaxed);
                    });
                }
                total.fetch_add(leaves(LEVELS, |_| ()), Relaxed);
            });
        });
        assert_eq!(total.into_inner(), 9 << LEVELS);
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn threads_outside_traverse_at_the_same_time() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        std::thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    for _ in 0..3 {
                        assert_eq!(pool.run(|_| leaves(LEVELS, |_| ())), 1 << LEVELS);
                    }
                });
            }
        });
    }
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn traversals_run_in_loops_of_traversals_on_another_pool() {
    let (outer, inner) = (eager_pool(2), eager_pool(2));
    let count = outer.run(|_| leaves(2, |_| assert_eq!(inner.run(|_| leaves(2, |_| ())), 4)));
    assert_eq!(count, 4);
}

#[test]
fn the_global_pool_serves_threads_outside() {
    if common::is_under_another_scheduler() || cfg!(miri) {
        return;
    }
    assert_eq!(leaves(LEVELS, |_| ()), 1 << LEVELS);
}
