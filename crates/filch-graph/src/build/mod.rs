//! Builds compressed sparse rows, in parallel.
//!
//! Scattering arcs directly into their rows would touch another page for each arc and wait for an atomic addition each
//! time. So edges become rows in two steps: [`buckets`] distributes the arcs among some hundred buckets by their
//! sources, and [`rows`] sorts each bucket within the cache. Workers share blocks of edges in the first step and
//! buckets in the second; no place is written by two of them.

// Modules, from the bottom up: `error` and `room` (allocation), `source` (where edges come from), `buckets`, `rows`,
// `from_edges` (both steps), `formula` (rows that are computed, without edges); above them `builder`, `derive` and
// `weights`, the public interface. May import: `Csr` and what is below it, not the generators and algorithms.

mod buckets;
mod builder;
mod derive;
mod error;
mod formula;
mod from_edges;
mod room;
mod rows;
mod source;
mod weights;

pub use builder::CsrBuilder;
pub use derive::RelabelError;
pub use error::BuildError;
pub(crate) use formula::rows_by_formula;
pub(crate) use from_edges::{Rules, rows_of};
pub(crate) use room::with_room;
pub(crate) use source::{Edge, Flipped, Formula, Parts, Source};
