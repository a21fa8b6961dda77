//! How many iterations a loop runs before other workers can find it.
//!
//! Decided from what its iterations are believed to cost. If there is older work on the ladder, a loop of short
//! iterations has no frame: thieves take the oldest frame first (Frigo, Leiserson and Randall 1998, section 3), so the
//! loop needs one only when the older work is gone or a worker wants something. It looks for that in
//! [strides](super::Strides::hidden).

use super::cost::Cost;

/// A hidden loop of at most so many iterations, short or cheaper, runs them one by one.
pub const FEW: u8 = 32;

/// If the first iteration takes longer than this, the loop is worth a wake-up of other workers.
const LONG_NS: u64 = 2_000;

/// How many iterations a hidden loop of `len` runs one by one, if it may run `most` of them so: all or none.
#[inline(always)]
pub fn few(len: u64, most: u8) -> u64 {
    if len <= most.into() { len } else { 0 }
}

/// Whether a loop of `len` iterations may be over before another worker would come, if all others sleep. If so, the
/// loop runs its first iteration to see how [long](is_worth_a_call) it takes.
#[inline(always)]
pub fn hides_all(len: u64, cost: Cost) -> bool {
    len <= FEW.into() && cost >= Cost::Short
}

/// Whether a loop whose first iteration took this long is worth a wake-up of other workers.
#[inline(always)]
pub fn is_worth_a_call(first_ns: u64) -> bool {
    first_ns >= LONG_NS
}
