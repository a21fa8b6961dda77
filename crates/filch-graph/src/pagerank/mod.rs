//! PageRank (Brin and Page 1998, "The anatomy of a large-scale hypertextual web search engine").
//!
//! The definition is that of the GAP Benchmark Suite: n vertices share a score of 1 at first, and in each iteration
//! the score of a vertex becomes (1 - d) / n + d Σ score(u) / degree(u), over the arcs that lead to it from vertices
//! u. The share of a vertex that no arc leaves is lost, so the scores of a graph with such vertices add up to less
//! than 1.
//!
//! Scores that are updated in place converge sooner, except for their sum, which becomes wrong and takes long to
//! recover. So after an iteration in place, what the vertices have pulled is multiplied by the factor that restores the
//! sum (Koury, McAllister and Stewart 1984, "Iterative methods for computing stationary distributions of nearly
//! completely decomposable Markov chains"). On a star this takes 2 iterations instead of 26.

// Modules, from the bottom up: `options`, `result`, `iterate`; `serial` uses the first two only. May import: `Graph`
// and what computes arrays, not other algorithms, builders or readers.

mod iterate;
mod options;
mod result;
mod serial;

pub use options::{Options, ParseUpdateError, Update};
pub use result::PageRank;
pub use serial::serial;

use crate::graph::Graph;
use crate::watch::Watch;

/// The PageRank of `graph`, as [`pagerank_with`] computes it with the default options.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::pagerank::pagerank;
///
/// let graph: Csr = Csr::builder(4).build(vec![(0, 3), (1, 3), (2, 3), (3, 0)])?;
/// let found = pagerank(&graph);
/// assert_eq!(found.top(2), [(3, found.scores[3]), (0, found.scores[0])]);
/// assert!(found.scores[1] < found.scores[0]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn pagerank<G: Graph>(graph: &G) -> PageRank {
    pagerank_with(graph, Options::default())
}

/// The PageRank of `graph`.
///
/// Work: O(n + m) for each iteration; all vertices pull from the arcs that lead to them, without atomic
/// read-modify-write instructions. Span of an iteration: the longest row. Memory: 8 bytes for each vertex with
/// [`Update::InPlace`], half of which is the result, and 12 bytes with [`Update::Synchronous`].
///
/// # Panics
///
/// Panics if the [options](Options) are out of range, or if the global pool is needed and cannot be started; see
/// [`filch::run`].
pub fn pagerank_with<G: Graph>(graph: &G, options: Options) -> PageRank {
    pagerank_watched(graph, options, &())
}

/// The same as [`pagerank_with`], and reports progress to `watch`: a pass over the vertices for each iteration.
///
/// # Panics
///
/// Panics as [`pagerank_with`] does, and if `watch` does.
pub fn pagerank_watched<G: Graph>(graph: &G, options: Options, watch: &dyn Watch) -> PageRank {
    options.check();
    iterate::run(graph, options, watch)
}
