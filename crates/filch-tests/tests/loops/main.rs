//! Loops over indexed sequences: each item is run once and results are combined in order, on any number of workers.
#![allow(missing_docs)]

mod affine;
#[path = "../common/mod.rs"]
mod common;
mod ends;
mod fixed;
#[cfg(panic = "unwind")]
mod own;
#[cfg(panic = "unwind")]
mod panics;
mod places;
mod ranges;
mod results;
mod slices;
#[cfg(panic = "unwind")]
mod unwinding;

use filch::{Indexed, Pool};

/// The items of `a`, then those of `b`.
fn append<T>(mut a: Vec<T>, mut b: Vec<T>) -> Vec<T> {
    a.append(&mut b);
    a
}

/// The items in the order in which their results are combined.
fn items<I: Indexed + Send>(pool: &Pool, of: I) -> Vec<I::Item>
where
    I::Item: Send,
{
    pool.run(|mut s| s.map_reduce(of, Vec::new, |_, item| vec![item], append))
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
