//! Ask and give: how a worker asks another one for its oldest frame, and how a frame is handed over (Yasugi, Hiraishi,
//! Umatani and Yuasa 2012, section 2.2).
//!
//! ```text
//!   asker                                        victim
//!   mailbox = PENDING
//!   word: OPEN -> ASKED(me, seq)      ────────►  (keeps running, at no cost)
//!   raises the victim's bound         ────────►  next return: attend, under L
//!                                                word: -> OPEN, claims the oldest frame, H += 1
//!   mailbox: PENDING -> a frame       ◄────────  replies, after L, exactly once: a frame or NOTHING
//! ```
//!
//! The [`AskWord`] belongs to the victim, the [`Mailbox`] to the asker. Only a busy worker's word is open. A worker
//! that closes its word answers the ask that may be in it, so no worker waits for one that is itself waiting. (A worker
//! whose thread is at work in another pool looks busy.) An asker whose patience runs out withdraws its ask by a
//! compare-exchange. If that fails, the victim has accepted the ask: the reply is on its way, and the asker must
//! collect it.
//!
//! A frame in a mailbox belongs to the worker that removes the pointer: the asker, or the frame's owner if it comes
//! back first. This rule is the contract of the trait [`TaskPool`], which further pools will share. The [`Shelf`] has
//! the same rule: there a worker leaves frames without being asked, while others are idle.
//!
//! `models/ask.pml` and `models/reclaim.pml` check the protocol, with their mutants. Loom checks these sources
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

/// A place for frames that their owner has given away and that no worker has begun. The worker that removes a frame
/// runs it. So no worker ever follows a pointer to a frame that its owner has taken back.
pub(crate) trait TaskPool<F> {
    /// Adds a frame. The worker that removes it sees everything that has been written before.
    fn put(&self, frame: NonNull<F>);

    /// Removes a frame to run it, if there is one.
    fn get(&self) -> Option<NonNull<F>>;

    /// Removes `frame` if it is still here: its owner takes it back. Returns whether it was.
    fn reclaim(&self, frame: NonNull<F>) -> bool;
}
