//! Which threads sleep, which is the sentinel, and which watch. This is the state of `crates/filch/src/protocol/sleep`,
//! without the races. Thread 0 is the caller and never sleeps here.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

#[derive(Default)]
pub(crate) struct Sleepers {
    /// The threads that sleep and may be called.
    announced: BTreeSet<usize>,
    /// The number of idle workers: threads that look for work or sleep, and workers that wait.
    pub(crate) idle: usize,
    pub(crate) sentinel: Option<usize>,
    pub(crate) sentinel_watches: bool,
    /// How many threads watch: the sentinel, and workers that wait.
    pub(crate) watching: usize,
    /// Whether the run has forked.
    pub(crate) is_active: bool,
}

impl Sleepers {
    pub(crate) fn announce(&mut self, me: usize) {
        self.announced.insert(me);
    }

    /// Returns whether no other thread has retracted the announcement, by calling this one.
    pub(crate) fn retract(&mut self, me: usize) -> bool {
        self.announced.remove(&me)
    }

    pub(crate) fn asleep(&self) -> usize {
        self.announced.len()
    }

    /// The sleeper to call if it may be any: the first one.
    pub(crate) fn first(&self) -> Option<usize> {
        self.announced.first().copied()
    }

    /// The sleeper to call if it may be any of these: the first one.
    pub(crate) fn first_of(&self, threads: RangeInclusive<usize>) -> Option<usize> {
        self.announced.range(threads).next().copied()
    }

    /// Claims the role of the sentinel, if it is free. Returns whether `me` has it.
    pub(crate) fn claim_role(&mut self, me: usize) -> bool {
        *self.sentinel.get_or_insert(me) == me
    }

    pub(crate) fn give_up_role(&mut self, me: usize) {
        if self.sentinel == Some(me) {
            self.sentinel = None;
        }
    }
}
