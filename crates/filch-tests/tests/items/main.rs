//! Spawn loops: loops over iterators.
#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod once;
mod panics;
mod places;
mod reducers;

use filch::Pool;

const MANY: usize = if cfg!(miri) { 12 } else { 3000 };

/// Items of loops whose bodies fork.
const FEW: usize = if cfg!(miri) { 7 } else { 300 };

/// Workers of the pools that tests go through.
const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 4, 8] };

/// Calls `f` until work has moved in a call, or a hundred times.
fn until_it_moves(pool: &Pool, mut f: impl FnMut()) {
    let before = common::tasks(pool);
    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
        f();
        if common::tasks(pool) > before {
            break;
        }
    }
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
