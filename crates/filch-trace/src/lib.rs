//! Traces: who did what when, for a viewer. Filch writes them of its workers, and its simulator of virtual ones.
//!
//! A trace has *tracks*, one for each thread or worker. On a track there are *slices*, which begin and end and nest as
//! calls do, and *instants*. A *flow* is an arrow from one to another, on any tracks. A *counter* is a track of
//! numbers. Times are in nanoseconds since any moment that is the same for the whole trace.
//!
//! ```
//! use filch_trace::{Event, Flow, Format, Trace, What};
//!
//! let mut trace = Trace::begin(Vec::new(), Format::Perfetto, "example", 1)?;
//! let (giver, thief) = (trace.add_track("main")?, trace.add_track("filch-1")?);
//! let give = What::Instant { name: "give", flow: Some(Flow::From(1)) };
//! let task = What::Begin { name: "task", flow: Some(Flow::To(1)) };
//! for (at_ns, track, what) in [(10, giver, give), (25, thief, task), (90, thief, What::End)] {
//!     trace.write(&Event { at_ns, track, what })?;
//! }
//! let bytes = trace.end()?;
//! assert_eq!(filch_trace::read::perfetto(&bytes)?.slices()?[0].end_ns, 90);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Both [formats](Format) are streams: what has been written is readable, also if nothing comes after it. A [`Trace`]
//! keeps events in a buffer and passes them on in whole packets, so that a process may be killed at any moment.

#![forbid(unsafe_code)]

mod chrome;
mod event;
mod moves;
mod perfetto;
#[cfg(feature = "read")]
pub mod read;
mod trace;

pub use event::{Event, Flow, Format, Track, UnknownFormat, What};
pub use moves::Moves;
pub use trace::Trace;
