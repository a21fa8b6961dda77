//! How many items of a traversal make a batch. Batches are what thieves steal.
//!
//! Decided from how many batches wait in a worker's lane and from how long visits have taken. For the next phase it is
//! decided from how many items this phase began with (Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008, section
//! 3.3).

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The largest S that a measurement can choose. Neither table 1 of Cong et al. 2008 nor
/// `filch-graph/benches/forest.rs` shows a gain from larger batches. On meshes they are slower, because what a batch
/// leads to no longer fits into the cache.
const MAX_BATCH: usize = 512;

/// A batch of S items takes this many periods. One period would be enough for thieves. But a visitor that looks ahead
/// in its batch must begin anew with each batch (with 4, `filch-graph/benches/forest.rs` takes 1 to 12 % less time
/// than with 1).
const PERIODS_PER_BATCH: u64 = 4;

/// S until it has been measured. It is low, because a visit may take a second.
const FIRST_BATCH: usize = 16;

/// How many items must be timed. Fewer are too few for the clock.
const MIN_TIMED: usize = 16;

/// How many batches are not timed after a measurement.
const UNTIMED: u32 = 15;

/// If the next phase is as long as expected, each worker's share of it is cut into this many batches (Cong et al. 2008,
/// section 3.3: a constant multiple of the previous estimate).
const BATCHES_PER_WORKER: usize = 16;

/// How a traversal groups its items into batches. Batches are what thieves steal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Batches {
    /// A batch has min(2^Q, S) items, where Q is the number of batches that wait already. So batches have a single item
    /// while there are few, so that thieves soon find some, and are large when there are many (Cong et al. 2008,
    /// section 3.3). S is measured: it is how many items can be visited in four
    /// [periods](struct.Pool.html#method.period) of the pool, 512 at most. The size of a batch for the next phase
    /// follows from how many items this phase began with, and grows with the number of items that the next phase has
    /// already.
    #[default]
    Adaptive,
    /// Like [`Adaptive`](Self::Adaptive), with this S.
    UpTo(usize),
    /// A batch always has this many items; 0 counts as 1. For comparisons.
    Fixed(usize),
    /// Like [`UpTo`](Self::UpTo) with S = `most`, with another rule for the next phase: if that is as long as this one,
    /// a worker's share of it makes so many batches, of at least `least` and at most `most` items. The rule of Cong et
    /// al. 2008, section 3.3, with the multiplier and the bounds that they tune; [`Adaptive`](Self::Adaptive) cuts
    /// into 16. For comparisons.
    Predicted {
        /// Into how many batches a share is cut; 0 counts as 1.
        parts: usize,
        /// The smallest batch.
        least: usize,
        /// The largest batch; less than `least` counts as that.
        most: usize,
    },
}

/// A text that is no [`Batches`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseBatchesError;

impl fmt::Display for ParseBatchesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected adaptive, a number from 1 up, up-to- and such a number, or share/PARTS:LEAST..MOST of such \
             numbers",
        )
    }
}

impl Error for ParseBatchesError {}

/// As text that can be parsed: `adaptive`, `8`, `up-to-8`, `share/16:4..128`.
impl fmt::Display for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Batches::Adaptive => f.write_str("adaptive"),
            Batches::UpTo(size) => write!(f, "up-to-{size}"),
            Batches::Fixed(size) => write!(f, "{size}"),
            Batches::Predicted { parts, least, most } => write!(f, "share/{parts}:{least}..{most}"),
        }
    }
}

impl FromStr for Batches {
    type Err = ParseBatchesError;

    fn from_str(text: &str) -> Result<Self, ParseBatchesError> {
        let size = |text: &str| text.parse().ok().filter(|&size: &usize| size > 0);
        let read = || {
            if text == "adaptive" {
                return Some(Batches::Adaptive);
            }
            if let Some(most) = text.strip_prefix("up-to-") {
                return size(most).map(Batches::UpTo);
            }
            let Some(predicted) = text.strip_prefix("share/") else { return size(text).map(Batches::Fixed) };
            let (parts, bounds) = predicted.split_once(':')?;
            let (least, most) = bounds.split_once("..")?;
            let (parts, least, most) = (size(parts)?, size(least)?, size(most)?);
            (least <= most).then_some(Batches::Predicted { parts, least, most })
        };
        read().ok_or(ParseBatchesError)
    }
}

/// S, and what is needed to measure it. Each worker has its own.
#[derive(Clone, Debug)]
pub struct Size {
    batches: Batches,
    /// The period of the pool. The largest batch should take `PERIODS_PER_BATCH` of these.
    period_ns: u64,
    workers: usize,
    largest: usize,
    /// How many batches are left before the next measurement, which needs one batch or several.
    untimed: u32,
    timed_ns: u64,
    timed_items: usize,
    /// How long a visit takes, in picoseconds.
    item_ps: Option<u64>,
}

impl Size {
    /// For one of this many workers, in a pool with this period.
    pub fn new(batches: Batches, period_ns: u64, workers: usize) -> Self {
        let largest = match batches {
            // There are no thieves.
            Batches::Adaptive if workers == 1 => MAX_BATCH,
            Batches::Adaptive if period_ns == 0 => 1,
            Batches::Adaptive => FIRST_BATCH,
            Batches::UpTo(size) | Batches::Fixed(size) => size.max(1),
            Batches::Predicted { least, most, .. } => most.max(least).max(1),
        };
        Size { batches, period_ns, workers, largest, untimed: 0, timed_ns: 0, timed_items: 0, item_ps: None }
    }

    /// S.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// How many items make a batch if `depth` batches are waiting.
    #[inline]
    pub fn of_now(&self, depth: usize) -> usize {
        match self.batches {
            Batches::Fixed(_) => self.largest,
            Batches::Adaptive | Batches::UpTo(_) | Batches::Predicted { .. } => {
                1usize.checked_shl(depth as u32).map_or(self.largest, |size| size.min(self.largest))
            }
        }
    }

    /// How many items make a batch for the next phase, if a worker's share of that phase is likely to be `share`.
    pub fn of_next(&self, share: usize) -> usize {
        match self.batches {
            Batches::Fixed(_) => self.largest,
            Batches::Adaptive | Batches::UpTo(_) => (share / BATCHES_PER_WORKER).clamp(1, self.largest),
            Batches::Predicted { parts, least, .. } => (share / parts.max(1)).clamp(least.max(1), self.largest),
        }
    }

    /// A worker's share of this many items.
    pub fn share(&self, items: usize) -> usize {
        items / self.workers
    }

    /// Whether the next batch is to be timed and [noted](Self::note).
    #[inline]
    pub fn times_next(&mut self) -> bool {
        if self.untimed > 0 {
            self.untimed -= 1;
            return false;
        }
        self.batches == Batches::Adaptive && self.period_ns > 0 && self.workers > 1
    }

    /// Whether a worker that has nothing else to give, and has visited items of one batch for `ns` nanoseconds, leaves
    /// half of the rest for thieves: it has taken longer than the whole batch should.
    pub fn is_dear(&self, ns: u64) -> bool {
        !matches!(self.batches, Batches::Fixed(_))
            && self.workers > 1
            && ns > self.period_ns.saturating_mul(PERIODS_PER_BATCH)
    }

    /// Notes that a batch of `items` items took `ns` nanoseconds.
    pub fn note(&mut self, ns: u64, items: usize) {
        self.timed_ns += ns;
        self.timed_items += items;
        if self.timed_items < MIN_TIMED {
            return;
        }
        let sample = (self.timed_ns.saturating_mul(1_000) / self.timed_items as u64).max(1);
        (self.untimed, self.timed_ns, self.timed_items) = (UNTIMED, 0, 0);
        // The estimate falls fast and rises slowly. A long time may be due to another process, or to the first use of
        // memory.
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

    #[test]
    fn predicted_batches_are_a_share_in_so_many_parts_within_their_bounds() {
        let size = Size::new(Batches::Predicted { parts: 4, least: 8, most: 64 }, 1000, 2);
        assert_eq!([0, 32, 100, 1_000].map(|share| size.of_next(share)), [8, 8, 25, 64]);
        assert_eq!([0, 5, 30].map(|depth| size.of_now(depth)), [1, 32, 64]);
        let nothing = Size::new(Batches::Predicted { parts: 0, least: 0, most: 0 }, 1000, 2);
        assert_eq!((nothing.of_next(10), nothing.of_now(3)), (1, 1));
    }

    #[test]
    fn batches_are_read_as_they_are_written() {
        let predicted = Batches::Predicted { parts: 16, least: 4, most: 128 };
        for batches in [Batches::Adaptive, Batches::UpTo(7), Batches::Fixed(1), predicted] {
            assert_eq!(batches.to_string().parse(), Ok(batches));
        }
        for wrong in ["", "0", "up-to-0", "up-to-", "share/4", "share/4:1", "share/0:1..2", "share/4:3..2", "-1"] {
            assert_eq!(wrong.parse::<Batches>(), Err(ParseBatchesError), "{wrong}");
        }
    }

    /// S after `batches` batches of S items each, if an item takes `item_ns`.
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
    fn a_batch_that_takes_longer_than_it_should_is_cut_unless_its_size_is_the_users() {
        let is_dear = |batches, workers, ns| Size::new(batches, 1_000, workers).is_dear(ns);
        assert!(is_dear(Batches::Adaptive, 2, 4_001) && is_dear(Batches::UpTo(100), 2, 4_001));
        assert!(!is_dear(Batches::Adaptive, 2, 4_000) && !is_dear(Batches::Adaptive, 1, u64::MAX));
        assert!(!is_dear(Batches::Fixed(100), 2, u64::MAX));
    }

    #[test]
    fn without_a_period_every_item_can_be_had() {
        let size = Size::new(Batches::Adaptive, 0, 2);
        assert_eq!((size.of_now(20), size.of_next(1 << 20)), (1, 1));
    }
}
