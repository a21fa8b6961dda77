//! The most recent times of an operation, for users who want to see more than a sum. Written on slow paths only.

use crate::sync::{AtomicU32, AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::time::Duration;

/// How many times are kept. Under Miri, 1024 of them took longer to make than the rest of a pool; loom keeps a history
/// of each.
const KEPT: usize = if cfg!(any(miri, loom)) { 16 } else { 1024 };

/// A ring with one writer at a time. A time is in nanoseconds, at most about four seconds; 0 means none. The ring is
/// made for the first time: many workers have none, and a pool is to be ready soon.
pub(crate) struct Samples {
    ring: OnceLock<Box<[AtomicU32]>>,
    next: AtomicUsize,
}

impl Samples {
    pub(crate) fn new() -> Self {
        Samples { ring: OnceLock::new(), next: AtomicUsize::new(0) }
    }

    pub(crate) fn add(&self, ns: u64) {
        let next = self.next.load(Ordering::Relaxed);
        let ns = u32::try_from(ns).unwrap_or(u32::MAX).max(1);
        let ring = self.ring.get_or_init(|| (0..KEPT).map(|_| AtomicU32::new(0)).collect());
        ring[next % KEPT].store(ns, Ordering::Relaxed);
        self.next.store(next.wrapping_add(1), Ordering::Relaxed);
    }

    /// Adds the times that are kept to `times`, in no particular order.
    pub(crate) fn add_to(&self, times: &mut Vec<Duration>) {
        let Some(ring) = self.ring.get() else { return };
        let kept = ring.iter().map(|ns| ns.load(Ordering::Relaxed)).filter(|&ns| ns > 0);
        times.extend(kept.map(|ns| Duration::from_nanos(ns.into())));
    }
}
