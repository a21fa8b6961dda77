//! Ask and give: how a frame changes hands when its owner is asked first (design, section 5; tascell-graphs.txt, 2.2).
//!
//! ```text
//!   asker                                        victim
//!   mailbox = PENDING
//!   word: OPEN -> ASKED(me, seq)      ────────►  (runs on; costs it nothing)
//!   raise the victim's bound          ────────►  next return: attend, under L
//!                                                word: -> OPEN, claim the oldest frame, H += 1
//!   mailbox: PENDING -> a frame       ◄────────  reply, after L, exactly once: a frame or NOTHING
//! ```
//!
//! [`AskWord`] is the victim's, [`Mailbox`] the asker's. Only a busy worker's word is open; closing it answers the ask
//! that may stand in it, so nobody waits for a worker that waits itself. (One that works in another pool meanwhile
//! looks busy.) An asker whose patience runs out takes the ask back by a compare-exchange; if that comes too late, the
//! reply is on its way and must be collected.
//!
//! A frame in a mailbox belongs to whoever removes the pointer: the asker, or the owner who came back for it before the
//! asker was there. [`TaskPool`] is that rule, for the pools to come as well. One more is here already: the [`Shelf`],
//! where a worker leaves frames unasked while others sleep.
//!
//! Checked by `models/ask.pml` and `models/reclaim.pml` with their mutants, and these sources by loom
//! (`loom_tests.rs`). May import: `sync`.

#[cfg(all(test, loom))]
mod loom_tests;
mod mailbox;
mod shelf;
mod word;

pub(crate) use mailbox::Mailbox;
pub(crate) use shelf::Shelf;
pub(crate) use word::{Ask, AskWord, Word};

use std::ptr::NonNull;

/// Where frames lie that their owner has given away and nobody has begun. Whoever removes a frame runs it; so nobody
/// ever follows a pointer to a frame that its owner has taken back.
pub(crate) trait TaskPool<F> {
    /// Adds a frame. Everything written before is seen by whoever removes it.
    fn put(&self, frame: NonNull<F>);

    /// Removes a frame to run it, if there is one.
    fn get(&self) -> Option<NonNull<F>>;

    /// Removes `frame` if it is still here: its owner takes it back.
    fn reclaim(&self, frame: NonNull<F>) -> bool;
}
