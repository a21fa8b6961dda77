//! The seam between the engine and its schedulers: what a scheduler does where work may move. All of it is on slow
//! paths; a fork and a return that find nothing to do know no scheduler.
//!
//! Where it is called | what
//! ---|---
//! a fork that finds its slot marked | [`may_leave`](Sharing::may_leave): its frame goes to a shelf
//! a task that begins | [`leaves`](Sharing::leaves): whether the first slot is marked
//! a return that finds E raised | [`at_return`](Sharing::at_return), under L
//! a shelf that has become empty | [`at_empty_shelf`](Sharing::at_empty_shelf)
//! a run that forks | [`begins_activity`](Sharing::begins_activity)
//!
//! Which worker asks, which takes and from whom latent frames can be had at all are rules of `filch-policy`
//! ([`Rules`](filch_policy::Rules)).

use super::frame::Header;
use super::latent::{Latent, Leaving};
use super::occupied::Top;
use super::task::Goal;
use super::team::{Ladder, Team, Worker};
use filch_policy::becomes_patient;
use std::ptr::NonNull;

/// A scheduler, where it differs from others.
pub(crate) trait Sharing: Sync {
    /// Whether `worker` would leave something for others at a fork, if its credit allowed it.
    fn leaves(&self, worker: &Worker) -> bool;

    /// Whether `worker`, which forks, leaves its frame for others. Spends what allows it.
    fn may_leave(&self, worker: &Worker) -> bool;

    /// Whether something is wanted of `worker`, so that its oldest frame has to be prepared.
    fn is_wanted(&self, worker: &Worker) -> bool {
        worker.is_asked()
    }

    /// Decides what leaves, under L. Runs no user code, and does not unwind.
    fn at_return(&self, latent: &Latent<'_>) -> Leaving;

    /// A thief has removed a frame from the shelf of `owner`, which may be empty now.
    fn at_empty_shelf(&self, owner: &Ladder) {
        let shelf = &owner.owner().left;
        if shelf.is_empty() && shelf.kept() > 0 {
            // The owner has more, and opens it at its next return.
            owner.raise();
        }
    }

    /// The worker at `top` has removed its own latest frame from its shelf, which nobody has begun.
    fn at_reclaim(&self, top: &Top<'_>) {
        if becomes_patient(top.owner().forks_across()) {
            top.be_patient();
        }
    }

    /// A run has forked for the first time, or a scope has got its first task.
    fn begins_activity(&self, _: &Team) {}

    // What chaos does besides.

    /// A run from outside has got its seat.
    fn begins_run(&self, _: &Team) {}

    /// A fork is about to push at `top`, which has just been opened. Returns whether it pushes there without any
    /// announcement.
    fn at_fork(&self, _top: &Top<'_>) -> bool {
        false
    }

    /// `frame` has just been popped from `top`, and is `gone` or not. Returns whether it is gone now.
    ///
    /// # Safety
    ///
    /// The caller has just popped `frame` from `top`. `gone` says whether the frame is gone already.
    unsafe fn after_return(&self, _top: &Top<'_>, _frame: NonNull<Header>, gone: bool) -> bool {
        gone
    }

    /// A loop is about to claim its next block.
    ///
    /// # Safety
    ///
    /// The caller has just popped `frame` from `top`. It can be [divided](crate::engine::frame::Divide) until nothing
    /// is left of it.
    unsafe fn between_blocks(&self, _top: &Top<'_>, _frame: NonNull<Header>) {}

    /// Whether a spawn loop must call [`at_item`](Self::at_item) before it runs an item.
    fn wants_items(&self) -> bool {
        false
    }

    /// A spawn loop is about to run an item. What is left of it is on the ladder, below `top`.
    fn at_item(&self, _top: &Top<'_>) {}

    /// A thread of the team has spawned a task.
    fn at_spawn(&self, _: &Team) {}

    /// The owner of `scope` is about to run its next task.
    fn before_task(&self, _: &Team, _scope: Goal) {}
}

/// For tests of what no scheduler decides.
#[cfg(test)]
pub(crate) struct Unshared;

#[cfg(test)]
impl Sharing for Unshared {
    fn leaves(&self, _: &Worker) -> bool {
        false
    }

    fn may_leave(&self, _: &Worker) -> bool {
        false
    }

    fn at_return(&self, _: &Latent<'_>) -> Leaving {
        Leaving::default()
    }
}
