//! Affinity: the holder of each cell of a range that is divided repeatedly, and what was handed to single workers. What
//! was handed to a squad is in its pool.

use crate::claims::ClaimId;
use crate::program::Share;
use crate::shelf::Shelf;
use filch_policy::{Balancer, cells_of, first_holders};
use std::ops::Range;

pub(crate) struct Affinity {
    holders: Vec<usize>,
    /// What was handed to each worker and has not been begun.
    handed: Vec<Shelf>,
    /// How many frames that is.
    waiting: usize,
}

impl Affinity {
    /// For so many groups, which are squads or workers.
    pub(crate) fn new(groups: usize) -> Self {
        let handed = (0..groups).map(|_| Shelf::new(Balancer::Concurrent)).collect();
        Affinity { holders: first_holders(groups).collect(), handed, waiting: 0 }
    }

    fn cells(&self, Share { part, items }: Share) -> Range<usize> {
        cells_of(part, items, self.holders.len())
    }

    /// The holders of the cells of a part.
    pub(crate) fn holders(&self, share: Share) -> &[usize] {
        &self.holders[self.cells(share)]
    }

    /// A group runs a part.
    pub(crate) fn note(&mut self, share: Share, group: usize) {
        let cells = self.cells(share);
        self.holders[cells].fill(group);
    }

    /// A frame is handed to a worker.
    pub(crate) fn hand(&mut self, worker: usize, claim: ClaimId) {
        self.handed[worker].put(claim);
        self.waiting += 1;
    }

    /// Removes the oldest frame that `is_wanted` of those that were handed to these workers.
    pub(crate) fn get(&mut self, mut from: Range<usize>, is_wanted: impl Fn(ClaimId) -> bool) -> Option<ClaimId> {
        if self.waiting == 0 {
            return None;
        }
        let claim = from.find_map(|worker| self.handed[worker].get(&is_wanted))?;
        self.waiting -= 1;
        Some(claim)
    }

    /// Whether some worker was handed a frame that `is_wanted` and that has not been begun.
    pub(crate) fn has(&self, is_wanted: impl Fn(ClaimId) -> bool) -> bool {
        self.waiting > 0 && self.handed.iter().any(|handed| handed.frames().any(&is_wanted))
    }
}
