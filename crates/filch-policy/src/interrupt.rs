//! Whether a take may interrupt its victim and all other running workers.
//!
//! Decided from how often the victim, and the process as a whole, have been interrupted lately. The barrier of a take
//! interrupts *every* running worker of the process. So the barriers of all thieves and pools together are bounded,
//! too. What a take costs the thief is not bounded, because the thief has nothing better to do (Frigo, Leiserson and
//! Randall 1998, section 3: the work-first principle).

use crate::rules::Rules;

/// The time up to which interruptions are paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    /// For those of the victim.
    pub victim_ns: u64,
    /// For those of all running workers, by barriers.
    pub barriers_ns: u64,
}

impl Rules {
    /// Whether a take at `now_ns` may interrupt its victim with a barrier. Returns the time up to which interruptions
    /// are paid for afterwards, or `None` if the take must not interrupt.
    pub fn interrupt(&self, paid: Paid, now_ns: u64) -> Option<Paid> {
        if self.take().is_unlimited() {
            return Some(paid);
        }
        let victim_ns = self.take().spend(paid.victim_ns, now_ns)?;
        let barriers_ns = self.barrier().spend(paid.barriers_ns, now_ns)?;
        Some(Paid { victim_ns, barriers_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;

    /// Attempts one take every nanosecond, from each victim in turn. Returns how many succeed.
    fn takes(scheduler: &str, victims: usize, takes: u64) -> usize {
        let rules = Rules::new(&scheduler.parse().expect("a scheduler"), Costs::ASSUMED, true);
        let (mut paid, mut barriers_ns) = (vec![0; victims], 0);
        let mut may = |now_ns: u64| {
            let victim = &mut paid[now_ns as usize % victims];
            let afterwards = rules.interrupt(Paid { victim_ns: *victim, barriers_ns }, now_ns);
            afterwards.inspect(|paid| (*victim, barriers_ns) = (paid.victim_ns, paid.barriers_ns)).is_some()
        };
        (1_000_000..1_000_000 + takes).filter(|&now_ns| may(now_ns)).count()
    }

    #[test]
    fn a_victim_is_interrupted_a_few_times_in_a_row_and_all_of_them_together_not_much_more() {
        assert_eq!(takes("cilk5", 1, 1_000), 8, "a burst");
        assert_eq!(takes("cilk5", 4, 1_000), 32, "a burst of each");
        assert_eq!(takes("cilk5", 100, 1_000), 64, "a burst of barriers");
    }

    #[test]
    fn without_a_period_nobody_pays() {
        assert_eq!(takes("cilk5,period=0ns", 1, 1_000), 1_000);
    }
}
