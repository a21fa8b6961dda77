//! Traces: what each thread does for pools, and when, in a file for a viewer.
//!
//! A thread writes [events](event) of 32 bytes into a [ring] of its own, and one thread of the process, the
//! [flusher], moves them to the file every [few milliseconds](flusher::PERIOD). So a process that is killed leaves a
//! readable file, which lacks the last moments. Nothing is recorded before a pool is built where `FILCH_TRACE` is set;
//! until then each place here costs a relaxed load and a branch, and all places are on slow paths.
//!
//! Tracks belong to threads, not to workers: a thread that helps aside is two workers, and one that sleeps is none, but
//! what a thread does always nests. So an event also names the worker, if there is one.
//!
//! | state | written by |
//! |---|---|
//! | `IS_ON` | who builds the first pool with a trace; whoever cannot write, and the end of the process |
//! | the slots and the head of a ring | its thread |
//! | the tail of a ring | whoever holds the lock of the flusher |
//! | the list of rings | a thread with its first event, and the flusher, under a lock |
//! | the file | whoever holds the lock of the flusher: its thread, the end of a pool, and the end of the process |
//!
//! **Arrows.** A frame that leaves its worker is known by its address. [`flows`] joins the event of its leaving with
//! the beginning of its task, in the order of time (`filch_trace::Moves`).
//!
//! **Lost events.** A ring that is full takes no event, and counts it. Whoever begins a slice leaves room for its end,
//! so that slices nest all the same.
//!
//! **Processes.** The file is that of the process which has opened it. A child of fork(2) records nothing, and takes
//! none of the locks here.
//!
//! May import: `sync`.

pub(crate) mod event;
mod flows;
pub(crate) mod flusher;
mod local;
mod ring;
pub(crate) mod span;

pub(crate) use local::{Slice, begin, given, reclaimed, taken};

use crate::sync::Ordering;
use std::sync::atomic::AtomicBool;

/// Whether events are recorded.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether events are recorded.
#[inline(always)]
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}
