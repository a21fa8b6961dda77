//! Minimum spanning forests.
//!
//! The parallel algorithm is Borůvka's, with the filter of Osipov, Sanders and Singler (2009, "The filter-Kruskal
//! minimum spanning tree algorithm"): light edges first, and of the heavy ones only those whose ends are still in
//! different trees. With few workers, one of them joins the trees by Kruskal's algorithm, and the others filter and
//! sort.

// Modules, from the bottom up: `result`; `trees` (which tree a vertex is in), `rows` and `rounds` (a round over all
// rows, and rounds over a list of edges), `filter` (the parallel algorithm); `serial` is independent. May import:
// weighted rows and `Watch`, not other algorithms, builders or readers.

mod filter;
mod result;
mod rounds;
mod rows;
mod serial;
mod trees;

pub use result::Msf;
pub use serial::serial;

use crate::choose::tuning::SMALL;
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};

/// The largest number of vertices, because a tree is numbered in 32 bits.
const MOST_VERTICES: usize = u32::MAX as usize;

/// Finds a minimum spanning forest: a spanning tree of each component whose weights have the least sum. Arcs are edges
/// regardless of direction. Weights may be negative.
///
/// ```
/// use filch_graph::msf::msf;
/// use filch_graph::{Csr, WeightedCsr};
///
/// let roads = vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)];
/// let graph: WeightedCsr = Csr::builder(4).symmetrize(true).build_weighted(roads)?;
/// let found = msf(&graph);
/// assert_eq!((found.edges.len(), found.num_trees(), found.weight), (2, 2, 4.5));
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// If several edges have the same weight, there may be several such forests, all with the same weights; which one is
/// found depends on the number of workers.
///
/// Work: O((n + m) log n) in the worst case; for random weights the filter leaves O(m + n log n log (m/n)) (Osipov et
/// al. 2009, section 3). Span: with four workers or more,
/// O(log n) rounds, each of which takes as long as the longest row. Memory: about 20 bytes
/// for each vertex, and 20 for each edge that is among the lightest two per vertex or passes the filter.
///
/// # Panics
///
/// Panics if the graph has 2^32 vertices or more, or if the global pool is needed and cannot be started; see
/// [`filch::run`].
pub fn msf<V: Vertex>(graph: &WeightedCsr<V>) -> Msf<V> {
    msf_watched(graph, &())
}

/// The same as [`msf`], and reports progress to `watch`: passes over the vertices that choose and filter edges, and
/// passes over the edges that may join two trees.
///
/// # Panics
///
/// Panics as [`msf`] does, and if `watch` does.
pub fn msf_watched<V: Vertex>(graph: &WeightedCsr<V>, watch: &dyn Watch) -> Msf<V> {
    let n = graph.num_vertices();
    assert!(n <= MOST_VERTICES, "a minimum spanning forest has at most {MOST_VERTICES} vertices, found {n}");
    if n + graph.num_arcs() >= SMALL {
        return filter::run(graph, watch);
    }
    watch.begin(Pass::new("joining", "edges", graph.num_edges()));
    let found = serial(graph);
    watch.advance(graph.num_edges());
    found
}
