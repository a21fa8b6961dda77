//! Checks the results of the algorithms by independent means.
//!
//! The verifiers are serial loops over the arcs that leave each vertex, with their own union-find, queue and lists.
//! They share no code with the algorithms and do not use the runtime, and they rely on no property of the graph other
//! than these arcs. So a wrong result goes unnoticed only if both are wrong in the same way. Their time is almost
//! linear, except for triangles, closeness and, from many sources, betweenness: 10^8 arcs take a few seconds.

// Modules, from the bottom up: `arcs` (iteration over all arcs), `disjoint` (union-find), and one verifier each in
// the other files. May import: only `Graph`, `Vertex` and weighted rows.

mod arcs;
mod betweenness;
mod bfs;
mod biconnected;
mod bipartite;
mod closeness;
mod communities;
mod components;
mod cores;
mod disjoint;
mod distances;
mod forest;
mod greedy;
mod lengths;
mod msf;
mod pagerank;
mod scc;
mod sssp;
mod topological_order;
mod triangles;
mod truss;
mod walks;

pub use betweenness::{BetweennessSummary, verify_betweenness};
pub use bfs::{BfsSummary, verify_bfs};
pub use biconnected::{BiconnectedSummary, verify_biconnected};
pub use bipartite::{verify_odd_cycle, verify_sides};
pub use closeness::verify_closeness;
pub use communities::{CommunitiesSummary, verify_communities};
pub use components::{ComponentsSummary, verify_components};
pub use cores::{CoresSummary, verify_cores};
pub use distances::verify_distances;
pub use forest::{ForestSummary, verify_forest};
pub use greedy::{verify_colouring, verify_independent_set, verify_matching};
pub use lengths::verify_edge_betweenness;
pub use msf::{MsfSummary, verify_msf};
pub use pagerank::{PageRankSummary, verify_pagerank};
pub use scc::{StrongComponentsSummary, verify_strong_components};
pub use sssp::{SsspSummary, verify_sssp};
pub use topological_order::{verify_cycle, verify_levels, verify_topological_order};
pub use triangles::{verify_clustering, verify_triangles};
pub use truss::{TrussSummary, verify_truss};
pub use walks::verify_walks;

/// The first fault that was found in a result: what was expected and what was found, with a vertex that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Wrong(String);

impl Wrong {
    fn length(found: usize, what: &str, count: usize) -> Self {
        Wrong(format!("{found} {what} were found, expected one for each of {count} vertices"))
    }

    fn no_vertex(what: &str, vertex: usize, found: usize, count: usize) -> Self {
        Wrong(format!("the {what} of vertex {vertex} is {found}: expected a vertex below {count}"))
    }
}
