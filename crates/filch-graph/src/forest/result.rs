//! How a forest is built, and the result.

use super::algorithm::Algorithm;
use crate::choose::Facts;
use crate::vertex::Vertex;
use filch::TraversalCounts;

/// How a worker claims a vertex that other workers may claim at the same time (Yasugi, Hiraishi, Umatani and Yuasa
/// 2012, figure 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claims {
    /// By a load and a store. A memory barrier at the beginning of each batch prevents cycles. A vertex may be visited
    /// twice.
    #[default]
    Store,
    /// By a load and a compare-exchange. Each vertex is visited once.
    Exchange,
}

/// A spanning forest: a tree for each component.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpanningForest<V = u32> {
    /// The parent of each vertex, which is one of its neighbors. The parent of a root is the root itself. A graph can
    /// have many spanning forests, and the choice is nondeterministic.
    pub parents: Vec<V>,
    /// The algorithm that was used, never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Why this algorithm was used.
    pub reason: &'static str,
    /// What the choice was made by.
    pub facts: Facts,
    /// Statistics.
    pub counts: Counts,
}

/// Statistics about building a forest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Statistics of the worklists: batches, steals and so on. These are sums over all traversals, except that the
    /// numbers of phases and workers and the largest batch are maxima.
    pub traversal: TraversalCounts,
    /// The number of passes in which vertices looked for a neighbor in the tree.
    pub passes: usize,
    /// The number of vertices that found one.
    pub pulled: usize,
    /// The number of edges by which trees were joined.
    pub links: usize,
}

/// Why a forest could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForestError {
    /// The graph is directed.
    #[error("a spanning forest needs an undirected graph, but this one is directed; symmetrize it first")]
    Directed,
    /// The requested root is not a vertex.
    #[error("the root is vertex {root}, but the graph has only {num_vertices} vertices, numbered from 0")]
    NoSuchRoot {
        /// The requested root.
        root: u64,
        /// The number of vertices.
        num_vertices: usize,
    },
}

impl<V: Vertex> SpanningForest<V> {
    /// The number of trees, which is the number of components. Work: a pass over the parents, in parallel.
    pub fn num_trees(&self) -> usize {
        let is_root = |(v, parent): (usize, &V)| usize::from(parent.index() == v);
        filch::map_reduce((0_usize.., &self.parents), || 0, |_, item| is_root(item), |a, b| a + b)
    }
}
