//! Workers that take part in a traversal, from its beginning or later.

use crate::common::{self, eager_pool};
use crate::{ALL_BATCHES, assert_sound};
use filch::{Batches, Pool, Traverse};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Two visits wait for each other, so another worker must come, whether they are of this phase or of the next.
#[test]
fn others_take_part() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    for is_next in [false, true] {
        let (began, pool) = (AtomicUsize::new(0), eager_pool(3));
        let done = pool.run(|_| {
            Traverse::new().batches(Batches::UpTo(1)).run(
                [true],
                || (),
                |list, is_root| {
                    if is_root {
                        for _ in 0..2 {
                            if is_next {
                                list.push_next(false);
                            } else {
                                list.push(false);
                            }
                        }
                    } else {
                        began.fetch_add(1, SeqCst);
                        common::await_value(&began, 2);
                    }
                },
            )
        });
        assert!(done.counts.workers >= 2 && done.counts.steals >= 1);
    }
}

/// Also if the traversal begins on another worker than the first, in another lane.
#[test]
fn others_take_part_wherever_it_begins() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..20 {
        let (begun, began) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool.run(|mut s| {
            s.join(
                |_| common::await_value(&begun, 1),
                |_| {
                    begun.store(1, SeqCst);
                    filch::traverse(
                        0..4,
                        || (),
                        |_, _| {
                            began.fetch_add(1, SeqCst);
                            common::await_value(&began, 2);
                        },
                    )
                },
            )
        });
    }
}

/// More than one worker finds what a phase leaves in the lane of a worker that has left.
#[test]
fn others_take_part_in_a_phase_that_begins_without_them() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = Pool::builder().workers(2).scheduler(common::scheduler()).build().expect("a small pool");
    for _ in 0..5 {
        let began = AtomicUsize::new(0);
        pool.run(|_| {
            filch::traverse(
                [0],
                || (),
                |list, item| match item {
                    0 => {
                        // One long item for the other worker, while this one runs dry and leaves.
                        list.push(1);
                        (0..8).for_each(|_| list.push_next(2));
                    }
                    1 => common::busy(std::time::Duration::from_millis(2)),
                    _ => {
                        began.fetch_add(1, SeqCst);
                        common::await_value(&began, 2);
                    }
                },
            )
        });
    }
}

/// Likewise if each of two lanes has one batch only, so that the worker that takes the first leaves an empty lane.
#[test]
fn others_take_part_in_a_phase_that_begins_with_a_batch_in_each_lane() {
    if !common::takes() || cfg!(miri) {
        return;
    }
    let pool = Pool::builder().workers(3).scheduler(common::scheduler()).build().expect("a small pool");
    let (came, left, began) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let leave = || {
        left.fetch_add(1, SeqCst);
        common::await_value(&left, 2);
    };
    let done = pool.run(|_| {
        Traverse::new().batches(Batches::UpTo(1)).run(
            [0],
            || (),
            |list, item| match item {
                0 => {
                    (0..2).for_each(|_| list.push(1));
                    common::await_value(&came, 2);
                    // Both others can come here only once they have left.
                    list.strand().join(|mut s| s.join(|_| common::await_value(&left, 2), |_| leave()), |_| leave());
                    // They came in vain, so they are not called at once.
                    common::busy(std::time::Duration::from_millis(10));
                }
                1 => {
                    list.push_next(2);
                    came.fetch_add(1, SeqCst);
                    common::await_value(&came, 2);
                }
                _ => {
                    began.fetch_add(1, SeqCst);
                    common::await_value(&began, 2);
                }
            },
        )
    });
    assert_eq!((done.counts.items, done.counts.workers), (5, 3));
}

/// Work goes back and forth between few items and many, so that workers leave and come back.
#[test]
#[cfg_attr(miri, ignore = "slow there, and much like others")]
fn nothing_is_lost_when_workers_leave_and_come_back() {
    let rounds = if cfg!(miri) { 2 } else { 30 };
    let width = if cfg!(miri) { 5 } else { 40 };
    let pool = Pool::builder().workers(3).scheduler(common::scheduler()).build().expect("a small pool");
    for batches in ALL_BATCHES {
        let done = pool.run(|_| {
            Traverse::new().batches(batches).run(
                [(0, true)],
                || (),
                |list, (round, leads)| {
                    std::thread::yield_now();
                    if leads && round < rounds {
                        list.push_next((round + 1, true));
                        let wide = if round % 3 == 0 { width } else { 1 };
                        (0..wide).for_each(|_| list.push((round, false)));
                        (0..wide).for_each(|_| list.push_next((round + 1, false)));
                    }
                },
            )
        });
        let wide: usize = (0..rounds).map(|round| if round % 3 == 0 { width } else { 1 }).sum();
        assert_sound(&done, 3, 1 + rounds + 2 * wide);
    }
}
