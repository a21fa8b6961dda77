//! What the settings of a pool can be.

use crate::protocol::ladder::MAX_CAPACITY;
use std::ops::RangeInclusive;
use std::thread;

/// More workers than any machine has processors. Each worker reserves a mebibyte of address space.
pub(super) const WORKERS: RangeInclusive<usize> = 1..=4096;

pub(super) const CAPACITIES: RangeInclusive<usize> = 1..=MAX_CAPACITY;

/// The lowest stack size is enough to start a thread; the highest is the largest that systems do not reject outright.
pub(super) const STACK_BYTES: RangeInclusive<usize> = 64 << 10..=isize::MAX as usize / 2;

/// How many threads the reserve of a pool has at most, unless the user says so. The pool has a bed for each.
pub(super) const RESERVE: usize = 128;

/// As many workers as this process can run at once.
pub(super) fn available() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get()).min(*WORKERS.end())
}
