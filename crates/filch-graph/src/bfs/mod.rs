//! Breadth-first search.
//!
//! Direction-optimising (Beamer, Asanović, Patterson: Direction-optimizing breadth-first search, SC 2012): while the
//! frontier is small, its arcs are followed; where it is large, each vertex that is still open looks for a neighbour
//! in it, and the first one that it finds ends its search.

mod bottom_up;
mod options;
mod record;
mod result;
mod search;
mod serial;
mod top_down;

pub use options::{Direction, Options, Output, ParseDirectionError};
pub use result::{Bfs, Level, UNREACHED};
pub use serial::serial;

use crate::graph::Graph;
use crate::vertex::Vertex;

/// Searches `graph` from `root`, along the arcs, breadth first: [`bfs_with`] the default options.
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
/// As [`bfs_with`].
pub fn bfs<G: Graph>(graph: &G, root: G::Vertex) -> Bfs<G::Vertex> {
    bfs_with(graph, root, Options::default())
}

/// Searches `graph` from `root`, along the arcs, breadth first.
///
/// Work: O(n + m) for n vertices and m arcs. [Top-down](Direction::TopDown) each arc is followed once at most;
/// [`Direction::Auto`] looks at some six times as many arcs and vertices at the very most, and most often at fewer than
/// there are. [`Direction::BottomUp`] looks at all that is not reached on each level: O((n + m) times levels). Span:
/// that of the largest row of arcs, times the number of levels. Memory: 12 bytes for each vertex where vertices have 32
/// bits, most of which is the result.
///
/// # Panics
///
/// If there is no such root, or if some depth is too large for 32 bits; if a loop of Filch does.
pub fn bfs_with<G: Graph>(graph: &G, root: G::Vertex, options: Options) -> Bfs<G::Vertex> {
    assert!(
        root.index() < graph.num_vertices(),
        "the root is vertex {root}, and the graph has {} vertices",
        graph.num_vertices()
    );
    search::run(graph, root, options)
}
