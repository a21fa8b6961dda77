//! When a worker promotes its oldest frame: once per period, whatever the load.
//!
//! Decided from when it last did so. A promotion costs a worker τ, so at one per period N promotions cost at most the
//! fraction τ/N of its work. A frame on the ladder is promoted once it is the oldest and a period is over, so the span
//! grows by at most the factor 1 + N/τ. Both bounds depend on nothing else, above all not on whether another worker is
//! idle (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, sections 2 and 3).

/// The shortest time between two rounds of the thread that beats.
const SHORTEST_ROUND_NS: u64 = 1_000;

/// How long the thread that beats goes on after the last run.
const LINGER_NS: u64 = 1_000_000;

/// The beat of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    period_ns: u64,
}

impl Beat {
    pub(crate) fn new(period_ns: u64) -> Self {
        Beat { period_ns }
    }

    /// The period N.
    pub fn period_ns(self) -> u64 {
        self.period_ns
    }

    /// From when on a worker that promoted a frame at `last_ns` promotes the next one. In any time t there are at most
    /// t/N + 1 promotions.
    pub fn due_ns(self, last_ns: u64) -> u64 {
        last_ns.saturating_add(self.period_ns)
    }

    /// The time between two rounds of the thread that gives the beats to the workers.
    pub fn round_ns(self) -> u64 {
        self.period_ns.max(SHORTEST_ROUND_NS)
    }

    /// Whether the thread that gives the beats goes on, after no run has been active for this long. A burst of small
    /// runs then wakes it once.
    pub fn lingers(self, idle_ns: u64) -> bool {
        idle_ns <= LINGER_NS
    }

    /// Whether a worker that promoted a frame at `last_ns` promotes the next one at `now_ns`.
    pub fn is_due(self, last_ns: u64, now_ns: u64) -> bool {
        now_ns >= self.due_ns(last_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn a_worker_promotes_at_most_once_per_period() {
        let (beat, mut random, mut last_ns) = (Beat::new(100), Random::new(3), 0);
        let looks = (1_000..50_000_u64).filter(|_| random.below(8) == 0).collect::<Vec<_>>();
        let promotes = |&now_ns: &u64| {
            let is_due = beat.is_due(last_ns, now_ns);
            if is_due {
                last_ns = now_ns;
            }
            is_due
        };
        let promoted: Vec<u64> = looks.into_iter().filter(promotes).collect();
        assert!(promoted.is_sorted_by(|a, b| b - a >= 100));
        assert!(promoted.len() > 49_000 * 8 / 10 / (100 + 8), "{} promotions", promoted.len());
    }

    #[test]
    fn without_a_period_it_is_always_time() {
        assert!(
            Beat::new(0).is_due(7, 7) && !Beat::new(1).is_due(7, 7) && !Beat::new(u64::MAX).is_due(7, u64::MAX - 1)
        );
    }
}
