//! Which lanes of a traversal a thief steals from.
//!
//! Decided from what the thief has seen of each lane, and since when. It steals from lanes in which several batches
//! wait, and from lanes whose only batch has waited for as long as a steal costs. A batch that the worker of the lane
//! is about to begin would otherwise move to and fro. The thieves of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and
//! Wen (2008, section 2.1) never take the last batch of a lane. But here its owner may be in a long visit.

/// How long a single batch is left to its owner. This is roughly what a steal costs: a lock, and some cache lines of
/// another processor.
pub(super) const MAX_PATIENCE_NS: u64 = 1_000;

/// What a thief sees of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Which lane it is.
    pub lane: usize,
    /// How many batches wait there.
    pub depth: usize,
    /// How often the batches of that lane have changed.
    pub changes: usize,
}

/// What a thief has seen of each lane, and for how long it leaves a single batch to its owner.
#[derive(Clone, Debug)]
pub struct Appetite {
    patience_ns: u64,
    now_ns: u64,
    /// For each lane what the thief saw last, and since when that has not changed.
    seen: Box<[Option<(Glance, u64)>]>,
}

impl Appetite {
    /// For a thief in a traversal with this many lanes, in a pool with this period.
    pub fn new(period_ns: u64, lanes: usize) -> Self {
        Appetite { patience_ns: period_ns.min(MAX_PATIENCE_NS), now_ns: 0, seen: vec![None; lanes].into_boxed_slice() }
    }

    /// Begins a look at all lanes, at `now_ns`. Returns the lane to look at first. It depends on the clock, which is
    /// random enough that thieves do not follow each other.
    pub fn first(&mut self, now_ns: u64) -> usize {
        self.now_ns = now_ns;
        (now_ns.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % self.seen.len()
    }

    /// Whether the thief steals from the lane that it sees in `glance`.
    pub fn is_for(&mut self, glance: Glance) -> bool {
        if glance.depth > 1 || self.patience_ns == 0 {
            return true;
        }
        match &mut self.seen[glance.lane] {
            Some((seen, since)) if *seen == glance => self.now_ns.saturating_sub(*since) >= self.patience_ns,
            other => {
                *other = Some((glance, self.now_ns));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(lane: usize, depth: usize, changes: usize) -> Glance {
        Glance { lane, depth, changes }
    }

    #[test]
    fn the_last_batch_of_a_lane_is_left_alone_while_its_owner_goes_on() {
        let mut appetite = Appetite::new(1_000, 2);
        for now_ns in (0..10_000).step_by(900) {
            appetite.now_ns = now_ns;
            assert!(!appetite.is_for(glance(0, 1, now_ns as usize)));
            assert!(appetite.is_for(glance(1, 2, 0)));
        }
    }

    #[test]
    fn a_batch_that_waits_for_long_is_taken_whatever_other_lanes_do() {
        let mut appetite = Appetite::new(1_000, 2);
        let wants = [0, 500, 999, 1_000].map(|now_ns| {
            appetite.now_ns = now_ns;
            appetite.is_for(glance(1, 1, now_ns as usize));
            appetite.is_for(glance(0, 1, 7))
        });
        assert_eq!(wants, [false, false, false, true]);
    }
}
