//! Pools: their settings, threads and schedulers, and the seats for threads that enter them.
#![allow(missing_docs)]

mod cab;
mod cab_bounds;
mod callers;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod heartbeat;
mod loans;
mod nested;
mod openmetrics;
mod schedulers;
mod settings;
mod stats;
mod tascell;
mod threads;

use filch::{Pool, Strand};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const ROUNDS: usize = if cfg!(miri) { 2 } else { 200 };

/// Counts the threads that work for a pool. Work is what happens between two calls into the library.
#[derive(Default)]
struct Working {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Working {
    fn work(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        (0..200).for_each(|_| std::hint::spin_loop());
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

/// At most as many threads worked at once as there are seats, plus those that went without one.
fn assert_seats_hold(pool: &Pool, working: &Working) {
    let most = pool.num_workers() as u64 + pool.counters().seats_exceeded;
    assert!(working.most() as u64 <= most, "{} at once in a pool of {}", working.most(), pool.num_workers());
}

fn tree(mut s: Strand<'_>, depth: u32, leaf: &(impl Fn() + Sync)) {
    if depth == 0 {
        leaf();
    } else {
        s.join(|s| tree(s, depth - 1, leaf), |s| tree(s, depth - 1, leaf));
    }
}

/// Runs a tree of joins.
fn tree_on(pool: &Pool) {
    pool.run(|s| tree(s, 6, &|| ()));
}

/// The second branch begins elsewhere before the first returns, which forks meanwhile: some schedulers share at returns
/// only.
fn begun_elsewhere(s: &mut Strand<'_>, b: impl FnOnce(Strand<'_>) + Send) {
    let begun = AtomicUsize::new(0);
    s.join(
        |mut s| poll_until(&mut s, || begun.load(Ordering::SeqCst) == 1),
        |s| {
            begun.store(1, Ordering::SeqCst);
            b(s);
        },
    );
}

/// Forks and returns until `is_over`, so that the worker notices asks and beats.
fn poll_until(s: &mut Strand<'_>, is_over: impl Fn() -> bool) {
    while !is_over() {
        s.join(|_| (), |_| ());
    }
}

/// Runs a loop whose first iteration does `wait`, which must return when something has moved. That is the upper half
/// of the loop.
fn assert_upper_half_moves(pool: &Pool, wait: impl Fn(Strand<'_>, &AtomicBool) + Sync) {
    let caller = std::thread::current().id();
    let has_moved = AtomicBool::new(false);
    pool.run(|mut s| {
        s.for_each(0..8_u64, |s, i| {
            if std::thread::current().id() != caller {
                let is_first = !has_moved.swap(true, Ordering::SeqCst);
                assert!(i >= 4 || !is_first, "the upper half moves first, not {i}");
            } else if i == 0 {
                wait(s, &has_moved);
            }
        });
    });
}
