//! How many iterations a loop runs before other workers can find it.
//!
//! Decided from what its iterations are believed to cost. If there is older work on the ladder, a loop of short
//! iterations begins without a frame: thieves take the oldest frame first (Frigo, Leiserson and Randall 1998, section
//! 3), so the loop needs a frame only if it lasts.

use super::cost::Cost;

/// How many iterations a loop may hide if they are short.
pub const HIDDEN_IF_SHORT: u8 = 32;

/// How many iterations a loop may hide if they are cheap.
const HIDDEN: u64 = 64;

/// How many iterations such a loop runs between two looks, after the first [`HIDDEN_IF_SHORT`], which it runs one by
/// one.
const FEW: u64 = 16;

/// If the first iteration takes longer than this, the loop is worth a wake-up of other workers.
const LONG_NS: u64 = 2_000;

/// The end of what a loop of `len` iterations may hide, if it has already hidden the iterations below `lo`.
#[inline(always)]
pub fn hidden(lo: u64, len: u64, cost: Cost) -> u64 {
    if cost >= Cost::Cheap { len.min(HIDDEN) } else { lo }
}

/// Where to look next after `lo`, in a loop that may hide the iterations below `hidden`.
#[inline(always)]
pub fn next_look(lo: u64, hidden: u64) -> u64 {
    hidden.min(lo + FEW)
}

/// Whether a loop of `len` iterations may be over before another worker would come, if all others sleep. If so, the
/// loop runs its first iteration to see how [long](is_worth_a_call) it takes.
#[inline(always)]
pub fn hides_all(len: u64, cost: Cost) -> bool {
    len <= HIDDEN_IF_SHORT.into() && cost >= Cost::Short
}

/// Whether a loop whose first iteration took this long is worth a wake-up of other workers.
#[inline(always)]
pub fn is_worth_a_call(first_ns: u64) -> bool {
    first_ns >= LONG_NS
}
