//! Streams in order: every item once, in the order of the source, within the capacity.
#![allow(missing_docs)]

mod common;

use common::eager_pool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

const MANY: usize = if cfg!(miri) { 20 } else { 20_000 };

#[test]
fn results_come_in_the_order_of_the_source() {
    for &workers in WORKERS {
        let pool = eager_pool(workers);
        for capacity in [1, 2, 7, 100, 10_000] {
            let doubled = pool.run(|_| filch::map_ordered(0..MANY, capacity, |n| 2 * n).collect::<Vec<_>>());
            assert!(doubled.into_iter().eq((0..MANY).map(|n| 2 * n)), "{workers} workers, capacity {capacity}");
        }
    }
    assert!(filch::map_ordered(0..MANY, 64, |n| n + 1).eq(1..=MANY), "outside of any run");
    assert_eq!(filch::map_ordered(0..0, 1, |n: u8| n).next(), None);
}

#[test]
fn no_more_items_are_held_than_the_capacity() {
    let (pulled, delivered) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    for capacity in [1, 3, 50] {
        let counter = Arc::clone(&pulled);
        let source = (0..).inspect(move |_| _ = counter.fetch_add(1, Ordering::Relaxed));
        for item in filch::map_ordered(source, capacity, |n| n).take(MANY / 4) {
            let held = pulled.load(Ordering::Relaxed) - delivered.fetch_add(1, Ordering::Relaxed);
            assert!(held <= capacity, "{held} of {capacity} at item {item}");
        }
        delivered.store(pulled.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[test]
fn all_results_before_a_panic_are_delivered() {
    let pool = eager_pool(3);
    for bad in [0, 1, MANY / 2] {
        pool.run(|_| {
            let mut stream = filch::map_ordered(0..MANY, 500, move |n| {
                assert_ne!(n, bad, "oh");
                n
            });
            let mut delivered = Vec::new();
            let end = catch_unwind(AssertUnwindSafe(|| delivered.extend(stream.by_ref())));
            assert!(end.is_err());
            assert!(delivered.into_iter().eq(0..bad));
            assert_eq!(stream.next(), None, "it is over");
        });
    }
    assert_eq!(pool.submit(|_| 1).join(), 1, "the pool is usable");
}

#[test]
fn what_is_not_delivered_is_dropped_once() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (drops, made) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let pool = eager_pool(2);
    let source = {
        let (drops, made) = (Arc::clone(&drops), Arc::clone(&made));
        std::iter::repeat_with(move || {
            made.fetch_add(1, Ordering::Relaxed);
            Counted(Arc::clone(&drops))
        })
    };
    pool.run(|_| {
        let mut stream = filch::map_ordered(source, 40, |item| item);
        (0..MANY / 4).for_each(|_| drop(stream.next()));
    });
    drop(pool);
    assert_eq!(drops.load(Ordering::Relaxed), made.load(Ordering::Relaxed));
}

#[test]
fn a_stream_in_a_scope_borrows() {
    let words = ["to", "be", "or", "not"].map(String::from);
    let pool = eager_pool(2);
    let lengths: Vec<usize> =
        pool.run(|mut s| s.scope(|_, scope| scope.map_ordered(&words, 3, |word| word.len()).collect()));
    assert_eq!(lengths, [2, 2, 2, 3]);
}

/// The source has its next item only when the result of the one before has been delivered.
#[test]
fn a_source_that_is_slow_does_not_hold_results_back_for_more_than_one_item() {
    let (sender, receiver) = std::sync::mpsc::channel();
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    let slow = receiver.into_iter().inspect(|_| std::thread::sleep(Duration::from_millis(2)));
    let mut stream = filch::map_ordered(slow, 1000, |n| n);
    for n in 3..10 {
        assert_eq!(stream.next(), Some(n - 2));
        sender.send(n).unwrap();
    }
}

#[cfg(not(miri))]
#[test]
fn streams_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
