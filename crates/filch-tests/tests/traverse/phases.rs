//! Items for this phase and for the next one.

use crate::common::{self, eager_pool};
use crate::{ALL_BATCHES, Seed, WORKERS, assert_sound, children};
use filch::Traverse;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// How many items there are in each phase.
fn count_serially(roots: &[Seed]) -> Vec<usize> {
    let (mut counts, mut items) = (vec![], roots.to_vec());
    while let Some(item) = items.pop() {
        counts.resize(counts.len().max(item.phase + 1), 0);
        counts[item.phase] += 1;
        let (now, next) = children(item);
        items.extend(now);
        items.extend(next);
    }
    counts
}

#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn items_for_both_phases_keep_to_theirs() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for (seed, batches) in (0..).zip(ALL_BATCHES) {
            let roots: Vec<_> = (0..seed % 4 + 1).map(|n| Seed { seed: seed * 10 + n, phase: 0, depth: 0 }).collect();
            let expected = count_serially(&roots);
            let open: Vec<_> = expected.iter().map(|&count| AtomicUsize::new(count)).collect();
            let done = pool.run(|_| {
                Traverse::new().batches(batches).run(
                    roots.iter().copied(),
                    || (),
                    |list, item: Seed| {
                        assert_eq!(list.phase(), item.phase);
                        assert!(
                            open[..item.phase].iter().all(|open| open.load(SeqCst) == 0),
                            "an earlier phase is over"
                        );
                        let (now, next) = children(item);
                        // In turns.
                        let mut next = next.into_iter();
                        for item in now {
                            list.push(item);
                            next.by_ref().take(1).for_each(|item| list.push_next(item));
                        }
                        next.for_each(|item| list.push_next(item));
                        assert_eq!(list.phase(), item.phase, "not while it is in hand");
                        open[item.phase].fetch_sub(1, SeqCst);
                    },
                )
            });
            assert!(open.iter().all(|open| open.load(SeqCst) == 0));
            assert_eq!(done.counts.phases, expected.len() as u64);
            assert_sound(&done, workers, expected.iter().sum());
        }
    }
}

/// A long thin graph.
#[test]
fn phases_of_one_item_each_are_quick() {
    let phases = if cfg!(miri) { 10 } else { 20_000 };
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let phases = if common::is_slow() { phases / 20 + 2 } else { phases };
        let done = pool.run(|_| {
            filch::traverse(
                [0],
                || (),
                |list, n: u64| {
                    assert_eq!(list.phase() as u64, n);
                    if n + 1 < phases {
                        list.push_next(n + 1);
                    }
                },
            )
        });
        assert_eq!((done.counts.items, done.counts.phases), (phases, phases));
        // One lane has the item of a phase, and all others miss that phase.
        assert_eq!(done.counts.phases_skipped, (done.counts.workers as u64 - 1) * phases);
    }
}
