//! Joins: both branches run once, whatever else the thread has under way, and whatever the scheduler.
#![allow(missing_docs)]

mod accumulators;
mod affine;
#[path = "../common/mod.rs"]
mod common;
mod depth;
#[cfg(panic = "unwind")]
mod panics;
mod places;
mod waiting;

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
