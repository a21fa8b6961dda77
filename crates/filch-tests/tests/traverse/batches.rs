//! Batches and workspaces, and items that are counted and dropped.

use crate::common::{Counted, eager_pool};
use crate::{ALL_BATCHES, Seed, WORKERS, children};
use filch::{Batches, Traverse, Worklist};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn workspaces_are_made_on_demand_and_used_by_one_at_a_time() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let made = AtomicUsize::new(0);
        let make = || {
            made.fetch_add(1, SeqCst);
            AtomicBool::new(false)
        };
        let roots = [Seed { seed: 3, phase: 0, depth: 0 }; 3];
        let done = pool.run(|_| {
            filch::traverse(roots, make, |list, item| {
                assert!(!list.workspace().swap(true, SeqCst), "another worker has it");
                let (now, next) = children(item);
                now.into_iter().chain(next).for_each(|item| list.push(item));
                // Another may take part in this traversal here.
                filch::join(|| (), || ());
                assert!(list.workspace().swap(false, SeqCst));
            })
        });
        assert_eq!(made.load(SeqCst), done.workspaces.len());
        assert!((1..=workers).contains(&done.workspaces.len()));
        assert!(done.workspaces.into_iter().all(|used| !used.into_inner()));
    }
}

#[test]
fn without_roots_nothing_happens() {
    for &workers in WORKERS {
        let made = AtomicUsize::new(0);
        let done = eager_pool(workers)
            .run(|_| filch::traverse([(); 0], || made.fetch_add(1, Relaxed), |_, ()| panic!("there is none")));
        assert_eq!((done.counts.items, done.counts.phases, done.counts.tasks), (0, 0, 0));
        assert_eq!((done.workspaces.len(), made.into_inner()), (0, 0));
    }
}

#[test]
fn zero_sized_items_are_counted() {
    let pool = eager_pool(2);
    for batches in ALL_BATCHES {
        let left = AtomicUsize::new(if cfg!(miri) { 10 } else { 2_000 });
        let total = left.load(Relaxed) + 5;
        let done = pool.run(|_| {
            Traverse::new().batches(batches).run(
                [(); 5],
                || 0,
                |list, ()| {
                    *list.workspace() += 1;
                    if left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(2)).is_ok() {
                        list.push(());
                        list.push_next(());
                    }
                },
            )
        });
        assert_eq!((done.workspaces.iter().sum::<usize>(), done.counts.items), (total, total as u64));
    }
}

#[test]
fn items_are_dropped_once_each() {
    let alive = AtomicUsize::new(0);
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in ALL_BATCHES {
            let roots = [2, 0, 3].map(|depth| (depth, Counted::new(&alive)));
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    roots,
                    || Counted::new(&alive),
                    |list, (depth, _counted)| {
                        for depth in 0..depth {
                            list.push((depth, Counted::new(&alive)));
                            list.push_next((depth, Counted::new(&alive)));
                        }
                    },
                )
            });
            assert_eq!(alive.load(SeqCst), done.workspaces.len());
            drop(done);
            assert_eq!(alive.load(SeqCst), 0);
        }
    }
}

#[test]
fn batches_are_as_large_as_told() {
    let sizes = Mutex::new(vec![]);
    let visit = |list: &mut Worklist<'_, usize, ()>, batch: &mut Vec<usize>| {
        sizes.lock().unwrap().push((list.phase(), batch.len()));
        for v in batch.drain(..) {
            (0..v).for_each(|_| list.push_next(0));
        }
    };
    let run = |batches, item| {
        eager_pool(1).run(|_| Traverse::new().batches(batches).run_batches([item], || (), visit));
        std::mem::take(&mut *sizes.lock().unwrap())
    };
    let mut fixed = run(Batches::Fixed(4), 10);
    fixed.sort_unstable();
    assert_eq!(fixed, [(0, 1), (1, 2), (1, 4), (1, 4)]);
    assert_eq!(run(Batches::UpTo(4), 3), [(0, 1), (1, 1), (1, 1), (1, 1)]);
}

#[test]
fn the_depth_of_the_queue_is_that_of_batches_left() {
    eager_pool(1).run(|_| {
        Traverse::new().batches(Batches::Fixed(2)).run(
            [true],
            || (),
            |list, is_root| {
                if is_root {
                    assert_eq!(list.queue_depth(), 0);
                    for pushed in 1..10 {
                        list.push(false);
                        list.push_next(false);
                        assert_eq!(list.queue_depth(), pushed / 2);
                    }
                }
            },
        )
    });
}
