//! Range loops.

mod common;

use common::{eager_pool, panic_text};
use filch::{CancelToken, Pool};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

#[test]
fn every_item_is_run_once_and_results_are_combined_in_order() {
    for workers in [1, 2, 4, 8] {
        let pool = eager_pool(workers);
        for len in [0_usize, 1, 2, 3, 7, 64, 65, 1000, 5000] {
            let seen: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(0)).collect();
            let order = pool.run(|mut s| {
                s.map_reduce(
                    0..len,
                    Vec::new,
                    |_, i| {
                        seen[i].fetch_add(1, Ordering::Relaxed);
                        vec![i]
                    },
                    |mut a, b| {
                        a.extend(b);
                        a
                    },
                )
            });
            assert_eq!(order, (0..len).collect::<Vec<_>>());
            assert!(seen.iter().all(|seen| seen.load(Ordering::Relaxed) == 1));
        }
    }
}

#[test]
fn loops_nest_five_deep_and_with_joins() {
    let pool = eager_pool(4);
    let total = pool.run(|mut s| {
        s.map_reduce(
            0..6_u64,
            || 0,
            |mut s, a| {
                s.map_reduce(
                    0..6_u64,
                    || 0,
                    |mut s, b| {
                        let (x, y) = s.join(
                            |mut s| {
                                s.map_reduce(
                                    0..6_u64,
                                    || 0,
                                    |mut s, c| {
                                        s.map_reduce(
                                            0..6_u64,
                                            || 0,
                                            |mut s, d| {
                                                s.map_reduce(0..6_u64, || 0, |_, e| a + b + c + d + e, |x, y| x + y)
                                            },
                                            |x, y| x + y,
                                        )
                                    },
                                    |x, y| x + y,
                                )
                            },
                            |mut s| s.map_reduce(0..100_u64, || 0, |_, c| c, |x, y| x + y),
                        );
                        x + y
                    },
                    |x, y| x + y,
                )
            },
            |x, y| x + y,
        )
    });
    assert_eq!(total, 5 * 15 * 6_u64.pow(4) + 36 * 4950);
}

#[test]
fn a_loop_that_is_stopped_begins_no_further_iteration() {
    let pool = Pool::builder().workers(1).build().expect("a small pool");
    // Wherever in a block it is.
    for at in [0_u64, 1, 5, 257, 1025] {
        let run = AtomicU64::new(0);
        let count = || run.fetch_add(1, Ordering::Relaxed);
        let token = CancelToken::new();
        let until = pool.run(|mut s| {
            s.for_each_until(&token, 0..5000_u64, |_, i| {
                count();
                if i == at {
                    token.cancel();
                }
            })
        });
        assert!(until.is_err());
        assert_eq!(run.swap(0, Ordering::Relaxed), at + 1);
        let failed = pool.run(|mut s| {
            s.try_for_each(0..5000_u64, |_, i| {
                count();
                if i == at { Err(i) } else { Ok(()) }
            })
        });
        assert_eq!((failed, run.swap(0, Ordering::Relaxed)), (Err(at), at + 1));
        let found = pool.run(|mut s| {
            s.find_any(0..5000_u64, |_, &i| {
                count();
                i == at
            })
        });
        assert_eq!((found, run.into_inner()), (Some(at), at + 1));
    }
}

#[test]
fn a_range_that_has_been_iterated_to_its_end_is_empty() {
    let mut range = 3..=5_u64;
    range.by_ref().for_each(drop);
    let run = AtomicU64::new(0);
    let count = |_: filch::Strand<'_>, _: u64| {
        run.fetch_add(1, Ordering::Relaxed);
    };
    eager_pool(1).run(|mut s| s.for_each(range, count));
    assert_eq!(run.into_inner(), 0);
}

#[test]
fn numbers_beside_items_suffice_for_all_of_them_or_none_is_run() {
    let pool = eager_pool(2);
    let items = [(); 257];
    let numbers =
        pool.run(|mut s| s.map_reduce((0_u8.., &items[..256]), || 0, |_, (i, ())| u32::from(i), |a, b| a + b));
    assert_eq!(numbers, 255 * 256 / 2);
    let run = AtomicU64::new(0);
    let message = panic_text(|| {
        pool.run(|mut s| {
            s.for_each(((-128_i8.., &items), 0..1000), |_, _| {
                run.fetch_add(1, Ordering::Relaxed);
            })
        });
    });
    assert!(message.contains("too few numbers for 257 items"), "{message}");
    assert_eq!(run.into_inner(), 0);
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_every_scheduler() {
    common::run_under_every_scheduler();
}
