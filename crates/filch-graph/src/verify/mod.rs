//! Verifiers: whether an answer is right, found out by other means than the answer was.
//!
//! They are plain serial loops over the arcs that leave each vertex, with a union-find and a queue of their own: they
//! share neither code nor the runtime with what they check, and believe the graph nothing but those arcs. So a mistake
//! would have to be made twice to go unnoticed. Their time is O(n + m) with small factors, some seconds for 10^8 arcs.
//!
//! - `forest`: parents make a spanning forest
//! - `components`: labels tell what is connected
//! - `bfs`: depths are distances, and parents one step nearer
//! - `disjoint`: the union-find

mod arcs;
mod bfs;
mod components;
mod disjoint;
mod forest;

pub use bfs::{BfsError, BfsSummary, verify_bfs};
pub use components::{ComponentsError, ComponentsSummary, verify_components};
pub use forest::{ForestError, ForestSummary, verify_forest};
