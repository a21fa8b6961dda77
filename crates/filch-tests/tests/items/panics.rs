//! Panics: the first in the order of the items arrives, nothing leaks.

use crate::common::{Counted, again_where_work_is_taken, assert_usable, await_value, eager_pool, fib, panic_text};
use crate::{MANY, WORKERS};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_first_panic_in_the_order_of_the_items_is_passed_on() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each_item(0.., |s, i| {
                    fib(s, 3);
                    assert!(i < MANY, "item {i}");
                });
            });
        });
        assert_eq!(text, format!("item {MANY}"), "items are made in order, so the first to panic has this number");
        assert_usable(&pool);
    }
}

#[test]
fn a_panic_while_later_items_run_waits_for_them_and_wins() {
    again_where_work_is_taken(3, |pool| {
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let text = panic_text(|| {
            pool.run(|mut s| {
                s.for_each_item(0..3, |_, i| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    await_value(&begun, 3);
                    if i > 0 {
                        await_value(&ended, i - 1);
                    }
                    ended.fetch_add(1, Ordering::SeqCst);
                    panic!("item {i}");
                });
            });
        });
        assert_eq!((text.as_str(), ended.into_inner()), ("item 0", 3));
    });
}

#[test]
fn panics_of_items_and_iterators_in_being_dropped_are_passed_on_or_lost() {
    struct Bad(&'static str);
    impl Drop for Bad {
        fn drop(&mut self) {
            if !self.0.is_empty() {
                panic!("{}", self.0);
            }
        }
    }
    struct Items(usize, #[allow(dead_code)] Bad);
    impl Iterator for Items {
        type Item = Bad;
        fn next(&mut self) -> Option<Bad> {
            self.0 += 1;
            (self.0 <= MANY).then(|| Bad(if self.0 == MANY / 2 { "item" } else { "" }))
        }
    }
    let pool = eager_pool(3);
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(0, Bad("")), |_, _| ())));
    assert_eq!(text, "item");
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(0, Bad("iterator")), |_, _| ())));
    assert_eq!(text, "item", "the iterator's panic came second");
    let text = panic_text(|| pool.run(|mut s| s.for_each_item(Items(MANY, Bad("iterator")), |_, _| ())));
    assert_eq!(text, "iterator");
    // An error is lost to the panic of what is dropped after it.
    let text = panic_text(|| {
        pool.run(|mut s| s.try_for_each_item(Items(MANY / 2, Bad("iterator")), |_, _| Err::<(), _>(Bad(""))))
    });
    assert_eq!(text, "iterator");
    assert_usable(&pool);
}

#[test]
fn what_the_others_leave_when_one_panics_is_dropped() {
    let pool = eager_pool(4);
    for round in 0..if cfg!(miri) { 2 } else { 100 } {
        let alive = AtomicUsize::new(0);
        let text = panic_text(|| {
            pool.run(|mut s| {
                let items = (0..MANY).map(|i| (i, Counted::new(&alive)));
                s.try_for_each_item(items, |s, (i, item)| {
                    fib(s, i as u64 % 6);
                    match i {
                        _ if i == round + 5 => panic!("wanted"),
                        _ if i > round + 5 => Err(item),
                        _ => Ok(()),
                    }
                })
                .map_err(|_| ())
            })
        });
        assert_eq!(text, "wanted");
        assert_eq!(alive.into_inner(), 0);
    }
    assert_usable(&pool);
}

#[test]
fn a_loop_in_a_destructor_of_an_unwinding_branch_runs_to_its_end() {
    struct Loops<'a>(&'a AtomicUsize);
    impl Drop for Loops<'_> {
        fn drop(&mut self) {
            filch::for_each_item(0..MANY, |mut s, _| {
                s.join(|_| (), |_| ());
                self.0.fetch_add(1, Ordering::Relaxed);
            });
        }
    }
    let pool = eager_pool(3);
    let run = AtomicUsize::new(0);
    let text = panic_text(|| {
        pool.run(|mut s| {
            s.join(
                |_| {
                    let _loops = Loops(&run);
                    panic!("on the way")
                },
                |_| (),
            )
        });
    });
    assert_eq!((text.as_str(), run.into_inner()), ("on the way", MANY));
    assert_usable(&pool);
}
