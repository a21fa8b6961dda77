//! Building compressed sparse rows from edges, in parallel.
//!
//! A scatter of arcs straight to their rows writes each to another page and waits for an atomic addition each time. So
//! there are two steps ([`buckets`], [`rows`]): arcs go to some hundred buckets by their sources, then each bucket is
//! ordered within the cache. Blocks of edges and buckets of arcs are what workers share; nothing is written by two of
//! them.

mod buckets;
mod builder;
mod derive;
mod error;
mod formula;
mod from_edges;
mod room;
mod rows;
mod source;

pub use builder::CsrBuilder;
pub use derive::RelabelError;
pub use error::BuildError;
pub(crate) use formula::rows_by_formula;
pub(crate) use from_edges::{Rules, rows_of};
pub(crate) use room::with_room;
pub(crate) use source::{Formula, Parts, Source};
