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
//! back first. This is the rule of every [task pool](super::task_pool).
//!
//! `models/ask.pml` and `models/reclaim.pml` check the protocol, with their mutants. Loom checks these sources
//! (`loom_tests.rs`). May import: `task_pool`, `sync`.

#[cfg(all(test, loom))]
mod loom_tests;
mod mailbox;
mod word;

pub(crate) use mailbox::Mailbox;
pub(crate) use word::{Ask, AskWord, Word};
