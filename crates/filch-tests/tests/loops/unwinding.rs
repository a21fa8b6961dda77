//! Panics on their way out of a loop: which of several arrives, and what each of them passes.

use crate::common::{self, Counted, assert_usable, await_value, eager_pool, panic_text, takes};
use filch::{Pool, Strand};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

const LEN: usize = if cfg!(miri) { 12 } else { 1000 };

/// Some iterations panic; those of them that the loop does not reach do not count.
#[test]
fn of_several_panics_that_with_the_lowest_index_wins() {
    for workers in [1, 2, 4] {
        let pool = eager_pool(workers);
        for round in 0..if cfg!(miri) { 2 } else { 200 } {
            let lowest = AtomicUsize::new(usize::MAX);
            let text = panic_text(|| {
                pool.run(|mut s| {
                    s.for_each(0..LEN, |_, i| {
                        if (i * 7919 + round) % LEN < 3 {
                            lowest.fetch_min(i, Ordering::SeqCst);
                            panic!("{i}");
                        }
                        std::hint::spin_loop();
                    });
                });
            });
            assert_eq!(text, lowest.load(Ordering::SeqCst).to_string());
        }
        assert_usable(&pool);
    }
}

#[test]
fn of_panics_in_every_iteration_all_but_one_go_to_the_handler() {
    let lost = std::sync::Arc::new(AtomicUsize::new(0));
    let counts = std::sync::Arc::clone(&lost);
    let builder = Pool::builder().workers(3).scheduler(common::scheduler());
    let handler = move |_| {
        counts.fetch_add(1, Ordering::SeqCst);
    };
    let pool = builder.panic_handler(handler).build().expect("a pool");
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        let (begun, before) = (AtomicUsize::new(0), lost.load(Ordering::SeqCst));
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each(0..LEN, |_, i| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    if takes() {
                        await_value(&begun, 2);
                    }
                    panic!("{}", i == 0);
                });
            });
        });
        assert_eq!(text, "true");
        let lost = lost.load(Ordering::SeqCst) - before;
        assert_eq!(
            lost,
            begun.load(Ordering::SeqCst) - 1,
            "each goes to the handler, but for the one that is passed on"
        );
        assert!(lost > 0 || !takes());
    }
}

/// However long it is, and however long its parts are.
#[test]
fn a_panic_ends_a_loop_over_all_integers() {
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let begun = AtomicUsize::new(0);
        let count = |here: usize| {
            // Each iteration of every part lets others split the rest.
            if begun.fetch_add(1, Ordering::SeqCst) > here {
                panic!("enough");
            }
        };
        let many = if cfg!(miri) { 6 } else { 20_000 };
        assert_eq!(panic_text(|| pool.run(|mut s| s.for_each(0..usize::MAX, |_, _| count(many)))), "enough");
        assert_eq!(panic_text(|| pool.run(|mut s| s.for_each(u64::MIN..u64::MAX, |_, _| count(2 * many)))), "enough");
        assert_eq!(panic_text(|| pool.run(|mut s| s.for_each(i64::MIN..i64::MAX, |_, _| count(3 * many)))), "enough");
        assert_eq!(panic_text(|| pool.run(|mut s| s.for_each(1..=u64::MAX, |_, _| count(4 * many)))), "enough");
        // The upper half has moved, or a later split of it: the thief of the former may find that the loop is over.
        const FAR: usize = 1 << 32;
        let highest = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each((0..usize::MAX, 0_u64..), |_, (i, j)| {
                    assert_eq!(i as u64, j);
                    highest.fetch_max(i, Ordering::SeqCst);
                    if i == 0 && workers > 1 && takes() {
                        await_value(&highest, FAR);
                    }
                    count(5 * many);
                });
            });
        });
        assert!(text == "enough" && (highest.into_inner() >= FAR || workers == 1 || !takes()));
        assert_usable(&pool);
    }
}

/// Loops inside loops, in branches of joins.
#[test]
fn a_panic_in_the_innermost_of_loops_and_joins_passes_all_of_them() {
    fn nest(mut s: Strand<'_>, alive: &AtomicUsize, depth: usize, path: usize) -> usize {
        let _held = Counted::new(alive);
        if depth == 0 {
            assert!(path != 0o1201, "innermost");
            return 1;
        }
        let all = |mut s: Strand<'_>, of: Range<usize>| {
            s.map_reduce(of, || 0, |s, i| nest(s, alive, depth - 1, path * 8 + i), |a, b| a + b)
        };
        let (a, b) = s.join(|s| all(s, 0..2), |s| all(s, 2..5));
        a + b
    }
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        for _ in 0..if cfg!(miri) { 1 } else { 50 } {
            let alive = AtomicUsize::new(0);
            assert_eq!(panic_text(|| pool.run(|s| nest(s, &alive, 4, 0))), "innermost");
            assert_eq!(alive.into_inner(), 0);
            assert_usable(&pool);
        }
    }
}

/// A destructor that a panic runs may contain a loop, too.
#[test]
fn a_loop_in_a_destructor_runs_to_its_end_while_a_panic_passes() {
    struct SumsUp<'a>(&'a AtomicUsize);
    impl Drop for SumsUp<'_> {
        fn drop(&mut self) {
            let sum = filch::map_reduce(0..LEN, || 0, |_, i| i, |a, b| a + b);
            self.0.fetch_add(sum, Ordering::SeqCst);
        }
    }
    for workers in [1, 3] {
        let pool = eager_pool(workers);
        let sum = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each(0..LEN, |_, i| {
                    let _sums_up = SumsUp(&sum);
                    assert!(i != LEN / 2, "in the middle");
                });
            });
        });
        assert_eq!(text, "in the middle");
        assert!(sum.into_inner() > 0);
        assert_usable(&pool);
    }
}
