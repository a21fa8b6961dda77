//! The interface through which the algorithms read a graph.

use crate::vertex::Vertex;

/// A graph: vertices 0 to n - 1, and *arcs* from each vertex to its neighbors.
///
/// An undirected edge is a pair of arcs, one in each direction. A graph in which all arcs come in such pairs is
/// *symmetric*. Implement this trait to run the algorithms on a graph type of your own; the adapter for petgraph
/// (feature `petgraph`) is an example.
pub trait Graph: Sync {
    /// The type that stores the number of a vertex.
    type Vertex: Vertex;

    /// The number of vertices.
    fn num_vertices(&self) -> usize;

    /// The number of arcs. In a symmetric graph this is twice the number of edges, except that a self-loop is one arc.
    fn num_arcs(&self) -> usize;

    /// Whether the graph contains the reverse of each of its arcs.
    fn is_symmetric(&self) -> bool;

    /// The number of arcs that leave `v`.
    fn degree(&self, v: Self::Vertex) -> usize;

    /// The targets of the arcs that leave `v`.
    fn neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_;

    /// The sources of the arcs that lead to `v`. In a symmetric graph these are the neighbors of `v`.
    fn in_neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_;

    /// The same as [`in_neighbors`](Self::in_neighbors), if they are in one slice. An algorithm that only adds up what
    /// they have takes several at a time from it.
    #[inline(always)]
    fn in_slice(&self, v: Self::Vertex) -> Option<&[Self::Vertex]> {
        let _ = v;
        None
    }

    /// A hint that [`degree`](Self::degree) and [`prefetch_neighbors`](Self::prefetch_neighbors) of `v` will be called
    /// soon.
    #[inline(always)]
    fn prefetch(&self, v: Self::Vertex) {
        let _ = v;
    }

    /// A hint that [`neighbors`](Self::neighbors) of `v` will be iterated over soon.
    #[inline(always)]
    fn prefetch_neighbors(&self, v: Self::Vertex) {
        let _ = v;
    }
}
