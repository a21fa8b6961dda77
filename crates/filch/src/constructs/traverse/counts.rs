//! What a traversal counts.

use std::ops::AddAssign;
use std::time::Duration;

/// What one lane has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnCounts {
    pub(super) items: u64,
    pub(super) tasks: u64,
    pub(super) batches: u64,
    pub(super) swaps: u64,
    pub(super) steals: u64,
    /// Phases in which a batch was begun in this lane.
    pub(super) phases: u64,
    pub(super) idle_ns: u64,
}

/// What happened during a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraversalCounts {
    /// Items visited, including the roots.
    pub items: u64,
    /// Batches that were begun from a lane. Batches that were swapped in count as parts of these.
    pub tasks: u64,
    /// Batches left in a lane, not including those of the roots.
    pub batches: u64,
    /// Half-filled batches that their worker visited at once.
    pub swaps: u64,
    /// Batches begun by another worker than the one that left them.
    pub steals: u64,
    /// Phases, including the first.
    pub phases: u64,
    /// Phases that occupied lanes have missed: the sum over these lanes of the phases in which no batch was begun
    /// there. In a traversal of many short phases, most workers skip most phases (Cong et al. 2008, section 2.3).
    pub phases_skipped: u64,
    /// Lanes that were occupied. At least as many workers took part; several may have used one lane, one after the
    /// other.
    pub workers: usize,
    /// The largest S at the end, in items.
    pub largest_batch: usize,
    /// How long workers that took part looked for work, in total.
    pub idle: Duration,
}

/// The counts of two traversals together. Phases, workers and the largest batch are maxima, the others sums.
impl AddAssign for TraversalCounts {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.tasks += other.tasks;
        self.batches += other.batches;
        self.swaps += other.swaps;
        self.steals += other.steals;
        self.phases_skipped += other.phases_skipped;
        self.idle += other.idle;
        self.phases = self.phases.max(other.phases);
        self.workers = self.workers.max(other.workers);
        self.largest_batch = self.largest_batch.max(other.largest_batch);
    }
}

impl TraversalCounts {
    /// Items visited per batch that was begun. A large number means that few batches were left and fetched (Cong et al.
    /// 2008, section 3.3).
    pub fn items_per_task(&self) -> f64 {
        self.items as f64 / self.tasks.max(1) as f64
    }

    pub(super) fn add(&mut self, own: &OwnCounts, largest_batch: usize) {
        self.items += own.items;
        self.tasks += own.tasks;
        self.batches += own.batches;
        self.swaps += own.swaps;
        self.steals += own.steals;
        self.phases_skipped += self.phases - own.phases;
        self.workers += 1;
        self.largest_batch = self.largest_batch.max(largest_batch);
        self.idle += Duration::from_nanos(own.idle_ns);
    }
}
