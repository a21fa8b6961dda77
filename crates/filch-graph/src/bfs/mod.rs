//! Breadth-first search.
//!
//! The search is direction-optimizing (Beamer, Asanović and Patterson 2012, "Direction-optimizing breadth-first
//! search"). While the frontier is small, its arcs are followed (top-down). While it is large, each open vertex looks
//! for a neighbor in the frontier and stops at the first one (bottom-up). A level with few arcs, or with arcs that lead
//! to places near to each other, is searched by one worker with a plain queue.

// Modules, from the bottom up: `options`, `result`, `record` (what is written for each vertex), `top_down`,
// `bottom_up` and `narrow` (how a level is searched), `search`; `serial` is independent. May import: `choose`, `Graph`,
// bitmaps and queues, not other algorithms, builders or readers.

mod bottom_up;
mod narrow;
mod options;
mod record;
mod result;
mod search;
mod serial;
mod top_down;

pub use crate::choose::bfs::Reason;
pub use options::{Direction, Options, Output, ParseDirectionError};
pub use result::{Bfs, Level, UNREACHED};
pub use serial::serial;

use crate::graph::Graph;
use crate::vertex::Vertex;

/// Searches `graph` from `root` along the arcs, as [`bfs_with`] does with the default options.
///
/// ```
/// use filch_graph::bfs::{UNREACHED, bfs};
/// use filch_graph::{Csr, Vertex};
///
/// let graph: Csr = Csr::builder(4).build(vec![(0, 1), (1, 2), (0, 1)])?;
/// let found = bfs(&graph, 0);
/// assert_eq!(found.depths, [0, 1, 2, UNREACHED]);
/// assert_eq!(found.parents, [0, 0, 1, u32::NONE]);
/// assert_eq!(found.num_reached(), 3);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`bfs_with`] does.
pub fn bfs<G: Graph>(graph: &G, root: G::Vertex) -> Bfs<G::Vertex> {
    bfs_with(graph, root, Options::default())
}

/// Searches `graph` from `root` along the arcs.
///
/// Work: O(n + m) for n vertices and m arcs. [`Direction::TopDown`] follows each arc at most once. [`Direction::Auto`]
/// reads at most about six times as many arcs and vertices, and usually fewer than the graph has.
/// [`Direction::BottomUp`] reads all unreached vertices on each level: O((n + m) d) for d levels. Span: the number of
/// levels times the length of the longest row. Memory: about 12 bytes for each vertex if a vertex has 32 bits, most of
/// which is the result.
///
/// # Panics
///
/// Panics if `root` is not a vertex of the graph, if a depth does not fit in 32 bits, or if the global pool is needed
/// and cannot be started; see [`filch::run`].
pub fn bfs_with<G: Graph>(graph: &G, root: G::Vertex, options: Options) -> Bfs<G::Vertex> {
    assert!(
        root.index() < graph.num_vertices(),
        "the root is vertex {root}, but the graph has only {} vertices",
        graph.num_vertices()
    );
    search::run(graph, root, options)
}
