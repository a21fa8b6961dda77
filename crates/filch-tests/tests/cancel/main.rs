//! Runs inside of tokens: everything in them ends, wherever it is, and nothing else does.

#[path = "../common/mod.rs"]
mod common;

mod deadlines;
mod ends;
mod nests;
mod stays;
mod unwinds;

#[cfg(not(miri))]
#[test]
fn the_same_under_other_schedulers() {
    common::run_under_other_schedulers();
}
