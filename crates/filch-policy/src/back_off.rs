//! When an asker that was refused asks again.
//!
//! Decided from how often in a row it has been refused. Under Tascell, a refused worker waits for 1 µs, and twice as
//! long each time, up to 100 ms, so that workers which find nothing leave the busy ones alone (Hiraishi, Yasugi,
//! Umatani and Yuasa 2009).

use crate::rules::Rules;

const FIRST_NS: u64 = 1_000;
const LONGEST_NS: u64 = 100_000_000;

impl Rules {
    /// How long an asker waits before it asks again, after this many refusals in a row.
    pub fn back_off_ns(&self, refusals: u64) -> u64 {
        if !self.backs_off() || refusals == 0 || mistake!(self, NoBackOff) {
            return 0;
        }
        // 2^17 µs exceed the longest wait.
        (FIRST_NS << (refusals - 1).min(17)).min(LONGEST_NS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Costs, Scheduler};

    #[test]
    fn the_wait_doubles_from_a_microsecond_to_a_tenth_of_a_second() {
        let rules = Rules::new(&Scheduler::tascell(), Costs::ASSUMED, true);
        let waits = [0, 1, 2, 3, 17, 18, 19, u64::MAX].map(|refusals| rules.back_off_ns(refusals));
        assert_eq!(waits, [0, 1_000, 2_000, 4_000, 65_536_000, 100_000_000, 100_000_000, 100_000_000]);
        assert_eq!(Rules::new(&Scheduler::default(), Costs::ASSUMED, true).back_off_ns(9), 0);
    }
}
