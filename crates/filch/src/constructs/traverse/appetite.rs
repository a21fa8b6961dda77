//! Which lanes to steal from.

use crate::protocol::lanes::Glance;

/// Lanes in which several batches wait; and those whose one batch has been waiting for as long as a steal costs. What
/// the worker in that lane is about to begin would only go back and forth. (The paper's thieves leave the last one
/// alone, xws.txt, section 2.1; but it may be in a long visit.)
pub(super) struct Appetite {
    patience_ns: u64,
    now_ns: u64,
    /// Of each lane, what was seen last, and since when.
    seen: Box<[Option<(Glance, u64)>]>,
}

impl Appetite {
    pub(super) fn new(patience_ns: u64, lanes: usize) -> Self {
        Appetite { patience_ns, now_ns: 0, seen: vec![None; lanes].into_boxed_slice() }
    }

    /// It is `now_ns`: which lane to look at first. The clock is random enough that thieves do not follow each other.
    pub(super) fn first(&mut self, now_ns: u64) -> usize {
        self.now_ns = now_ns;
        (now_ns.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % self.seen.len()
    }

    pub(super) fn is_for(&mut self, glance: Glance) -> bool {
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
