//! How often something may happen: once per period on average, and several times in a row after a quiet time.
//!
//! The state is one word, the time up to which everything is paid for. A decision depends on it and on the present
//! time. Each event moves that word on by one period. An event is allowed while the word is ahead of the present by at
//! most one period less than a burst. So in any time t there are at most t/N events and one burst, which bounds what
//! they cost over any longer time (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 2). The burst lets
//! work spread quickly after a time in which there was none to share. This rule is known as the generic cell rate
//! algorithm.

/// How often in a row a worker may give, or be taken from, after a quiet time. A binary tree whose leaves keep 256
/// workers busy has this many levels.
pub(crate) const BURST: u64 = 8;

/// The longest period, about 2.3 years. Longer ones count as this, so that a burst of them does not overflow 64 bits.
const LONGEST_NS: u64 = u64::MAX / 256;

/// How often something may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credit {
    period_ns: u64,
    burst: u64,
}

impl Credit {
    /// Allows it once per period on average, and `burst` times in a row after a quiet time.
    pub const fn new(period_ns: u64, burst: u64) -> Self {
        Credit { period_ns, burst }
    }

    /// The period.
    pub const fn period_ns(self) -> u64 {
        self.period_ns
    }

    /// Whether it may happen at any time. Then there is no need to look at the clock or to keep an account.
    pub const fn is_unlimited(self) -> bool {
        self.period_ns == 0
    }

    /// The time from which on it may happen again, if everything is paid for up to `paid_ns`.
    pub fn allowed_from(self, paid_ns: u64) -> u64 {
        paid_ns.saturating_sub((self.burst - 1).saturating_mul(self.step_ns()))
    }

    /// Pays for one event at `now_ns`. Returns the time up to which everything is paid for afterwards, or `None` if the
    /// event is not allowed yet.
    pub fn spend(self, paid_ns: u64, now_ns: u64) -> Option<u64> {
        (self.allowed_from(paid_ns) <= now_ns).then(|| paid_ns.max(now_ns).saturating_add(self.step_ns()))
    }

    fn step_ns(self) -> u64 {
        self.period_ns.min(LONGEST_NS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// A credit, and the time up to which everything is paid for.
    struct Account(Credit, u64);

    impl Account {
        fn new(period_ns: u64) -> Self {
            Account(Credit::new(period_ns, BURST), 0)
        }

        fn spend(&mut self, now_ns: u64) -> bool {
            self.0.spend(self.1, now_ns).inspect(|&paid_ns| self.1 = paid_ns).is_some()
        }

        fn times(&mut self, from_ns: u64, to_ns: u64) -> u64 {
            (from_ns..to_ns).filter(|&now_ns| self.spend(now_ns)).count() as u64
        }
    }

    #[test]
    fn it_happens_once_per_period_and_a_burst_more_after_a_quiet_time() {
        let mut account = Account::new(100);
        assert_eq!(account.times(1_000_000, 1_000_001), 1);
        assert_eq!(account.times(1_000_001, 1_000_099), BURST - 1);
        assert_eq!(account.times(1_000_100, 1_010_000), 99);
        assert_eq!(account.times(1_020_000, 1_020_050), BURST, "a burst after another quiet time");
    }

    #[test]
    fn no_stretch_has_more_than_it_pays_for() {
        let mut account = Account::new(100);
        let mut random = Random::new(1);
        let times = 1_000..if cfg!(miri) { 3_000 } else { 50_000 };
        let happened: Vec<u64> = times.filter(|&now_ns| random.below(16) == 0 && account.spend(now_ns)).collect();
        for (i, from) in happened.iter().enumerate() {
            for (j, to) in happened.iter().enumerate().skip(i) {
                assert!((j - i) as u64 <= (to - from) / 100 + BURST, "from {from} to {to}");
            }
        }
    }

    #[test]
    fn without_a_period_it_may_happen_at_any_time_and_with_an_endless_one_a_few_times() {
        assert_eq!(Account::new(0).times(5, 105), 100);
        assert!(Account::new(u64::MAX).times(5, 105) <= BURST);
    }
}
