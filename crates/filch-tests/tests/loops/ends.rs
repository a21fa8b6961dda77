//! Loops that are stopped: what was found is right, nothing is begun afterwards, and length is no obstacle.

use crate::common::{Counted, assert_usable, await_value, eager_pool, takes};
use filch::{CancelToken, Cancelled, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};

const LEN: usize = if cfg!(miri) { 12 } else { 2000 };
const ROUNDS: usize = if cfg!(miri) { 1 } else { 50 };

#[test]
fn what_is_found_is_wanted_and_nothing_is_found_where_nothing_is_wanted() {
    for &workers in if cfg!(miri) { &[1, 3][..] } else { &[1, 2, 4] } {
        let pool = eager_pool(workers);
        for wanted in [0, 1, LEN / 2, LEN - 1] {
            assert_eq!(pool.run(|mut s| s.find_any(0..LEN, |_, &i| i == wanted)), Some(wanted));
            let found = pool.run(|mut s| s.find_any(0..LEN, |_, &i| i >= wanted));
            assert!(found.is_some_and(|found| found >= wanted));
        }
        let looked_at = AtomicUsize::new(0);
        let look = |i: &usize| looked_at.fetch_add(1, Ordering::Relaxed) > LEN || *i > LEN;
        assert_eq!(pool.run(|mut s| s.find_any(0..LEN, |_, i| look(i))), None);
        assert_eq!(looked_at.into_inner(), LEN, "all have been looked at, once");
        assert_eq!(pool.run(|mut s| s.find_any(0..0, |_, _| true)), None);
    }
}

#[test]
fn what_is_found_in_a_mutable_slice_is_the_callers_to_change() {
    let pool = eager_pool(3);
    let mut xs: Vec<usize> = (0..LEN).collect();
    let found = pool.run(|mut s| s.find_any(&mut xs, |_, x| **x == LEN - 3)).expect("it is there");
    *found = 0;
    assert_eq!(xs.iter().filter(|&&x| x == 0).count(), 2);
}

/// Some bodies fail; those of them that the loop does not reach do not count.
#[test]
fn of_several_errors_the_one_with_the_lowest_index_is_returned_and_all_are_dropped() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        for round in 0..ROUNDS {
            let (lowest, alive) = (AtomicUsize::new(usize::MAX), AtomicUsize::new(0));
            let result = pool.run(|mut s| {
                s.try_for_each(0..LEN, |_, i| {
                    if (i * 7919 + round) % LEN < 3 {
                        lowest.fetch_min(i, Ordering::SeqCst);
                        return Err((i, Counted::new(&alive)));
                    }
                    Ok(())
                })
            });
            let error = result.expect_err("three of them fail");
            assert_eq!((error.0, alive.load(Ordering::SeqCst)), (lowest.into_inner(), 1));
            drop(error);
            assert_eq!(pool.run(|mut s| s.try_for_each(0..LEN, |_, i| if i < LEN { Ok(()) } else { Err(i) })), Ok(()));
        }
    }
}

#[test]
fn a_token_stops_all_its_loops_and_no_other() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for _ in 0..ROUNDS {
            let (token, other, run) = (CancelToken::new(), CancelToken::new(), AtomicUsize::new(0));
            let body = |_| {
                if run.fetch_add(1, Ordering::SeqCst) == LEN {
                    token.clone().cancel();
                }
            };
            let (a, b) = pool.run(|mut s| {
                s.join(
                    |mut s| s.for_each_until(&token, 0..u64::MAX, |_, i| body(i)),
                    |mut s| s.for_each_until(&token, 0..u64::MAX, |_, i| body(i)),
                )
            });
            assert_eq!((a, b), (Err(Cancelled), Err(Cancelled)));
            assert_eq!(pool.run(|mut s| s.for_each_until(&other, 0..10, |_, _| ())), Ok(()));
            let late = pool.run(|mut s| s.for_each_until(&token, 0..10, |_, _| panic!("it was cancelled before")));
            assert_eq!(late, Err(Cancelled));
        }
        assert_usable(&pool);
    }
}

/// Wherever in its block the iteration is that cancels: blocks are long while no other worker wants work.
#[test]
fn a_loop_that_is_cancelled_begins_no_further_iteration() {
    let pool = Pool::builder().workers(1).build().expect("a small pool");
    for last in [0_usize, 1, 5, 257, 1025] {
        let (token, run) = (CancelToken::new(), AtomicUsize::new(0));
        let result = pool.run(|mut s| {
            s.for_each_until(&token, 0..10_000_usize, |_, i| {
                run.fetch_add(1, Ordering::Relaxed);
                if i == last {
                    token.cancel();
                }
            })
        });
        assert_eq!((result, run.into_inner()), (Err(Cancelled), last + 1));
    }
}

/// The token is cancelled by a thread outside while bodies run.
#[test]
fn a_thread_outside_stops_a_loop_of_more_items_than_can_be_counted() {
    let pool = eager_pool(3);
    let (token, run) = (CancelToken::new(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            await_value(&run, 100);
            token.cancel();
        });
        let result = pool.run(|mut s| {
            s.for_each_until(&token, (0..usize::MAX, 0_u64..), |_, (i, j)| {
                assert_eq!(i as u64, j);
                run.fetch_add(1, Ordering::SeqCst);
            })
        });
        assert_eq!(result, Err(Cancelled));
    });
}

/// What is wanted is in the half that moves first; the owner's half alone would take for ever.
#[test]
fn what_is_wanted_in_the_upper_half_of_all_integers_is_found_once_that_half_has_moved() {
    if !takes() {
        return;
    }
    let pool = eager_pool(3);
    for _ in 0..ROUNDS {
        let upper = AtomicUsize::new(0);
        let found = pool.run(|mut s| {
            s.find_any(0..usize::MAX, |_, &i| {
                if i >= usize::MAX / 2 {
                    upper.store(1, Ordering::SeqCst);
                    return true;
                }
                if i == 0 {
                    await_value(&upper, 1);
                }
                false
            })
        });
        assert!(found.is_some_and(|i| i >= usize::MAX / 2));
    }
}

/// Each item of a search is a search; a hit in an inner one ends both.
#[test]
fn a_search_inside_a_search_ends_both() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let (rows, columns) = (LEN / 10, LEN);
        for wanted in [(0, 0), (rows / 2, columns - 1), (rows - 1, 1)] {
            let found = pool.run(|mut s| {
                s.find_any(0..rows, |mut s, &row| {
                    s.find_any(0..columns, |_, &column| (row, column) == wanted).is_some()
                })
            });
            assert_eq!(found, Some(wanted.0));
        }
    }
}
