//! An account of how often something has happened. A [`Credit`](filch_policy::Credit) says how often it may happen.

use crate::sync::{AtomicU64, Ordering};

/// The time up to which everything is paid for. Threads that do not pay read it as a hint.
pub(crate) struct Account(AtomicU64);

impl Account {
    pub(crate) const fn new() -> Self {
        Account(AtomicU64::new(0))
    }

    /// The time up to which everything is paid for.
    pub(crate) fn paid_ns(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Pays up to `paid_ns`. No other thread may pay at the same time.
    pub(crate) fn pay(&self, paid_ns: u64) {
        self.0.store(paid_ns, Ordering::Relaxed);
    }

    /// Calls `pay` with the time up to which everything is paid for, and pays up to the time that it returns. Calls it
    /// again if another thread has paid meanwhile. Returns whether `pay` has returned a time.
    pub(crate) fn update(&self, pay: impl FnMut(u64) -> Option<u64>) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_ok()
    }
}

impl Default for Account {
    fn default() -> Self {
        Account::new()
    }
}
