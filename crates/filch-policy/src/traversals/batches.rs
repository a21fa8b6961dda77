//! How many items of a traversal make a batch, which is what is stolen.
//!
//! Decided from how many batches wait in a worker's lane, from how long visits have taken, and, for the next phase,
//! from how long this one is (Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section 3.3).

/// The largest S that is chosen by measurement. Beyond, neither table 1 of Cong et al. 2008 nor
/// `filch-graph/examples/forest.rs` shows more to gain, and on meshes a loss: what a batch leads to does not fit into
/// the cache any more.
const MAX_BATCH: usize = 512;

/// A batch of S items takes so many periods. One would do for thieves; but a visitor that looks ahead in its batches
/// has to begin anew with each (`filch-graph/examples/forest.rs`: one to twelve hundredths less time than with 1).
const PERIODS_PER_BATCH: u64 = 4;

/// S until it is measured: low, as a visit may take a second.
const FIRST_BATCH: usize = 16;

/// Fewer items are too few for the clock.
const MIN_TIMED: usize = 16;

/// After a measurement so many batches go untimed.
const UNTIMED: u32 = 15;

/// A phase is cut into this many batches per worker, if it is as long as was foreseen (Cong et al. 2008, section
/// 3.3: a constant multiple of the previous estimate).
const BATCHES_PER_WORKER: usize = 16;

/// How a traversal groups its items into batches, which are what is stolen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Batches {
    /// min(2^Q, S) items where Q batches are waiting already: single ones while there are few, so that thieves get
    /// some soon, large ones when there are many (Cong et al. 2008, section 3.3). S is measured: as many items
    /// as four [periods](struct.Pool.html#method.period) of the pool have room for, 512 at most. Items for the
    /// next phase are grouped by how many this phase began with, and in larger batches the more of them there are
    /// already.
    #[default]
    Adaptive,
    /// As [`Adaptive`](Self::Adaptive), with this S.
    UpTo(usize),
    /// Always so many; 0 counts as 1. For comparisons.
    Fixed(usize),
}

/// S, and what it takes to measure it. One per worker.
#[derive(Clone, Debug)]
pub struct Size {
    batches: Batches,
    /// How long the largest batch should take.
    period_ns: u64,
    workers: usize,
    largest: usize,
    /// Batches until the next measurement, which takes one or several.
    untimed: u32,
    timed_ns: u64,
    timed_items: usize,
    /// How long a visit takes, in picoseconds.
    item_ps: Option<u64>,
}

impl Size {
    /// Of one of so many workers, in a pool with this period.
    pub fn new(batches: Batches, period_ns: u64, workers: usize) -> Self {
        let largest = match batches {
            // Nobody steals.
            Batches::Adaptive if workers == 1 => MAX_BATCH,
            Batches::Adaptive if period_ns == 0 => 1,
            Batches::Adaptive => FIRST_BATCH,
            Batches::UpTo(size) | Batches::Fixed(size) => size.max(1),
        };
        Size { batches, period_ns, workers, largest, untimed: 0, timed_ns: 0, timed_items: 0, item_ps: None }
    }

    /// S.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// How many items make a batch where `depth` batches are waiting.
    #[inline]
    pub fn of_now(&self, depth: usize) -> usize {
        match self.batches {
            Batches::Fixed(_) => self.largest,
            Batches::Adaptive | Batches::UpTo(_) => {
                1usize.checked_shl(depth as u32).map_or(self.largest, |size| size.min(self.largest))
            }
        }
    }

    /// How many items make a batch for the next phase, of which a worker's share is likely to be `share`.
    pub fn of_next(&self, share: usize) -> usize {
        match self.batches {
            Batches::Fixed(_) => self.largest,
            Batches::Adaptive | Batches::UpTo(_) => (share / BATCHES_PER_WORKER).clamp(1, self.largest),
        }
    }

    /// A worker's share of so many items.
    pub fn share(&self, items: usize) -> usize {
        items / self.workers
    }

    /// Whether the batch that is about to begin shall be timed, and [noted](Self::note).
    #[inline]
    pub fn times_next(&mut self) -> bool {
        if self.untimed > 0 {
            self.untimed -= 1;
            return false;
        }
        self.batches == Batches::Adaptive && self.period_ns > 0 && self.workers > 1
    }

    /// A batch of so many items took so long.
    pub fn note(&mut self, ns: u64, items: usize) {
        self.timed_ns += ns;
        self.timed_items += items;
        if self.timed_items < MIN_TIMED {
            return;
        }
        let sample = (self.timed_ns.saturating_mul(1_000) / self.timed_items as u64).max(1);
        (self.untimed, self.timed_ns, self.timed_items) = (UNTIMED, 0, 0);
        // It falls fast and rises slowly: what took long may have been another process, or the first touch of memory.
        let item_ps = match self.item_ps {
            Some(known) if sample < known => sample + (known - sample) / 4,
            Some(known) => known + (sample.min(2 * known) - known) / 4,
            None => sample,
        };
        self.item_ps = Some(item_ps);
        let size = usize::try_from(self.period_ns.saturating_mul(1_000 * PERIODS_PER_BATCH) / item_ps)
            .unwrap_or(usize::MAX)
            .clamp(1, MAX_BATCH);
        // A power of two is near enough (Cong et al. 2008, section 3.3).
        self.largest = 1 << size.ilog2();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_doubles_with_each_that_waits_up_to_s() {
        let size = Size::new(Batches::UpTo(100), 0, 2);
        assert_eq!([0, 1, 3, 6, 7, 64, 1000].map(|depth| size.of_now(depth)), [1, 2, 8, 64, 100, 100, 100]);
    }

    #[test]
    fn fixed_batches_are_as_large_whatever_waits() {
        let size = Size::new(Batches::Fixed(8), 1000, 2);
        assert_eq!([0, 1, 30].map(|depth| size.of_now(depth)), [8, 8, 8]);
        assert_eq!([0, 1_000_000].map(|items| size.of_next(items)), [8, 8]);
        assert_eq!(Size::new(Batches::Fixed(0), 1000, 2).of_now(3), 1);
    }

    #[test]
    fn a_phase_is_cut_by_the_length_of_the_one_before() {
        let size = Size::new(Batches::UpTo(100), 0, 2);
        assert_eq!([0, 31, 64, 3_200, 1_000_000].map(|items| size.of_next(size.share(items))), [1, 1, 2, 100, 100]);
    }

    /// S after batches of S items that take `item_ns` each.
    fn after(size: &mut Size, batches: usize, item_ns: u64) -> usize {
        for _ in 0..batches {
            let items = size.largest();
            if size.times_next() {
                size.note(item_ns * items as u64, items);
            }
        }
        size.largest()
    }

    #[test]
    fn s_is_what_four_periods_have_room_for_and_follows_what_visits_cost() {
        let mut size = Size::new(Batches::Adaptive, 7_500, 2);
        assert_eq!(after(&mut size, 1, 100), 256, "300 fit");
        assert_eq!(after(&mut size, 2_000, 1_000_000), 1);
        assert_eq!(after(&mut size, 2_000, 100), 256, "from batches of one item, too");
        assert_eq!(after(&mut size, 2_000, 1), MAX_BATCH);
        assert_eq!(after(&mut size, 16, 1_000_000), MAX_BATCH, "another process may have had the processor");
    }

    #[test]
    fn without_a_period_every_item_can_be_had() {
        let size = Size::new(Batches::Adaptive, 0, 2);
        assert_eq!((size.of_now(20), size.of_next(1 << 20)), (1, 1));
    }
}
