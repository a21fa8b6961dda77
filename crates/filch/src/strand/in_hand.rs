//! Items that whoever gives the rest of a spawn loop away keeps for itself: as many as keep it busy until it can hope to get
//! the right to iterate back. Without them, a loop of short items would be run by one worker at a time, for a worker gives
//! but once a period.

use crate::sync::{AtomicU64, Ordering};
use std::mem;

/// Items in hand are to take this long: about the period in which a worker gives once.
const BATCH_NS: u64 = 30_000;

/// At most so many bytes of them.
const MOST_BYTES: usize = 16 << 10;

/// At most so many times as many as before: what an item takes is a guess.
const GROWTH: u64 = 8;

pub(super) struct InHand<'l, T> {
    items: Vec<T>,
    /// How many to take, which all who iterate share. A guess, so relaxed accesses suffice.
    batch: &'l AtomicU64,
}

impl<'l, T> InHand<'l, T> {
    /// None so far.
    #[inline(always)]
    pub(super) fn new(batch: &'l AtomicU64) -> Self {
        InHand { items: Vec::new(), batch }
    }

    #[inline(always)]
    pub(super) fn has_any(&self) -> bool {
        !self.items.is_empty()
    }

    /// Takes as many as are good for a while, of those that come `next`.
    #[cold]
    #[inline(never)]
    pub(super) fn fill(&mut self, mut next: impl FnMut() -> Option<T>) {
        let fit = MOST_BYTES / size_of::<T>().max(1);
        let many = (self.batch.load(Ordering::Relaxed) as usize).min(fit);
        self.items.reserve_exact(many);
        while self.items.len() < many
            && let Some(item) = next()
        {
            self.items.push(item);
        }
    }

    /// Takes them out of the hand.
    pub(super) fn take(&mut self) -> Vec<T> {
        mem::take(&mut self.items)
    }

    /// So many have taken so long.
    pub(super) fn took(&mut self, many: u64, ns: u64) {
        self.batch.store(fitting(many, ns).clamp(1, many * GROWTH), Ordering::Relaxed);
    }
}

/// How many take as long as a batch should, if so many took so long.
fn fitting(many: u64, ns: u64) -> u64 {
    many.saturating_mul(BATCH_NS) / ns.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_items_are_kept_in_growing_numbers_and_long_ones_singly() {
        let batch = AtomicU64::new(1);
        let mut hand = InHand::<()>::new(&batch);
        for expected in [8, 30, 30] {
            let many = batch.load(Ordering::Relaxed);
            hand.took(many, 1_000 * many);
            assert_eq!(batch.load(Ordering::Relaxed), expected, "of a microsecond each");
        }
        hand.took(30, 30_000_000);
        assert_eq!(batch.load(Ordering::Relaxed), 1, "of a millisecond each");
    }

    #[test]
    fn a_hand_holds_so_many_bytes_and_what_there_is() {
        let batch = AtomicU64::new(1 << 40);
        let mut hand = InHand::new(&batch);
        hand.fill(|| Some([0_u8; 1024]));
        assert_eq!(hand.take().len(), MOST_BYTES / 1024);
        let (mut hand, mut items) = (InHand::new(&batch), 0..3);
        hand.fill(|| items.next());
        assert_eq!(hand.take(), [0, 1, 2]);
        assert!(!hand.has_any());
    }
}
