//! Whether a worker prepares a frame, and whether a thief has ordered something from it
//! ([`prepare`](super::prepare)).

use crate::sync::{AtomicBool, Ordering};

/// What a worker has to prepare.
#[derive(Debug, Default)]
pub(crate) struct Preparing {
    /// Whether the occupant is preparing a frame. Only the occupant writes it.
    pub(super) is_under_way: AtomicBool,
    /// Whether a thief has left an order. Thieves set it, under L and before H moves. The occupant clears it.
    is_ordered: AtomicBool,
}

impl Preparing {
    /// Leaves an order. The caller is a thief that holds the L of the worker's ladder and moves H.
    pub(super) fn order(&self) {
        self.is_ordered.store(true, Ordering::Relaxed);
    }

    /// Whether a thief has left an order. For the occupant only, which has locked L since H has moved.
    pub(super) fn take_order(&self) -> bool {
        self.is_ordered.load(Ordering::Relaxed) && self.is_ordered.swap(false, Ordering::Relaxed)
    }
}
