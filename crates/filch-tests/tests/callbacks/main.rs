//! Every callback in every construct: whatever code of a user the engine calls may use whatever the crate offers.
//!
//! A *row* runs one construct, with a use plugged in where the construct calls one kind of user code. A *use* is a
//! column: a join, a search, a run in a new pool, a panic. A cell is a row with a use, on one pool. What a row computes
//! is known, values and drops are counted, and a cell that hangs is named. [`exceptions`] lists the cells that the
//! documentation forbids.
//!
//! By default each cell runs once under each scheduler. A longer run, such as this one, runs it on each number of
//! workers, with 200 seeds of chaos:
//!
//! ```text
//! FILCH_CALLBACKS_ROUNDS=200 cargo test --release -p filch-tests --test callbacks
//! FILCH_CALLBACKS_ONLY='search, clone x join' FILCH_CALLBACKS_ROUNDS=1000 cargo test -p filch-tests --test callbacks
//! ```
#![allow(missing_docs)]
#![cfg(panic = "unwind")]

#[path = "../common/mod.rs"]
mod common;
mod exceptions;
mod matrix;
mod row;
mod rows;
mod site;
mod uses;

#[test]
fn every_callback_may_use_every_construct_on_one_pool() {
    matrix::here();
}

#[cfg(not(miri))]
#[test]
fn every_callback_may_use_every_construct_under_other_schedulers() {
    matrix::under_other_schedulers();
}

#[test]
fn names_of_rows_and_uses_are_unique() {
    let mut names: Vec<_> = rows::all().map(|row| row.name).chain(uses::ALL.iter().map(|it| it.name)).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
