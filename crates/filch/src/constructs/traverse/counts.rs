//! What a traversal has counted.

use std::time::Duration;

/// What one lane has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnCounts {
    pub(super) items: u64,
    pub(super) tasks: u64,
    pub(super) batches: u64,
    pub(super) swaps: u64,
    pub(super) steals: u64,
    pub(super) idle_ns: u64,
}

/// What happened during a traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraversalCounts {
    /// Items visited, the roots among them.
    pub items: u64,
    /// Batches that were begun from a lane; those that were swapped in are parts of these.
    pub tasks: u64,
    /// Batches left in a lane, the roots' not counted.
    pub batches: u64,
    /// Half-filled batches that were gone on with at once.
    pub swaps: u64,
    /// Batches begun by another worker than the one that left them.
    pub steals: u64,
    /// Phases, the first among them.
    pub phases: u64,
    /// Lanes that were occupied: as many workers took part, or more, one after the other.
    pub workers: usize,
    /// The largest S at the end, in items.
    pub largest_batch: usize,
    /// How long those who took part looked for work, all together.
    pub idle: Duration,
}

impl TraversalCounts {
    /// Items visited per batch that was begun: large where little had to be left and fetched (xws.txt, section 3.3).
    pub fn items_per_task(&self) -> f64 {
        self.items as f64 / self.tasks.max(1) as f64
    }

    pub(super) fn add(&mut self, own: &OwnCounts, largest_batch: usize) {
        self.items += own.items;
        self.tasks += own.tasks;
        self.batches += own.batches;
        self.swaps += own.swaps;
        self.steals += own.steals;
        self.workers += 1;
        self.largest_batch = self.largest_batch.max(largest_batch);
        self.idle += Duration::from_nanos(own.idle_ns);
    }
}
