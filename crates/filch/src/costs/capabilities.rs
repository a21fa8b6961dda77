//! What the system lets a pool do.

use crate::sync::fence;
use std::fmt;

/// How thieves and owners are kept apart on this system, and so whether workers can take from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    taking: bool,
}

impl Capabilities {
    pub(crate) fn detect() -> Self {
        Capabilities { taking: fence::is_known() }
    }

    /// Whether a worker can take from another without its help. False where the kernel has no asymmetric barrier, which
    /// this build relies on; a build with `--cfg filch_fence="real"` does without.
    ///
    /// True is no promise: the first pool asks for the barrier in the background, and the kernel may refuse it then, or
    /// later. From then on nobody takes. Under [`default`](crate::Scheduler::default) workers go on asking; under
    /// [`cilk5`](crate::Scheduler::cilk5), which only takes, all work stays with who has it.
    pub fn taking(&self) -> bool {
        self.taking
    }

    /// Whether a fork pays for a fence of its own, because this build relies on no asymmetric barrier.
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
