//! How often something has happened that is to happen no more often than its [`Credit`] allows.

use crate::sync::{AtomicU64, Ordering};
use filch_policy::Credit;

/// Up to when everything is paid for. A hint to those who look, unless they pay.
pub(crate) struct Account(AtomicU64);

impl Account {
    pub(crate) const fn new() -> Self {
        Account(AtomicU64::new(0))
    }

    /// Up to when everything is paid for.
    pub(crate) fn paid_ns(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Pays up to that time. Nobody else pays meanwhile.
    pub(crate) fn pay(&self, paid_ns: u64) {
        self.0.store(paid_ns, Ordering::Relaxed);
    }

    /// Pays for once, if it may happen at `now_ns`.
    pub(crate) fn spend(&self, credit: Credit, now_ns: u64) -> bool {
        self.update(|paid_ns| credit.spend(paid_ns, now_ns))
    }

    /// Pays up to when `pay` says, given up to when everything is paid for. Asked again if somebody else has paid
    /// meanwhile.
    pub(crate) fn update(&self, pay: impl FnMut(u64) -> Option<u64>) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_ok()
    }
}

impl Default for Account {
    fn default() -> Self {
        Account::new()
    }
}
