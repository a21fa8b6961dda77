//! How many iterations a loop runs before it shows itself to others.
//!
//! Decided from what its iterations are believed to cost. A loop of short ones that finds older work on its ladder
//! begins without a frame, for thieves take the oldest first (Frigo, Leiserson and Randall 1998, section 3); it needs
//! one only if it lasts.

use super::cost::Cost;

/// How many iterations a loop may hide if they are short.
pub const HIDDEN_IF_SHORT: u8 = 32;

/// Iterations that a loop of cheap ones hides altogether.
const HIDDEN: u64 = 64;

/// Iterations between two looks of such a loop, beyond the first [`HIDDEN_IF_SHORT`], which it runs one by one.
const FEW: u64 = 16;

/// A first iteration that takes longer than this is worth a wake-up for the others.
const LONG_NS: u64 = 2_000;

/// Up to where a loop of `len` iterations that has hidden those below `lo` may hide.
#[inline(always)]
pub fn hidden(lo: u64, len: u64, cost: Cost) -> u64 {
    if cost >= Cost::Cheap { len.min(HIDDEN) } else { lo }
}

/// Where to look next, from `lo` on, in a loop that may hide up to `hidden`.
#[inline(always)]
pub fn next_look(lo: u64, hidden: u64) -> u64 {
    hidden.min(lo + FEW)
}

/// Whether a loop of `len` iterations may be over before anybody would come, where all others sleep: so it is tried
/// first how [long](is_worth_a_call) one takes.
#[inline(always)]
pub fn hides_all(len: u64, cost: Cost) -> bool {
    len <= HIDDEN_IF_SHORT.into() && cost >= Cost::Short
}

/// Whether a loop whose first iteration took so long is worth a wake-up for the others.
#[inline(always)]
pub fn is_worth_a_call(first_ns: u64) -> bool {
    first_ns >= LONG_NS
}
