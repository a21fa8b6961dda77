//! Speculation: inlets run one at a time, and an abort ends what is under way.
#![allow(missing_docs)]

mod aborts;
#[path = "../common/mod.rs"]
mod common;
mod first_of;
mod inlets;
mod nested;
#[cfg(panic = "unwind")]
mod panics;
mod procedures;

/// Children of tests that need many.
const MANY: usize = if cfg!(miri) { 10 } else { 2_000 };

/// Workers of the pools that tests go through.
const WORKERS: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 4] };

/// Whether children run on other threads than that of the body. Under chaos one thread plays all workers, and runs a
/// child inside of the spawn.
fn has_other_threads() -> bool {
    !common::scheduler().to_string().starts_with("chaos")
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
