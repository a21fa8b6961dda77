//! What is asked of a search, and the result.

use crate::choose::bfs::Reason;
use crate::cli_enum::cli_enum;
use crate::path::path_to;
use crate::vertex::Vertex;

/// The depth of an unreached vertex.
pub const UNREACHED: u32 = u32::MAX;

/// How the vertices of the next level are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// For each level the direction that seems cheaper.
    #[default]
    Auto,
    /// By following the arcs that leave the frontier.
    TopDown,
    /// By checking the arcs that lead to each unreached vertex, until one comes from the frontier.
    BottomUp,
}

cli_enum!(Direction, "direction", ParseDirectionError: Auto = "auto", TopDown = "top-down", BottomUp = "bottom-up");

/// The result of a breadth-first search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BfsTree<V = u32> {
    /// The number of arcs on a shortest path to each vertex from the nearest source, or [`UNREACHED`]. Empty if it was
    /// not [requested](super::Bfs::output).
    pub depths: Vec<u32>,
    /// The parent of each vertex: its predecessor on a shortest path from the nearest source. A source is its own
    /// parent, and an unreached vertex has the parent [`Vertex::NONE`].
    ///
    /// If a vertex has several shortest paths, the choice is nondeterministic.
    pub parents: Vec<V>,
    /// Statistics of each level. The first level consists of the sources.
    pub levels: Vec<Level>,
}

/// Statistics of a level, which consists of all vertices of the same depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of arcs that were read to find the next level.
    pub arcs: usize,
    /// How the next level was found: [`TopDown`](Direction::TopDown) or [`BottomUp`](Direction::BottomUp).
    pub direction: Direction,
    /// Why it was found in this way.
    pub reason: Reason,
}

impl<V: Vertex> BfsTree<V> {
    /// The number of reached vertices, including the sources.
    pub fn num_reached(&self) -> usize {
        self.levels.iter().map(|level| level.vertices).sum()
    }

    /// The number of arcs that were read on all levels.
    pub fn num_arcs(&self) -> usize {
        self.levels.iter().map(|level| level.arcs).sum()
    }

    /// The depth of a vertex, if it was reached.
    ///
    /// Work: O(1); if only parents were [requested](super::Bfs::output), the depth.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn depth(&self, v: V) -> Option<u32> {
        if self.depths.is_empty() {
            return self.path_to(v).and_then(|path| u32::try_from(path.len() - 1).ok());
        }
        Some(self.depths[v.index()]).filter(|&depth| depth != UNREACHED)
    }

    /// A path to a vertex of as few arcs as possible, from a source on, with both ends; `None` if it was not reached.
    ///
    /// Work: the length of the path.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn path_to(&self, v: V) -> Option<Vec<V>> {
        path_to(&self.parents, v)
    }

    /// The depth of the last level. Sources have depth 0.
    pub fn max_depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }
}
