//! Scopes: every task runs once, on any worker, before the scope is over.
#![allow(missing_docs)]

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod panics;
mod tasks;
mod waiting;

use filch::Scope;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tasks in a test that needs many.
const MANY: usize = if cfg!(miri) { 10 } else { 20_000 };

fn add(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Workers of the pools that tests go through: one alone, some, more than there are cores.
const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 9] };

/// Spawns a tree of tasks into one scope.
fn grow<'scope>(scope: &'scope Scope<'scope, '_>, depth: usize, done: &'scope AtomicUsize) {
    add(done);
    if depth > 0 {
        for _ in 0..2 {
            scope.spawn(move |_| grow(scope, depth - 1, done));
        }
    }
}

#[cfg(not(miri))]
#[test]
fn scopes_keep_their_promises_under_other_schedulers() {
    common::run_under_other_schedulers();
}
