//! Task pools: where a frame lies between the worker that gives it away and the worker that begins it.
//!
//! ```text
//!   on the ladder ── claimed under L ──► put ──► removed by a worker, which runs it ──► done
//!                                         └────► reclaimed by its owner, which runs it itself
//! ```
//!
//! The claim of a frame says in which pool it lies. A worker that comes back for a frame that has left its ladder asks
//! that pool for it. So a frame belongs to the worker that removes it, and no worker ever follows a pointer to a frame
//! that its owner has taken back (Acar, Charguéraud, Guatto, Rainey and Sieczkowski 2018, section 5.1, names three such
//! pools).
//!
//! The [mailbox](super::ask::Mailbox) of an asker is a pool from which only the asker removes. A [`SharedPool`] is open
//! to every worker of the team; the [`Shelf`] is one, on which a worker leaves frames while others are idle. Neither
//! the workers that give nor those that look for work know which pools there are.
//!
//! `models/reclaim.pml` checks the rule, with its mutants. Loom checks these sources (`loom_tests.rs`). May import:
//! `sync`.

#[cfg(all(test, loom))]
mod loom_tests;
mod shelf;

pub(crate) use shelf::Shelf;

use std::ptr::NonNull;

/// What stands for a frame on its way. Whoever has it may run the frame.
pub(crate) trait Parcel: Send {
    type Frame;

    fn frame(&self) -> NonNull<Self::Frame>;
}

#[cfg(test)]
impl<F: Sync> Parcel for &F {
    type Frame = F;

    fn frame(&self) -> NonNull<F> {
        NonNull::from(*self)
    }
}

/// A place for frames that their owner has given away and that no worker has begun. The worker that removes a frame
/// runs it.
pub(crate) trait TaskPool<F> {
    /// Removes `frame` if it is still here: its owner takes it back. Returns whether it was.
    fn reclaim(&self, frame: NonNull<F>) -> bool;
}

/// A task pool of one worker, from which other workers may remove frames. Those that are not open to them are *kept*:
/// the owner hands them over when it is asked, or opens them later.
pub(crate) trait SharedPool<P: Parcel>: TaskPool<P::Frame> + Send + Sync {
    /// Adds a frame. The worker that removes it sees everything that has been written before.
    fn put(&self, parcel: P);

    /// How many frames seem to be open to other workers. Takes no lock.
    fn len(&self) -> usize;

    /// How many frames there seem to be, including those that are not open. Takes no lock.
    fn kept(&self) -> usize;

    /// Whether no frame seems to be open to other workers. Takes no lock.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is a frame, open or not, that `is_wanted`. While that is called the frame stays here, and so it
    /// lives.
    fn has(&self, is_wanted: &dyn Fn(&P) -> bool) -> bool;

    /// Removes the oldest open frame that `is_wanted`, to run it. While that is called the frame stays here, and so
    /// lives.
    fn get(&self, is_wanted: &dyn Fn(&P) -> bool) -> Option<P>;

    /// Removes the oldest frame that `is_wanted`, open or not. Called by the owner, to hand it over.
    fn hand_over(&self, is_wanted: &dyn Fn(&P) -> bool) -> Option<P>;

    /// Opens what has come to be the oldest frame. Called by the owner, now and then. Returns whether there was one.
    fn poll(&self) -> bool;

    /// Opens all frames, until the owner [retracts](Self::retract) them. Called by the owner, before it waits. Returns
    /// whether it has opened any.
    fn publish(&self) -> bool;

    /// Closes what was [published](Self::publish). Called by the owner, when it is busy again.
    fn retract(&self);
}
