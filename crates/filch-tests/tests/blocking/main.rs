//! Blocking sections: while a worker blocks, another thread works on its seat.
#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod futures;
mod sections;
mod urgent;

use common::{assert_usable, eager_pool, must_end, scheduler, takes};
use filch::{Pool, PoolBuilder, block_on, blocking};
use std::cell::Cell;
use std::collections::HashSet;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;

const MANY: usize = if cfg!(miri) { 3 } else { 40 };

const ROUNDS: usize = if cfg!(miri) { 1 } else { 200 };

/// Pools that have threads, of one worker and of several.
fn pools() -> impl Iterator<Item = Pool> {
    (1..=if cfg!(miri) { 2 } else { 3 }).map(|workers| build(builder(workers)))
}

fn builder(workers: usize) -> PoolBuilder {
    Pool::builder().workers(workers).own_threads(true).scheduler(scheduler())
}

fn build(builder: PoolBuilder) -> Pool {
    builder.build().expect("a small pool")
}

/// Whether each worker is a thread.
fn has_threads() -> bool {
    !["chaos", "serial"].iter().any(|name| scheduler().to_string().starts_with(name))
}

/// What one thread waits for, and another one says.
#[derive(Default)]
struct Signal(Mutex<bool>, Condvar);

impl Signal {
    fn give(&self) {
        *self.0.lock().expect("no panic") = true;
        self.1.notify_all();
    }

    fn wait(&self) {
        let given = self.0.lock().expect("no panic");
        drop(self.1.wait_while(given, |given| !*given).expect("no panic"));
    }
}

thread_local! {
    static AT_END: Cell<Option<AtEnd>> = const { Cell::new(None) };
}

/// Counts the threads that have ended.
struct AtEnd(Arc<AtomicUsize>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
