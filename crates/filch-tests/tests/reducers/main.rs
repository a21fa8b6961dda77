//! Reducers: the final value is the serial one, whichever worker ran what. Whatever users' code does, no view is used
//! by two threads at a time, dropped twice or lost.
#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod moves;
#[cfg(panic = "unwind")]
mod panics;
mod reentrance;
mod value;

use common::await_value;
use filch::Strand;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rounds of a test whose course depends on which worker runs what.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 20 };

/// A fork whose second branch has begun on another worker before the first is over, if the scheduler takes.
fn fork_apart<A: Send, B: Send>(
    s: &mut Strand<'_>,
    a: impl FnOnce(Strand<'_>) -> A,
    b: impl FnOnce(Strand<'_>) -> B + Send,
) -> (A, B) {
    let begun = AtomicUsize::new(0);
    s.join(
        |s| {
            let a = a(s);
            if common::takes() {
                await_value(&begun, 1);
            }
            a
        },
        |s| {
            begun.store(1, Ordering::SeqCst);
            b(s)
        },
    )
}

#[cfg(not(miri))]
#[test]
fn all_of_this_holds_under_other_schedulers() {
    common::run_under_other_schedulers();
}
