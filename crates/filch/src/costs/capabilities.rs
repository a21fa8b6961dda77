//! What the system allows a pool to do.

use crate::sync::fence;
use std::fmt;

/// How this system orders the memory accesses of owners and thieves, and whether workers can take from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    taking: bool,
}

impl Capabilities {
    pub(crate) fn detect() -> Self {
        Capabilities { taking: fence::is_known() }
    }

    /// Whether a worker can take a fork from another worker without that worker's help. False if this build relies on
    /// the kernel's asymmetric barrier and the kernel does not have it. A build with `--cfg filch_fence="real"` does
    /// not need it.
    ///
    /// True is no guarantee: the first pool requests the barrier in the background, and the kernel may refuse it then
    /// or later. From then on no worker takes. Under [`default`](crate::Scheduler::default) workers still ask. Under
    /// [`cilk5`](crate::Scheduler::cilk5), which only takes, all forks stay with the worker that has forked them.
    pub fn taking(&self) -> bool {
        self.taking
    }

    /// Whether each fork executes a fence, because this build does not rely on an asymmetric barrier.
    pub fn owner_fence_is_real(&self) -> bool {
        !fence::ASYMMETRIC
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.taking, self.owner_fence_is_real()) {
            (true, false) => "taking by asymmetric barrier, forks without a fence",
            (true, true) => "taking by ordinary fences, one in every fork",
            (false, _) => "no taking: the system refuses the asymmetric barrier (membarrier)",
        })
    }
}
