//! What the algorithms ask of a graph.

use crate::vertex::Vertex;

/// A graph, as the algorithms see it: vertices 0 to n - 1, and from each of them *arcs* to its neighbours.
///
/// An undirected edge is two arcs, one each way; a graph in which all arcs come in such pairs is *symmetric*. Bring
/// your own by implementing this; the adapter for petgraph (feature `petgraph`) is an example.
pub trait Graph: Sync {
    /// How a vertex is written.
    type Vertex: Vertex;

    /// How many vertices there are.
    fn num_vertices(&self) -> usize;

    /// How many arcs there are; in a symmetric graph, twice the number of edges (a self-loop is one arc).
    fn num_arcs(&self) -> usize;

    /// Whether for each arc its reverse is there, too.
    fn is_symmetric(&self) -> bool;

    /// How many arcs leave `v`.
    fn degree(&self, v: Self::Vertex) -> usize;

    /// Where the arcs that leave `v` lead.
    fn neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_;

    /// Where the arcs that lead to `v` come from; of a symmetric graph, its neighbours.
    fn in_neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_;

    /// A hint: [`degree`](Self::degree) and [`prefetch_neighbors`](Self::prefetch_neighbors) of `v` will be called
    /// soon.
    #[inline(always)]
    fn prefetch(&self, v: Self::Vertex) {
        let _ = v;
    }

    /// A hint: [`neighbors`](Self::neighbors) of `v` will be walked soon.
    #[inline(always)]
    fn prefetch_neighbors(&self, v: Self::Vertex) {
        let _ = v;
    }
}
