//! How many iterations a loop runs before other workers can find it.
//!
//! Decided from what its iterations are believed to cost. If there is older work on the ladder, a loop of short
//! iterations has no frame: thieves take the oldest frame first (Frigo, Leiserson and Randall 1998, section 3), so the
//! loop needs one only when the older work is gone or a worker wants something. It looks for that in
//! [strides](super::Strides::hidden).

use super::cost::Cost;
use super::pace::MOST_STRIDE;

/// A loop of at most so many short iterations may be over before another worker would be awake.
const FEW: u64 = 32;

/// If the first iteration takes longer than this, the loop is worth a wake-up of other workers.
const LONG_NS: u64 = 2_000;

/// How many iterations of this cost a hidden loop runs as they are, without a look in between: no more than a stride.
pub fn most_few(cost: Cost) -> u8 {
    match cost {
        Cost::Unknown | Cost::Short => 0,
        Cost::Cheap => MOST_STRIDE as u8,
        Cost::Trivial => u8::MAX,
    }
}

/// Whether a loop of `len` iterations may be over before another worker would come, if all others sleep. If so, the
/// loop runs its first iteration to see how [long](is_worth_a_call) it takes.
#[inline(always)]
pub fn hides_all(len: u64, cost: Cost) -> bool {
    len <= FEW && cost >= Cost::Short
}

/// Whether a loop whose first iteration took this long is worth a wake-up of other workers.
#[inline(always)]
pub fn is_worth_a_call(first_ns: u64) -> bool {
    first_ns >= LONG_NS
}
