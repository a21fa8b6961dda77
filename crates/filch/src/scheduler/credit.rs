//! How often something may happen: once per period on average, and several times in a row after a quiet time.
//!
//! The period bounds what it costs over any longer time (heartbeat.txt, section 2); the credit lets work spread quickly
//! where there was none to share for a while. One word is kept, the time up to which everything is paid for.

use crate::sync::{AtomicU64, Ordering};

/// How often in a row after a quiet time: as many as a ladder has frames whose tree keeps 256 workers busy.
pub(crate) const BURST: u64 = 8;

/// A period that is never over: some years, so that a burst of them can still be told.
const LONGEST_NS: u64 = u64::MAX / 256;

/// The credit for one thing. Hints to those who look, unless they pay.
pub(crate) struct Credit {
    paid_ns: AtomicU64,
    burst: u64,
}

impl Credit {
    pub(crate) fn new() -> Self {
        Self::with_burst(BURST)
    }

    /// For a thing that may happen so often in a row after a quiet time.
    pub(crate) fn with_burst(burst: u64) -> Self {
        Credit { paid_ns: AtomicU64::new(0), burst }
    }

    /// From when on it may happen again.
    pub(crate) fn allowed_from(&self, period_ns: u64) -> u64 {
        self.allowed_after(self.paid_ns.load(Ordering::Relaxed), period_ns)
    }

    fn allowed_after(&self, paid_ns: u64, period_ns: u64) -> u64 {
        paid_ns.saturating_sub((self.burst - 1).saturating_mul(period_ns.min(LONGEST_NS)))
    }

    /// Pays for once, if it may happen at `now_ns`.
    pub(crate) fn spend(&self, period_ns: u64, now_ns: u64) -> bool {
        let pay = |paid_ns: u64| {
            let may = self.allowed_after(paid_ns, period_ns) <= now_ns;
            may.then(|| paid_ns.max(now_ns).saturating_add(period_ns.min(LONGEST_NS)))
        };
        self.paid_ns.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(credit: &Credit, period_ns: u64, from_ns: u64, to_ns: u64) -> u64 {
        (from_ns..to_ns).filter(|&now_ns| credit.spend(period_ns, now_ns)).count() as u64
    }

    #[test]
    fn it_happens_once_per_period_and_a_burst_more_after_a_quiet_time() {
        let credit = Credit::new();
        assert_eq!(times(&credit, 100, 1_000_000, 1_000_001), 1);
        assert_eq!(times(&credit, 100, 1_000_001, 1_000_099), BURST - 1);
        assert_eq!(times(&credit, 100, 1_000_100, 1_010_000), 99);
        assert_eq!(times(&credit, 100, 1_020_000, 1_020_050), BURST, "again");
    }

    #[test]
    fn no_stretch_has_more_than_it_pays_for() {
        let credit = Credit::new();
        let mut random = 1_u64;
        let mut happened: Vec<u64> = Vec::new();
        for now_ns in 1_000..if cfg!(miri) { 3_000 } else { 50_000 } {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if random >> 60 == 0 && credit.spend(100, now_ns) {
                happened.push(now_ns);
            }
        }
        for (i, from) in happened.iter().enumerate() {
            for (j, to) in happened.iter().enumerate().skip(i) {
                assert!((j - i) as u64 <= (to - from) / 100 + BURST, "from {from} to {to}");
            }
        }
    }

    #[test]
    fn without_a_period_it_may_happen_at_any_time_and_with_an_endless_one_a_few_times() {
        assert_eq!(times(&Credit::new(), 0, 5, 105), 100);
        assert!(times(&Credit::new(), u64::MAX, 5, 105) <= BURST);
    }
}
