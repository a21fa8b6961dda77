//! Panics of items pass on, and everything is dropped once.

#[path = "../../filch-tests/tests/common/mod.rs"]
mod common;

use common::{Counted, assert_usable, eager_pool, panic_text};
use filch_rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

const LENS: &[usize] = if cfg!(miri) { &[1, 5] } else { &[1, 2, 10, 100, 1000] };

/// Runs `loop_of` on items that are counted, with a panic at each of some places. `loop_of` gets the items, the longest
/// block, and what it should do to each item.
fn nothing_is_lost(loop_of: impl for<'a> Fn(Vec<(usize, Counted<'a>)>, usize, &(dyn Fn(usize) + Sync)) + Send + Sync) {
    let mut random = fastrand::Rng::with_seed(5);
    for workers in [1, 2, 5] {
        let pool = eager_pool(workers);
        for &len in LENS {
            let (bad, most) = (random.usize(0..len), random.usize(1..10));
            let alive = AtomicUsize::new(0);
            let items: Vec<_> = (0..len).map(|i| (i, Counted::new(&alive))).collect();
            let text = panic_text(|| {
                pool.run(|_| loop_of(items, most, &|i| assert!(i != bad, "at the bad place")));
            });
            assert_eq!(text, "at the bad place");
            assert_eq!(alive.load(Ordering::SeqCst), 0, "{len} items, of which {bad} panics");
        }
        assert_usable(&pool);
    }
}

#[test]
fn a_panic_in_the_middle_of_a_vector_drops_every_item_once() {
    nothing_is_lost(|items, most, check| {
        items.into_par_iter().filch().with_max_len(most).for_each(|(i, _item)| check(i));
    });
}

#[test]
fn a_panic_while_collecting_drops_what_was_collected() {
    nothing_is_lost(|items, most, check| {
        let check = |(i, item)| {
            check(i);
            item
        };
        drop(items.into_par_iter().filch().with_max_len(most).map(check).collect::<Vec<_>>());
    });
    nothing_is_lost(|items, most, check| {
        let check = |(i, item)| {
            check(i);
            Some(item)
        };
        drop(items.into_par_iter().filch().with_max_len(most).filter_map(check).collect::<Vec<_>>());
    });
}

#[test]
fn a_panic_in_a_reducer_drops_both_results() {
    nothing_is_lost(|items, most, check| {
        let merge = |(i, a), (j, b)| {
            check(i);
            check(j);
            drop(b);
            (i, a)
        };
        // An item of its own to each, so that the bad one is merged even if it is alone.
        let last = items.into_par_iter().filch().with_max_len(most).reduce_with(merge);
        last.iter().for_each(|(i, _)| check(*i));
    });
}

#[test]
fn a_panic_that_was_caught_leaves_the_next_loops_right() {
    let pool = eager_pool(2);
    let sum = |bad: usize| {
        let add = |x: usize| {
            assert_ne!(x, bad);
            x
        };
        pool.run(|_| (0..100_usize).into_par_iter().filch().map(add).sum::<usize>())
    };
    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
        common::tell_panics_briefly();
        assert!(catch_unwind(AssertUnwindSafe(|| sum(50))).is_err());
        assert_eq!(sum(100), 4950);
    }
}

#[test]
fn the_panic_of_the_first_half_is_passed_on() {
    let pool = eager_pool(3);
    let items: Vec<usize> = (0..if cfg!(miri) { 8 } else { 500 }).collect();
    for _ in 0..if cfg!(miri) { 1 } else { 20 } {
        let text = panic_text(|| {
            pool.run(|_| items.par_iter().filch().with_max_len(1).for_each(|i| panic!("{i}")));
        });
        assert_eq!(text, "0");
    }
}

#[cfg(not(miri))]
#[test]
fn nothing_is_lost_under_any_scheduler() {
    common::run_under_other_schedulers();
}
