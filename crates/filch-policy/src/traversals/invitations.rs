//! Whether one more is called to take part in a traversal.
//!
//! Decided from how many batches wait in a lane, and from whether the last who came have come in vain: thin graphs
//! shall not call a thread again and again. What waits in a lane waits for no longer than the longest time without
//! calls, however long its owner is in one visit.

use crate::rest::SEARCH_NS;

/// With so many batches in a lane there is work for others, whatever the last of them has found.
const PRESSING: usize = 4;

/// The longest that nobody is invited after visits in vain.
const MAX_BACKOFF_NS: u64 = 64 * SEARCH_NS;

/// Whether so many batches in a lane are work for others, whatever the last of them has found.
pub fn is_pressing(depth: usize) -> bool {
    depth >= PRESSING
}

/// Until when nobody is called where little waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discouragement {
    /// Nobody is before this time.
    pub not_before_ns: u64,
    /// For how long that is.
    pub backoff_ns: u64,
}

impl Discouragement {
    /// Whether an invitation is for later, at `now_ns`, where so many batches wait: nobody is called, and whoever has
    /// nothing to do then finds it by itself.
    pub fn is_for_later(self, depth: usize, now_ns: impl FnOnce() -> u64) -> bool {
        !is_pressing(depth) && now_ns() < self.not_before_ns
    }

    /// After somebody has taken part for so long, up to `now_ns`, and has looked for work for `idle_ns` of that: most
    /// of the time, or not.
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
