//! CAB: squads share large pieces, and their workers small ones.

use crate::common::fib;
use filch::{Affinity, Pool, Scheduler, Strand, Topology, current_worker};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Under Miri a pool of many workers takes minutes.
const TOPOLOGIES: &[&str] = if cfg!(miri) { &["2x1"] } else { &["2x2", "4x4", "2+3", "3x1"] };

pub(crate) fn pool(topology: &str, scheduler: Scheduler) -> Pool {
    let topology: Topology = topology.parse().expect("a topology");
    Pool::builder().scheduler(scheduler).topology(topology).build().expect("a small pool")
}

pub(crate) fn squad_of_this_worker(topology: &Topology) -> usize {
    topology.squads().of(current_worker().expect("a worker"))
}

fn tree<R: Send>(
    mut s: Strand<'_>,
    depth: u32,
    leaf: &(impl Fn(Strand<'_>) -> R + Sync),
    add: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if depth == 0 {
        return leaf(s);
    }
    let (a, b) = s.join(|s| tree(s, depth - 1, leaf, add), |s| tree(s, depth - 1, leaf, add));
    add(a, b)
}

/// Whichever worker runs what, there are B^(BL − 1) leaves of the inter-socket tier.
#[test]
fn there_are_as_many_leaves_as_the_boundary_level_says() {
    for &topology in TOPOLOGIES {
        for boundary in 2..if cfg!(miri) { 3 } else { 5 } {
            let pool = pool(topology, Scheduler::cab().with_boundary(boundary));
            for run in 1..=if cfg!(miri) { 1 } else { 10 } {
                assert_eq!(pool.run(|s| fib(s, 12)), 144);
                let counters = pool.counters();
                assert_eq!(counters.leaf_tasks, run << (boundary - 1), "{topology}: {counters}");
                assert!(counters.tasks_across <= run * (2 << (boundary - 1)), "{topology}: {counters}");
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn one_squad_and_programs_bound_by_the_processor_have_no_inter_socket_tasks() {
    let big = Scheduler::cab().with_data_bytes(1 << 40);
    for (topology, scheduler) in [("1x4", big), ("2x2", Scheduler::cab()), ("1x2", Scheduler::cab().with_boundary(3))] {
        let pool = pool(topology, scheduler);
        assert_eq!(pool.run(|s| fib(s, 12)), 144);
        let counters = pool.counters();
        assert_eq!((counters.leaf_tasks, counters.tasks_across), (0, 0), "{topology}: {counters}");
    }
}

/// What a leaf forks is run by the squad that has the leaf.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn intra_socket_work_stays_in_its_squad() {
    for topology in ["2x2", "4x4", "2+3"] {
        let pool = pool(topology, Scheduler::cab().with_boundary(4));
        let squads = pool.topology();
        let leaf = |mut s: Strand<'_>| {
            let mine = squad_of_this_worker(squads);
            let strays = AtomicUsize::new(0);
            let look = || {
                if squad_of_this_worker(squads) != mine {
                    strays.fetch_add(1, Ordering::SeqCst);
                }
            };
            tree(s.reborrow(), 6, &|_| look(), &|(), ()| ());
            s.for_each(0..200_u32, |_, _| look());
            s.for_each_item(0..20, |_, _| look());
            strays.into_inner()
        };
        for _ in 0..if cfg!(miri) { 1 } else { 30 } {
            assert_eq!(pool.run(|s| tree(s, 3, &leaf, &|a, b| a + b)), 0, "{topology}");
        }
    }
}

/// Ends only if every squad begins a leaf.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn every_squad_gets_a_leaf() {
    for topology in ["2x2", "3x1"] {
        let pool = pool(topology, Scheduler::cab().with_boundary(4));
        let squads = pool.topology();
        let seen: Vec<AtomicUsize> = (0..squads.squads().count()).map(|_| AtomicUsize::new(0)).collect();
        for _ in 0..if cfg!(miri) { 1 } else { 10 } {
            seen.iter().for_each(|seen| seen.store(0, Ordering::SeqCst));
            let leaf = |_: Strand<'_>| {
                seen[squad_of_this_worker(squads)].store(1, Ordering::SeqCst);
                while seen.iter().any(|seen| seen.load(Ordering::SeqCst) == 0) {
                    std::thread::yield_now();
                }
            };
            pool.run(|s| tree(s, 3, &leaf, &|(), ()| ()));
        }
        assert!(pool.counters().tasks_across > 0);
    }
}

#[test]
fn loops_scopes_and_panics_work_across_squads() {
    for &topology in TOPOLOGIES {
        for &boundary in if cfg!(miri) { &[2][..] } else { &[2, 4] } {
            let pool = pool(topology, Scheduler::cab().with_boundary(boundary));
            for _ in 0..if cfg!(miri) { 1 } else { 10 } {
                let n = if cfg!(miri) { 50 } else { 1_000 };
                let sum = pool.run(|mut s| s.map_reduce(0..n, || 0, |_, i| i, |a, b| a + b));
                assert_eq!(sum, n * (n - 1) / 2);
                let spawned = AtomicUsize::new(0);
                pool.run(|mut s| {
                    s.scope(|_, scope| {
                        (0..20).for_each(|_| {
                            scope.spawn(|mut s| {
                                s.join(
                                    |_| spawned.fetch_add(1, Ordering::SeqCst),
                                    |_| spawned.fetch_add(1, Ordering::SeqCst),
                                );
                            })
                        });
                    });
                    s.for_each_item(0..20, |_, _| _ = spawned.fetch_add(1, Ordering::SeqCst));
                });
                assert_eq!(spawned.into_inner(), 60);
                let fails =
                    || pool.run(|s| tree(s, 5, &|_| assert!(current_worker() == Some(999), "in a leaf"), &|(), ()| ()));
                assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(fails)).is_err());
            }
            assert_eq!(pool.run(|s| fib(s, 10)), 55, "usable");
        }
    }
}

/// A tree of inter-socket joins by hand has as many inter-socket tasks as the level that is as deep.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn inter_socket_joins_by_hand_are_as_many_tasks_as_those_of_a_level() {
    fn by_hand(mut s: Strand<'_>, depth: u32, n: u64) -> u64 {
        if depth == 0 {
            return fib(s, n);
        }
        let (a, b) = s.join_inter(|s| by_hand(s, depth - 1, n - 1), |s| by_hand(s, depth - 1, n - 2));
        a + b
    }
    for topology in ["2x2", "4x4"] {
        let [hand, level] = [Scheduler::cab(), Scheduler::cab().with_boundary(4)].map(|it| pool(topology, it));
        for _ in 0..10 {
            assert_eq!((hand.run(|s| by_hand(s, 3, 14)), level.run(|s| fib(s, 14))), (377, 377));
        }
        let [hand, level] = [&hand, &level].map(|pool| pool.counters().inter_tasks);
        assert_eq!((hand, level), (140, 140), "{topology}: two for each of seven forks");
    }
}

/// A procedure has its own boundary level, computed when it is called; so does a single fork.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn a_procedure_has_a_boundary_level_of_its_own() {
    let topology = "2x2,cache=1KiB";
    let pool = pool(topology, Scheduler::cab());
    let leaves = |run: &(dyn Fn(Strand<'_>) + Sync)| {
        let before = pool.counters();
        pool.run(run);
        pool.counters().since(&before).leaf_tasks
    };
    assert_eq!(leaves(&|mut s| _ = s.divide(2, 4 << 10, |s| fib(s, 10))), 4, "four caches full");
    assert_eq!(leaves(&|mut s| _ = s.divide(2, 0, |s| fib(s, 10))), 0, "bound by the processor");
    assert_eq!(leaves(&|mut s| _ = s.join_inter(|s| fib(s, 10), |s| fib(s, 10))), 2);
    assert_eq!(leaves(&|s| _ = fib(s, 10)), 0, "and nothing stays behind");
}

/// Inter-socket joins with affinity: as many leaves, and the caller begins with the half that its squad had last.
#[test]
#[cfg_attr(miri, ignore = "many workers")]
fn a_worker_begins_with_the_half_that_its_squad_had_last() {
    for topology in ["2x2", "2+3"] {
        let pool = pool(topology, Scheduler::cab());
        let (mut affinity, mut last) = (Affinity::new(), [0, 1]);
        for round in 0..50 {
            let before = pool.counters();
            let (ran, first) = ([const { AtomicUsize::new(9) }; 2], [const { AtomicUsize::new(9) }; 5]);
            let me = || current_worker().expect("a worker");
            let run = |s: Strand<'_>, half: usize| {
                ran[half].store(squad_of_this_worker(pool.topology()), Ordering::SeqCst);
                _ = first[me()].compare_exchange(9, half, Ordering::SeqCst, Ordering::SeqCst);
                fib(s, round % 5 * 4)
            };
            let (me, mine) = pool.run(|mut s| {
                // Both squads have half of the cells only if they have as many workers.
                let (all, seats) = (affinity.divide(&s, pool.topology().workers() as u64), pool.topology().squads());
                s.join_inter_affine(all, seats.workers(0).len() as u64, |s, _| run(s, 0), |s, _| run(s, 1));
                (me(), squad_of_this_worker(pool.topology()))
            });
            assert_eq!(pool.counters().since(&before).leaf_tasks, 2, "{topology}");
            let expected = usize::from(last[0] != mine && last[1] == mine);
            assert_eq!(first[me].load(Ordering::SeqCst), expected, "{topology}: {mine} in {round} after {last:?}");
            last = ran.map(AtomicUsize::into_inner);
        }
    }
}
