//! Whether one more worker is called to take part in a traversal.
//!
//! Decided from how many batches wait in a lane, and from whether the workers that came last found work. A thin graph
//! must not call a worker again and again. But a batch that waits in a lane is found after the longest time without
//! calls at the latest, however long the owner of the lane is in one visit.

use crate::rest::SEARCH_NS;

/// If this many batches wait in a lane, there is work for more workers, whatever the last ones found: adaptive batches
/// have 255 items then, or as many periods as there are batches. In a narrow graph, where some 20 items wait, four
/// batches are common.
const PRESSING: usize = 8;

/// The longest time for which no worker is called, after workers came in vain.
const MAX_BACKOFF_NS: u64 = 64 * SEARCH_NS;

/// Whether this many batches in a lane are work for more workers, whatever the last ones found.
pub fn is_pressing(depth: usize) -> bool {
    depth >= PRESSING
}

/// Until when no worker is called, unless many batches wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discouragement {
    /// No worker is called before this time.
    pub not_before_ns: u64,
    /// How long that time is.
    pub backoff_ns: u64,
}

impl Discouragement {
    /// Whether an invitation at `now_ns` is for later, if `depth` batches wait. Then no worker is called, and a worker
    /// that has nothing to do at that later time finds the invitation by itself.
    pub fn is_for_later(self, depth: usize, now_ns: impl FnOnce() -> u64) -> bool {
        !is_pressing(depth) && now_ns() < self.not_before_ns
    }

    /// The state after a worker has taken part for `attended_ns`, up to `now_ns`, and has done nothing useful for
    /// `idle_ns` of that time. If that is most of the time, the worker came in vain.
    #[must_use]
    pub fn judge(self, attended_ns: u64, idle_ns: u64, now_ns: u64) -> Self {
        let is_vain = idle_ns > attended_ns / 2;
        let backoff_ns = match self.backoff_ns {
            _ if !is_vain => 0,
            0 => SEARCH_NS,
            known => (2 * known).min(MAX_BACKOFF_NS),
        };
        Discouragement { not_before_ns: now_ns + backoff_ns, backoff_ns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_been_in_vain_is_not_called_soon_unless_much_waits() {
        let vain = |known: Discouragement| known.judge(100, 99, 1_000);
        let first = vain(Discouragement::default());
        assert!(first.is_for_later(1, || 999 + SEARCH_NS) && !first.is_for_later(1, || 1_000 + SEARCH_NS));
        let often = (0..20).fold(first, |known, _| vain(known));
        assert_eq!(often, Discouragement { not_before_ns: 1_000 + MAX_BACKOFF_NS, backoff_ns: MAX_BACKOFF_NS });
        assert!(often.is_for_later(PRESSING - 1, || 1_000) && !often.is_for_later(PRESSING, || 1_000));
        let not_in_vain = often.judge(100, 1, 2_000);
        assert!(!not_in_vain.is_for_later(1, || 2_000));
    }
}
