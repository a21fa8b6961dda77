//! Every item is made and run once; the iterator makes one at a time.

use crate::common::{await_value, eager_pool, fib, takes};
use crate::{FEW, MANY, WORKERS, until_it_moves};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread;

#[test]
fn every_item_is_run_once() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for len in [0, 1, 2, 3, 7, 100, MANY].into_iter().filter(|&len| len <= MANY) {
            let seen: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(0)).collect();
            pool.run(|mut s| {
                s.for_each_item(0..len, |_, i| {
                    seen[i].fetch_add(1, Ordering::Relaxed);
                });
            });
            assert!(seen.iter().all(|seen| seen.load(Ordering::Relaxed) == 1), "{len} items on {workers} workers");
        }
    }
}

#[test]
fn items_that_fork_are_run_once_and_in_full() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        let total = AtomicUsize::new(0);
        pool.run(|mut s| {
            s.for_each_item((0..FEW).map(|i| i as u64 % 12), |s, n| {
                total.fetch_add(fib(s, n) as usize, Ordering::Relaxed);
            });
        });
        let expected: usize = (0..FEW).map(|i| [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89][i % 12]).sum();
        assert_eq!(total.into_inner(), expected);
    }
}

#[test]
fn the_iterator_is_asked_for_its_items_one_after_the_other_and_not_again_after_its_end() {
    struct Strict<'a> {
        next: usize,
        is_in_use: &'a AtomicBool,
        is_at_end: bool,
    }
    impl Iterator for Strict<'_> {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            assert!(!self.is_in_use.swap(true, Ordering::SeqCst), "two at a time");
            assert!(!self.is_at_end, "asked after its end");
            self.next += 1;
            self.is_at_end = self.next > MANY;
            self.is_in_use.store(false, Ordering::SeqCst);
            (!self.is_at_end).then_some(self.next)
        }
    }
    let pool = eager_pool(if cfg!(miri) { 2 } else { 4 });
    until_it_moves(&pool, || {
        let (is_in_use, sum) = (AtomicBool::new(false), AtomicUsize::new(0));
        let items = Strict { next: 0, is_in_use: &is_in_use, is_at_end: false };
        pool.run(|mut s| {
            s.for_each_item(items, |_, i| {
                sum.fetch_add(i, Ordering::Relaxed);
            });
        });
        assert_eq!(sum.into_inner(), MANY * (MANY + 1) / 2);
    });
}

#[test]
fn items_stay_on_the_thread_that_they_were_made_on() {
    let pool = eager_pool(if cfg!(miri) { 2 } else { 4 });
    until_it_moves(&pool, || {
        let sum = AtomicUsize::new(0);
        // Not `Send`, though the iterator is.
        let items = (0..MANY).map(|i| (Rc::new(Cell::new(i)), thread::current().id()));
        pool.run(|mut s| {
            s.for_each_item(items, |mut s, (item, made_on)| {
                s.join(|_| (), |_| ());
                assert_eq!(thread::current().id(), made_on);
                sum.fetch_add(Rc::clone(&item).replace(0), Ordering::Relaxed);
            });
        });
        assert_eq!(sum.into_inner(), MANY * (MANY - 1) / 2);
    });
}

#[test]
fn an_iterator_may_borrow_what_its_items_change() {
    let pool = eager_pool(3);
    let mut numbers: Vec<usize> = (0..MANY).collect();
    let names: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    pool.run(|mut s| {
        s.for_each_item(numbers.iter_mut().zip(&names), |_, (number, name)| *number += name.parse::<usize>().unwrap());
    });
    assert!(numbers.iter().enumerate().all(|(i, &number)| number == 2 * i));
}

#[test]
fn loops_nest_in_bodies_and_in_iterators() {
    let pool = eager_pool(4);
    let n = if cfg!(miri) { 2 } else { 12 };
    let total = AtomicUsize::new(0);
    // The worker that asks for an item runs a loop and a join to make it.
    let items = |n: usize| {
        (0..n).map(|i| {
            let sum = AtomicUsize::new(0);
            filch::for_each_item(0..=i, |_, j| {
                sum.fetch_add(j, Ordering::Relaxed);
            });
            filch::join(|| sum.load(Ordering::Relaxed), || ()).0
        })
    };
    pool.run(|mut s| {
        s.for_each_item(items(n), |mut s, a| {
            s.for_each_item(items(n), |mut s, b| {
                s.for_each(0..n, |mut s, c| {
                    s.for_each_item(Some(a + b + c), |_, sum| {
                        total.fetch_add(sum, Ordering::Relaxed);
                    });
                });
            });
        });
    });
    let triangles: usize = (0..n).map(|i| i * (i + 1) / 2).sum();
    assert_eq!(total.into_inner(), 2 * n * n * triangles + n * n * n * (n - 1) / 2);
}

#[test]
fn a_body_may_wait_for_the_next_items_if_there_are_workers_for_them() {
    if !takes() {
        return;
    }
    let pool = eager_pool(3);
    let begun = AtomicUsize::new(0);
    pool.run(|mut s| {
        s.for_each_item(0..3, |_, _| {
            begun.fetch_add(1, Ordering::SeqCst);
            await_value(&begun, 3);
        });
    });
    assert_eq!(begun.into_inner(), 3);
}

#[test]
fn an_iterator_may_wait_for_the_body_of_an_earlier_item() {
    if !takes() {
        return;
    }
    let pool = eager_pool(2);
    let (asked, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let items = (0..3).inspect(|&i| {
        if i == 1 {
            asked.fetch_add(1, Ordering::SeqCst);
            await_value(&done, 1);
        }
    });
    pool.run(|mut s| {
        s.for_each_item(items, |_, i| {
            if i == 0 {
                await_value(&asked, 1);
            }
            done.fetch_add(1, Ordering::SeqCst);
        });
    });
    assert_eq!(done.into_inner(), 3);
}
