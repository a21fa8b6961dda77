//! Traversals that are stopped.

use crate::common::{Counted, assert_usable, eager_pool};
use crate::{ALL_BATCHES, WORKERS};
use filch::{Batches, Traverse};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[test]
fn a_traversal_without_end_can_be_stopped() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for batches in ALL_BATCHES {
            let alive = AtomicUsize::new(0);
            let visits = AtomicUsize::new(0);
            let limit = if cfg!(miri) { 8 } else { 300 };
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    [Counted::new(&alive)],
                    || (),
                    |list, _counted| {
                        list.push(Counted::new(&alive));
                        // Not too many: they are kept until this phase is over, which is never.
                        list.push_next(Counted::new(&alive));
                        if visits.fetch_add(1, SeqCst) >= limit {
                            list.stop();
                        }
                    },
                )
            });
            assert!(done.counts.items > limit as u64);
            assert_eq!(alive.load(SeqCst), 0, "what waited is dropped");
        }
        assert_usable(&pool);
    }
}

#[test]
fn after_stop_a_lone_worker_begins_nothing() {
    let visits = AtomicUsize::new(0);
    eager_pool(1).run(|_| {
        Traverse::new().batches(Batches::UpTo(1)).run(
            [0],
            || (),
            |list, _| {
                visits.fetch_add(1, SeqCst);
                (0..10).for_each(|n| list.push(n));
                list.stop();
            },
        )
    });
    assert_eq!(visits.into_inner(), 1);
}

/// A visitor of batches need not empty its batch to come to an end.
#[test]
fn a_stop_ends_a_visitor_that_leaves_its_batch_as_it_is() {
    let pool = eager_pool(2);
    let done = pool.run(|_| Traverse::new().run_batches(0..100, || (), |list, _| list.stop()));
    assert_eq!(done.counts.items, 0);
}
