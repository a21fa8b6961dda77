//! Lazy scheduling: a worker offers one frame, and another one only after that has gone (Tzannes, Caragea, Barua and
//! Vishkin 2010, for loops; Tzannes, Caragea, Vishkin and Barua 2014, for forks).
//!
//! A worker whose shelf is empty leaves its next frame there; a frame that is on its ladder already leaves at its next
//! return. While something lies on the shelf, nobody disturbs the worker: thieves look at shelves only. A loop splits
//! off half of what is left of it by the same rule, so the pieces are as large as the load allows.
//!
//! A worker whose team is busy elsewhere offers its outermost fork over and over, since it takes each frame back
//! itself.

use crate::engine::team::Sharing;
use crate::engine::team::Top;
use crate::engine::team::{Ladder, Worker};
use crate::engine::team::{Latent, Leaving};
use crate::sync::Ordering;

pub(super) struct Lazy;

impl Sharing for Lazy {
    fn leaves(&self, worker: &Worker) -> bool {
        worker.shelf.is_empty() && worker.num_workers() > 1
    }

    fn may_leave(&self, worker: &Worker) -> bool {
        self.leaves(worker)
    }

    fn is_wanted(&self, worker: &Worker) -> bool {
        self.leaves(worker)
    }

    fn at_return(&self, latent: &Latent<'_>) -> Leaving {
        if !self.leaves(latent.worker()) {
            return Leaving::default();
        }
        let shelved = latent.shelve();
        Leaving { is_postponed: shelved.is_none(), shelved, answer: None }
    }

    fn at_reclaim(&self, top: &Top<'_>) {
        if top.ladder().has_frame() {
            top.ladder().raise();
        } else {
            top.make_eager();
        }
    }

    fn at_empty_shelf(&self, owner: &Ladder) {
        let worker = owner.owner();
        if !worker.shelf.is_empty() {
            return;
        }
        // The worker leaves its oldest frame at its next return, or the next one that it forks.
        owner.be_eager();
        owner.raise();
        if !worker.is_busy.load(Ordering::Relaxed) {
            // It waits for the end of a scope, above older frames.
            worker.parker.unpark();
        }
    }
}
