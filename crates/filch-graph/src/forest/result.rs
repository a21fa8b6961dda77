//! What comes of it: a forest, or why there is none.

use super::algorithm::Algorithm;
use crate::build::BuildError;
use crate::vertex::Vertex;
use filch::TraversalCounts;

/// A tree for each component.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forest<V = u32> {
    /// The parent of each vertex, to which it has an edge; a root is its own. Which of many forests it is, is a matter
    /// of luck.
    pub parents: Vec<V>,
    /// How it was built; never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Why so.
    pub reason: &'static str,
    /// What happened.
    pub counts: Counts,
}

/// What happened while a forest was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Worklists: batches, steals and so on; of all of them together, but phases and the largest batch of the one with
    /// most.
    pub traversal: TraversalCounts,
    /// Passes in which vertices looked for a neighbour in the tree.
    pub passes: usize,
    /// Vertices that found one.
    pub pulled: usize,
    /// Edges by which trees were joined.
    pub links: usize,
    /// Small components, each of which one worker has walked alone.
    pub islands: usize,
}

impl Counts {
    pub(super) fn add_traversal(&mut self, counts: TraversalCounts) {
        let sum = &mut self.traversal;
        sum.items += counts.items;
        sum.tasks += counts.tasks;
        sum.batches += counts.batches;
        sum.swaps += counts.swaps;
        sum.steals += counts.steals;
        sum.idle += counts.idle;
        sum.phases = sum.phases.max(counts.phases);
        sum.workers = sum.workers.max(counts.workers);
        sum.largest_batch = sum.largest_batch.max(counts.largest_batch);
    }
}

/// Why there is no forest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForestError {
    /// The graph is directed.
    #[error("a spanning forest needs an undirected graph, and this one is directed; symmetrize it first")]
    Directed,
    /// The root is no vertex.
    #[error("the root is vertex {root}, and the graph has {num_vertices} vertices, from 0 on")]
    NoSuchRoot {
        /// What was given.
        root: u64,
        /// How many there are.
        num_vertices: usize,
    },
    /// The edges found by [`Algorithm::UnionFind`] do not fit into memory once more.
    #[error("the trees cannot be rooted")]
    Rooting(#[from] BuildError),
}

impl<V: Vertex> Forest<V> {
    /// How many trees there are: components. Work: a pass over the parents, in parallel.
    pub fn num_trees(&self) -> usize {
        let is_root = |(v, parent): (usize, &V)| usize::from(parent.index() == v);
        filch::map_reduce((0_usize.., &self.parents), || 0, |_, item| is_root(item), |a, b| a + b)
    }
}
