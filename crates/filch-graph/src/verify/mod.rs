//! Checks the results of the algorithms by independent means.
//!
//! The verifiers are serial loops over the arcs that leave each vertex, with their own union-find and queue. They share
//! no code with the algorithms and do not use the runtime, and they rely on no property of the graph other than these
//! arcs. So a wrong result goes unnoticed only if both are wrong in the same way. Their time is almost linear: 10^8
//! arcs take a few seconds.

// Modules, from the bottom up: `arcs` (iteration over all arcs), `disjoint` (union-find), and one verifier each in
// `forest`, `components` and `bfs`. May import: only `Graph` and `Vertex`.

mod arcs;
mod bfs;
mod components;
mod disjoint;
mod forest;

pub use bfs::{BfsError, BfsSummary, verify_bfs};
pub use components::{ComponentsError, ComponentsSummary, verify_components};
pub use forest::{ForestError, ForestSummary, verify_forest};
