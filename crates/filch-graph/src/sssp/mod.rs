//! Shortest paths from one vertex.
//!
//! The search is delta-stepping (Meyer and Sanders 2003, "Δ-stepping: a parallelizable shortest path algorithm"), with
//! the bucket fusion of Zhang, Brahmakshatriya, Chen, Dhulipala, Kamil, Amarasinghe and Shun (2020, "Optimizing ordered
//! graph algorithms with GraphIt", section 3): vertices wait in buckets by their distance, and the vertices of the
//! lowest bucket are processed in parallel.

// Modules, from the bottom up: `result`; `bins` (the buckets); `search`; `serial` is independent. May import: weighted
// rows and `Watch`, not other algorithms, builders or readers.

mod bins;
mod result;
mod search;
mod serial;

pub use result::{NegativeWeight, Options, Sssp, UNREACHED};
pub use serial::serial;

use crate::choose::tuning::SMALL;
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};

/// Finds the distance of every vertex from `root`, as [`sssp_with`] does with the default options.
///
/// ```
/// use filch_graph::sssp::{UNREACHED, sssp};
/// use filch_graph::{Csr, WeightedCsr};
///
/// let roads: WeightedCsr = Csr::builder(4).build_weighted(vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)])?;
/// let found = sssp(&roads, 0)?;
/// assert_eq!(found.distances, [0.0, 4.5, 2.0, UNREACHED]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`sssp_with`].
///
/// # Panics
///
/// Panics as [`sssp_with`] does.
pub fn sssp<V: Vertex>(graph: &WeightedCsr<V>, root: V) -> Result<Sssp, NegativeWeight> {
    sssp_with(graph, root, Options::default())
}

/// Finds the distance of every vertex from `root`: the least sum of the weights of the arcs of a path.
///
/// Weights are added in 64 bits from the root on, and the result does not depend on the schedule. It is exact if all
/// weights are whole numbers and the distances are below 2^53. Otherwise it is the least of the rounded sums.
///
/// Work: O(n + m) for random weights and a suitable `delta` (Meyer and Sanders 2003, section 4), and in the worst case,
/// as for all algorithms of this family, much more. Span: the number of steps times the length of the longest row.
/// Memory: eight bytes for each vertex, which is the result, and the vertices that wait, some of them several times.
///
/// # Errors
///
/// [`NegativeWeight`] if an arc that leaves a reached vertex has a weight below 0.
///
/// # Panics
///
/// Panics if `root` is not a vertex of the graph, if `delta` is not a number above 0, or if the global pool is needed
/// and cannot be started; see [`filch::run`].
pub fn sssp_with<V: Vertex>(graph: &WeightedCsr<V>, root: V, options: Options) -> Result<Sssp, NegativeWeight> {
    sssp_watched(graph, root, options, &())
}

/// The same as [`sssp_with`], and reports progress to `watch`: one pass, in which a vertex counts when a path to it has
/// been found, and vertices to which there is none at the end.
///
/// # Errors
///
/// As for [`sssp_with`]. Then the pass is not complete.
///
/// # Panics
///
/// Panics as [`sssp_with`] does, and if `watch` does.
pub fn sssp_watched<V: Vertex>(
    graph: &WeightedCsr<V>,
    root: V,
    options: Options,
    watch: &dyn Watch,
) -> Result<Sssp, NegativeWeight> {
    let n = graph.num_vertices();
    assert!(root.index() < n, "the root is vertex {root}, but the graph has only {n} vertices");
    if let Some(delta) = options.delta {
        assert!(delta > 0.0 && delta.is_finite(), "delta must be a number above 0, found {delta}");
    }
    watch.begin(Pass::new("reaching", "vertices", n));
    if options.delta.is_none() && n + graph.num_arcs() < SMALL {
        let found = serial(graph, root)?;
        watch.advance(n);
        return Ok(found);
    }
    search::run(graph, root, options, watch)
}
