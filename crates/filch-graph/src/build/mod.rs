//! Builds compressed sparse rows, in parallel.
//!
//! Scattering arcs directly into their rows would touch another page for each arc and wait for an atomic addition each
//! time. So edges become rows in two steps: [`buckets`] distributes the arcs among some hundred buckets by their
//! sources, and [`rows`] sorts each bucket within the cache. Workers share blocks of edges in the first step and
//! buckets in the second; no place is written by two of them.

// Modules, from the bottom up: `error` (and allocation), `rules`, `source` (where edges come from), `buckets`,
// `rows` (both steps), `formula` (rows that are computed, without edges); above them `builder`, `derive` and
// `weights`, the public interface. May import: `Csr` and what is below it, not the generators and algorithms.

mod buckets;
mod builder;
mod derive;
mod error;
mod formula;
mod rows;
mod rules;
mod source;
mod weights;

pub use builder::CsrBuilder;
pub use derive::RelabelError;
pub use error::BuildError;
pub(crate) use error::with_room;
pub(crate) use formula::rows_by_formula;
pub(crate) use rows::rows_of;
pub use rules::Rules;
pub use source::Edge;
pub(crate) use source::{Formula, Parts, Source};
