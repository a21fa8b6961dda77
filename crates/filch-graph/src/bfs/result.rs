//! What a search has found.

use super::options::Direction;
use crate::vertex::Vertex;

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
