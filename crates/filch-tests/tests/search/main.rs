//! Searches: every node is visited once and results are combined in serial order, on any number of workers.
#![allow(missing_docs)]

mod aborts;
#[path = "../common/mod.rs"]
mod common;
mod copies;
mod ends;
mod exports;
mod nesting;
mod orders;
#[cfg(panic = "unwind")]
mod panics;
mod problems;

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
