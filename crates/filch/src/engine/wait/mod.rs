//! Waiting, and helping meanwhile: at a join ([`join_end`]) and at the end of a scope ([`scope_end`], or [`outside`] of
//! its team).
//!
//! [`rest`] is what a waiter does that finds nothing: it spins, and then sleeps, longer and longer. [`spare_ladder`] is
//! where a waiter helps if it has older frames on its own ladder. [`yielding`] is to run something without waiting.
//! [`closed`]: nobody asks the worker meanwhile.

mod closed;
pub(crate) mod join_end;
pub(crate) mod outside;
pub(crate) mod rest;
mod scope_end;
mod spare_ladder;
pub(crate) mod yielding;
