//! Waiting, and helping meanwhile: at a join ([`join_end`]), at the end of a scope ([`scope_end`], or [`outside`] of
//! its team), for a task with a handle ([`handle_end`]), and for a value that another worker computes ([`value_end`]).
//! All but the first are in the midst of other work ([`aside`]).
//!
//! [`rest`] is what a waiter does that finds nothing: it spins, and then sleeps, longer and longer. [`spare_ladder`] is
//! where a waiter helps if it has older frames on its own ladder. [`yielding`] is to run something without waiting, and
//! [`blocking`] to wait for something outside of the team; [`region`] what runs inside of a token.

mod aside;
pub(crate) mod blocking;
pub(crate) mod handle_end;
pub(crate) mod join_end;
pub(crate) mod outside;
pub(crate) mod region;
pub(crate) mod rest;
mod scope_end;
mod spare_ladder;
pub(crate) mod value_end;
pub(crate) mod yielding;

use crate::engine::entry::loans;
use crate::engine::team::Worker;

/// Calls `f` while no one can ask `worker`, which this thread works as. Then the thread goes on where it was. `f` does
/// not unwind.
fn while_closed<R>(worker: &Worker, f: impl FnOnce() -> R) -> R {
    worker.close();
    let result = f();
    loans::go_on();
    // Closed once more: a strand of this ladder that was smuggled to another one may have waited here and opened it
    // again.
    worker.close();
    worker.open();
    result
}
