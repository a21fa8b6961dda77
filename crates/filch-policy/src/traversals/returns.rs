//! Whether what a thief of a traversal steals is worth a steal.
//!
//! In a graph that is narrow, like a caterpillar, a few items wait at any time, and each leads to a few others. Workers
//! then exchange single items, and each exchange takes longer than a visit. Such a thief is never without work for
//! long, so its idle time does not show that it came in vain. How soon it steals again does.

use super::appetite::MAX_PATIENCE_NS;

/// The time between two steals must be this many times the cost of one: thief and robbed pay it once each, and only
/// what exceeds both is a gain.
const WORTH: u64 = 3;

/// How many steals in a row are judged together. A graph that becomes wide gives more after one or two, and one that
/// does not has cost less than fifty microseconds.
const STEALS: u32 = 16;

/// What a thief has got for its last steals.
#[derive(Clone, Copy, Debug)]
pub struct Returns {
    worth_ns: u64,
    since_ns: u64,
    steals: u32,
}

impl Returns {
    /// For a thief that begins at `now_ns`, in a pool with this period. Without a period, all is worth a steal.
    pub fn new(period_ns: u64, now_ns: u64) -> Self {
        Returns { worth_ns: WORTH * period_ns.min(MAX_PATIENCE_NS), since_ns: now_ns, steals: 0 }
    }

    /// Notes that what the thief has stolen, and all that it has led to, is done at `now_ns`. Returns true if its last
    /// steals have led to too little.
    pub fn are_poor(&mut self, now_ns: u64) -> bool {
        self.steals += 1;
        if self.steals < STEALS {
            return false;
        }
        let are_poor = now_ns.saturating_sub(self.since_ns) < u64::from(STEALS) * self.worth_ns;
        (self.since_ns, self.steals) = (now_ns, 0);
        are_poor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many steals a thief gives up that does something for `ns` nanoseconds after each, if at all.
    fn gives_up(period_ns: u64, ns: impl Fn(u32) -> u64) -> Option<u32> {
        let (mut now_ns, mut returns) = (7, Returns::new(period_ns, 7));
        (1..1_000).find(|&steal| {
            now_ns += ns(steal);
            returns.are_poor(now_ns)
        })
    }

    #[test]
    fn a_thief_gives_up_if_it_steals_again_and_again_for_little() {
        let period_ns = 20_000;
        assert_eq!(gives_up(period_ns, |_| 2_900), Some(STEALS));
        assert_eq!(gives_up(period_ns, |_| 3_100), None);
        let is_long_once = |steal| if steal == 5 { 1_000_000 } else { 100 };
        assert_eq!(gives_up(period_ns, is_long_once), Some(2 * STEALS));
        assert_eq!(gives_up(0, |_| 1), None, "every item is to be had");
    }
}
