//! Shared by the integration tests.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its own part")]

use filch::{Pool, Scheduler};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A pool that takes as often as it can.
pub fn eager_pool(workers: usize) -> Pool {
    let scheduler = Scheduler::cilk5().with_period(Duration::ZERO);
    Pool::builder().workers(workers).scheduler(scheduler).build().expect("a small pool")
}

/// Counts its instances, so that a leak or a double drop shows.
pub struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    pub fn new(alive: &'a AtomicUsize) -> Self {
        alive.fetch_add(1, Ordering::SeqCst);
        Counted(alive)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let before = self.0.fetch_sub(1, Ordering::SeqCst);
        assert!(before > 0, "dropped twice");
    }
}

/// The text that `f` panics with.
pub fn panic_text<R>(f: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("expected a panic"),
        Err(payload) => payload
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a payload that is no text".to_owned()),
    }
}

/// The pool still shares work and gives right answers.
pub fn assert_usable(pool: &Pool) {
    fn sum(mut s: filch::Strand<'_>, range: std::ops::Range<u64>) -> u64 {
        match range.end - range.start {
            0 => 0,
            1 => range.start,
            n => {
                let middle = range.start + n / 2;
                let (a, b) = s.join(|s| sum(s, range.start..middle), |s| sum(s, middle..range.end));
                a + b
            }
        }
    }
    let n = if cfg!(miri) { 20 } else { 1000 };
    assert_eq!(pool.run(|s| sum(s, 0..n)), n * (n - 1) / 2);
}

/// Waits until `flag`, which only grows, has reached `value`, letting others run.
pub fn await_value(flag: &AtomicUsize, value: usize) {
    while flag.load(Ordering::SeqCst) < value {
        std::thread::yield_now();
    }
}
