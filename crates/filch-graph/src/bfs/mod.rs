//! Breadth-first search.
//!
//! Direction-optimising (Beamer, Asanović, Patterson: Direction-optimizing breadth-first search, SC 2012): while the
//! frontier is small, its arcs are followed; where it is large, each vertex that is still open looks for a neighbour
//! in it, and the first one that it finds ends its search.

mod bottom_up;
mod options;
mod record;
mod search;
mod serial;
mod top_down;

pub use options::{Direction, Options, Output, ParseDirectionError};
pub use serial::serial;

use crate::{Graph, Vertex};

/// The depth of a vertex that the search has not reached.
pub const UNREACHED: u32 = u32::MAX;

/// What a breadth-first search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bfs<V = u32> {
    /// How many arcs a shortest path from the root to each vertex has, or [`UNREACHED`]. Empty if nobody
    /// [asked](Options::output) for it.
    pub depths: Vec<u32>,
    /// The vertex before each one on a shortest path from the root; the root is its own parent, and [`Vertex::NONE`]
    /// that of a vertex that was not reached. Empty if nobody [asked](Options::output) for it.
    ///
    /// Which one of several is a matter of luck.
    pub parents: Vec<V>,
    /// What each level was, from the root on, which is a level of its own.
    pub levels: Vec<Level>,
}

/// The vertices of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// How many there are.
    pub vertices: usize,
    /// How many arcs were looked at to find those of the next level.
    pub arcs: usize,
    /// How those of the next level were looked for: [`TopDown`](Direction::TopDown) or
    /// [`BottomUp`](Direction::BottomUp).
    pub direction: Direction,
}

impl<V: Vertex> Bfs<V> {
    /// How many vertices were reached, the root included.
    pub fn num_reached(&self) -> usize {
        self.levels.iter().map(|level| level.vertices).sum()
    }

    /// How many arcs were looked at, on all levels.
    pub fn num_arcs(&self) -> usize {
        self.levels.iter().map(|level| level.arcs).sum()
    }

    /// The depth of the last level; that of the root is 0.
    pub fn max_depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }
}

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
