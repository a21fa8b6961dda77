//! Joins whose branches share an accumulator.

use crate::common::{assert_usable, await_value, eager_pool, panic_text, scheduler};
use filch::{Pool, Scheduler, Strand};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Appends a range, halved down to single numbers. Counts the accumulators that are made.
fn collect(mut s: Strand<'_>, range: std::ops::Range<u32>, found: &mut Vec<u32>, made: &AtomicUsize) {
    if range.len() < 2 {
        found.extend(range);
        return;
    }
    let middle = range.start + range.len() as u32 / 2;
    let (low, high) = (range.start..middle, middle..range.end);
    s.join_with(
        found,
        || {
            made.fetch_add(1, Ordering::SeqCst);
            Vec::new()
        },
        |s, found| collect(s, low, found, made),
        |s, found| collect(s, high, found, made),
        |found, later| found.extend(later),
    );
}

#[test]
fn what_is_accumulated_is_in_serial_order_and_there_is_one_accumulator_for_each_branch_that_moves() {
    let n = if cfg!(miri) { 20 } else { 5_000 };
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            let (mut found, made) = (vec![], AtomicUsize::new(0));
            let before = crate::common::tasks(&pool);
            pool.run(|s| collect(s, 0..n, &mut found, &made));
            assert!(found.iter().copied().eq(0..n));
            let moved = crate::common::tasks(&pool) - before;
            assert!(made.load(Ordering::SeqCst) as u64 <= moved, "{made:?} made, {moved} moved");
            if workers == 1 && !scheduler().to_string().starts_with("chaos") {
                assert_eq!(made.into_inner(), 0, "nothing can move");
            }
        }
    }
}

#[test]
fn branches_get_the_accumulator_of_the_join_unless_they_move() {
    let pool = eager_pool(2);
    let mut accumulator = 0_u64;
    let here = &raw const accumulator as usize;
    let (first, second) = pool.run(|mut s| {
        s.join_with(
            &mut accumulator,
            || 0,
            |_, own| std::mem::replace(own, 7),
            |_, own| (*own, std::ptr::from_ref(own).addr()),
            |_, _| (),
        )
    });
    assert_eq!((first, accumulator), (0, 7));
    assert!(second == (7, here) || second.0 == 0 && second.1 != here);
}

/// Yasugi et al. (2012), section 7.2: the rest of a series of operations on storage of one worker may be run by another
/// one, which has other storage.
#[test]
fn storage_of_the_worker_lacks_what_a_branch_that_moves_adds_and_an_accumulator_does_not() {
    thread_local!(static LIST: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) });
    let pool = Pool::builder().workers(2).scheduler(Scheduler::cilk5()).build().expect("two workers");
    let (moved, mut accumulated) = (AtomicUsize::new(0), vec![]);
    let add = |list: &mut Vec<u32>, number| {
        LIST.with_borrow_mut(|list| list.push(number));
        list.push(number);
    };
    let of_worker = pool.run(|mut s| {
        let before = LIST.with_borrow(Vec::len);
        s.join_with(
            &mut accumulated,
            Vec::new,
            |_, list| {
                await_value(&moved, 1);
                add(list, 1);
            },
            |_, list| {
                moved.store(1, Ordering::SeqCst);
                add(list, 2);
            },
            |list, later| list.extend(later),
        );
        LIST.with_borrow_mut(|list| list.split_off(before))
    });
    assert_eq!((of_worker, accumulated), (vec![1], vec![1, 2]));
}

#[cfg(panic = "unwind")]
#[test]
fn a_panic_leaves_what_was_accumulated_before_it() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for place in 0..3 {
            let mut found = vec![0];
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.join_with(
                        &mut found,
                        Vec::new,
                        |_, found| {
                            found.push(1);
                            assert!(place != 0, "expected");
                        },
                        |_, found| {
                            found.push(2);
                            assert!(place != 1, "expected");
                        },
                        |found, later| {
                            assert!(place != 2, "expected");
                            found.extend(later);
                        },
                    );
                    // Whether there is something to merge is nondeterministic.
                    assert!(place != 2, "expected");
                });
            });
            assert_eq!(text, "expected");
            assert_eq!(found[..2], [0, 1]);
            assert_usable(&pool);
        }
    }
}

#[test]
fn the_free_form_does_the_same() {
    fn collect(depth: u32, found: &mut Vec<u32>) {
        if depth == 0 {
            found.push(0);
            return;
        }
        filch::join_with(
            found,
            Vec::new,
            |found| collect(depth - 1, found),
            |found| {
                found.push(depth);
                collect(depth - 1, found);
            },
            |found, later| found.extend(later),
        );
    }
    fn expected(depth: u32) -> Vec<u32> {
        if depth == 0 { vec![0] } else { [expected(depth - 1), vec![depth], expected(depth - 1)].concat() }
    }
    let depth = if cfg!(miri) { 3 } else { 10 };
    let mut found = vec![];
    collect(depth, &mut found);
    assert_eq!(found, expected(depth));
}
