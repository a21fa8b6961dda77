//! The result of a search.

use super::options::Direction;
use crate::choose::bfs::Reason;
use crate::vertex::Vertex;

/// The depth of an unreached vertex.
pub const UNREACHED: u32 = u32::MAX;

/// The result of a breadth-first search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bfs<V = u32> {
    /// The number of arcs on a shortest path from the root to each vertex, or [`UNREACHED`]. Empty if it was not
    /// [requested](super::options::Options::output).
    pub depths: Vec<u32>,
    /// The parent of each vertex: its predecessor on a shortest path from the root. The root is its own parent, and an
    /// unreached vertex has the parent [`Vertex::NONE`]. Empty if it was not
    /// [requested](super::options::Options::output).
    ///
    /// If a vertex has several shortest paths, the choice is nondeterministic.
    pub parents: Vec<V>,
    /// Statistics of each level. The first level consists of the root.
    pub levels: Vec<Level>,
}

/// Notes the statistics of the level that is searched next, and returns the depth of the level after it.
#[inline(always)]
pub(super) fn next_depth(levels: &mut Vec<Level>, level: Level) -> u32 {
    let depth = depth_after(levels.len());
    levels.push(level);
    depth
}

/// The depth of what the level of this depth finds.
#[inline(always)]
pub(super) fn depth_after(depth: usize) -> u32 {
    deeper(u32::try_from(depth).unwrap_or(UNREACHED))
}

/// The next depth.
#[inline(always)]
pub(super) fn deeper(depth: u32) -> u32 {
    let next = depth.saturating_add(1);
    assert!(next != UNREACHED, "a path in this graph is too long: depths have 32 bits");
    next
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

impl<V: Vertex> Bfs<V> {
    /// The number of reached vertices, including the root.
    pub fn num_reached(&self) -> usize {
        self.levels.iter().map(|level| level.vertices).sum()
    }

    /// The number of arcs that were read on all levels.
    pub fn num_arcs(&self) -> usize {
        self.levels.iter().map(|level| level.arcs).sum()
    }

    /// The depth of the last level. The root has depth 0.
    pub fn max_depth(&self) -> usize {
        self.levels.len().saturating_sub(1)
    }
}
