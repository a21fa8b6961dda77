//! Checks the results of the algorithms by independent means.
//!
//! The verifiers are serial loops over the arcs that leave each vertex, with their own union-find, queue and lists.
//! They share no code with the algorithms and do not use the runtime, and they rely on no property of the graph other
//! than these arcs. So a wrong result goes unnoticed only if both are wrong in the same way. Their time is almost
//! linear, except for triangles: 10^8 arcs take a few seconds.

// Modules, from the bottom up: `arcs` (iteration over all arcs), `disjoint` (union-find), and one verifier each in
// the other files. May import: only `Graph`, `Vertex` and weighted rows.

mod arcs;
mod bfs;
mod components;
mod cores;
mod disjoint;
mod forest;
mod msf;
mod pagerank;
mod scc;
mod sssp;
mod triangles;

pub use bfs::{BfsError, BfsSummary, verify_bfs};
pub use components::{ComponentsError, ComponentsSummary, verify_components};
pub use cores::{CoresError, CoresSummary, verify_cores};
pub use forest::{ForestError, ForestSummary, verify_forest};
pub use msf::{MsfError, MsfSummary, verify_msf};
pub use pagerank::{PageRankError, PageRankSummary, verify_pagerank};
pub use scc::{StrongComponentsError, StrongComponentsSummary, verify_strong_components};
pub use sssp::{SsspError, SsspSummary, verify_sssp};
pub use triangles::{TriangleCountError, verify_triangles};
