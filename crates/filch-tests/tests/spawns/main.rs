//! Detached tasks, runs on the threads of a pool, broadcasts, and what else programs of other runtimes expect.
#![allow(missing_docs)]

mod any;
mod bound;
mod broadcasts;
#[path = "../common/mod.rs"]
mod common;
mod detached;
mod on_worker;
mod queued;
mod staffing;
mod yields;

use common::scheduler;
use filch::{Pool, PoolBuilder};

const ROUNDS: usize = if cfg!(miri) { 2 } else { 50 };

fn builder(workers: usize) -> PoolBuilder {
    Pool::builder().workers(workers).scheduler(scheduler())
}

/// A pool that has a thread for each worker, unless its scheduler uses the caller only.
fn own_pool(workers: usize) -> Pool {
    builder(workers).own_threads(true).build().expect("a small pool")
}

/// Whether pools have threads.
fn has_threads() -> bool {
    !scheduler().to_string().starts_with("chaos")
}

#[test]
#[cfg(not(miri))]
fn under_other_schedulers() {
    common::run_under_other_schedulers();
}
