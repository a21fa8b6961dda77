//! Lazy scheduling: a worker offers one frame, and another one only after that has gone (Tzannes, Caragea, Barua and
//! Vishkin 2010, for loops; Tzannes, Caragea, Vishkin and Barua 2014, for forks).
//!
//! A worker that offers nothing leaves its next frame on its shelf; a frame that is on its ladder already leaves at its
//! next return. While it offers something, nobody disturbs it: thieves look at shelves only. A loop splits off half of
//! what is left of it by the same rule, so the pieces are as large as the load allows.
//!
//! What counts is what the worker has offered in its innermost task. A frame of an outer one may lie on the shelf for
//! long, because those that wait for parts of the inner one do not run it.
//!
//! No worker asks again. So whenever a frame goes, its owner is told, through E and by a mark; and a return that has
//! nothing to offer leaves the mark for the next fork.

use crate::engine::team::calls::signal;
use crate::engine::team::{Ladder, Latent, Leaving, Sharing, Top, Worker};

pub(super) struct Lazy;

/// Whether the occupant of `worker` offers something of its innermost task.
fn offers(worker: &Worker) -> bool {
    let innermost = worker.tasks.innermost();
    worker.shelf.has(&|frame| frame.claim().origin.parent == innermost)
}

impl Sharing for Lazy {
    fn leaves(&self, worker: &Worker) -> bool {
        worker.num_workers() > 1 && !offers(worker)
    }

    fn is_wanted(&self, worker: &Worker) -> bool {
        self.leaves(worker)
    }

    fn at_return(&self, latent: Latent<'_>) -> Leaving {
        let worker = latent.worker();
        if !self.leaves(worker) {
            return Leaving::default();
        }
        let shelved = latent.shelve();
        if shelved.is_some() && worker.tasks.innermost().is_some() {
            // That may be a frame of an outer task. The next return looks again.
            worker.team().ladder(worker.index).raise();
        }
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
        // The worker leaves its oldest frame at its next return, or the next one that it forks.
        owner.be_eager();
        signal(owner);
    }
}
