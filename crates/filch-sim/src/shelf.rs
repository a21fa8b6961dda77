//! The shelf of a worker: claimed frames, of which any worker may get those that are open (Acar, Charguéraud, Guatto,
//! Rainey and Sieczkowski 2018, section 5.1). It does what `crates/filch/src/protocol/task_pool/shelf.rs` does.

use crate::claims::ClaimId;
use filch_policy::Balancer;
use std::collections::VecDeque;

pub(crate) struct Shelf {
    balancer: Balancer,
    frames: VecDeque<ClaimId>,
    /// How many of the oldest are open to others.
    open: usize,
    /// Whether all are open because the owner is not busy.
    is_public: bool,
}

impl Shelf {
    pub(crate) fn new(balancer: Balancer) -> Self {
        Shelf { balancer, frames: VecDeque::new(), open: 0, is_public: false }
    }

    /// How many frames are open to others.
    pub(crate) fn len(&self) -> usize {
        self.open
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// How many frames there are.
    pub(crate) fn kept(&self) -> usize {
        self.frames.len()
    }

    fn open_more(&mut self) {
        self.open = self.balancer.open_of(self.frames.len(), self.is_public);
    }

    pub(crate) fn put(&mut self, claim: ClaimId) {
        let was_empty = self.frames.is_empty();
        self.frames.push_back(claim);
        if self.balancer.opens_at_put(was_empty, self.is_public) {
            self.open_more();
        }
    }

    /// All frames, the oldest first.
    pub(crate) fn frames(&self) -> impl Iterator<Item = ClaimId> {
        self.frames.iter().copied()
    }

    /// Removes the oldest open frame that `is_wanted`.
    pub(crate) fn get(&mut self, is_wanted: impl Fn(ClaimId) -> bool) -> Option<ClaimId> {
        let place = self.frames.iter().take(self.open).position(|&claim| is_wanted(claim))?;
        self.open -= 1;
        self.frames.remove(place)
    }

    /// Removes the oldest frame that `is_wanted`, for the owner.
    pub(crate) fn hand_over(&mut self, is_wanted: impl Fn(ClaimId) -> bool) -> Option<ClaimId> {
        let place = self.frames.iter().position(|&claim| is_wanted(claim))?;
        self.open -= usize::from(place < self.open);
        self.frames.remove(place)
    }

    /// Fills an empty cell. Returns whether that has opened a frame.
    pub(crate) fn poll(&mut self) -> bool {
        let opens = self.balancer.fills(self.len(), self.kept());
        if opens {
            self.open_more();
        }
        opens
    }

    /// Opens all frames, because the owner is about to become idle, or ends that. Returns whether more frames are open.
    pub(crate) fn set_public(&mut self, is_public: bool) -> bool {
        if !self.balancer.is_ever_closed() {
            return false;
        }
        let before = self.open;
        self.is_public = is_public;
        self.open_more();
        self.open > before
    }
}
