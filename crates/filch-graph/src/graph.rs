//! The interface through which the algorithms read a graph.

use crate::vertex::Vertex;
use crate::weight::Weight;

/// A graph: vertices 0 to n - 1, and *arcs* from each vertex to its neighbors.
///
/// An undirected edge is a pair of arcs, one in each direction. A graph in which all arcs come in such pairs is
/// *symmetric*. Implement this trait to run the algorithms on a graph type of your own; the adapter for petgraph
/// (feature `petgraph`) is an example. If the answers contradict each other, algorithms return wrong results, panic or
/// do not end.
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

/// The graph is directed, and the problem is one of undirected graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this problem is one of undirected graphs, but this graph is directed: symmetrize it first")]
pub struct DirectedError;

impl DirectedError {
    /// Fails if `graph` is directed.
    pub(crate) fn check<G: Graph>(graph: &G) -> Result<(), Self> {
        if graph.is_symmetric() { Ok(()) } else { Err(DirectedError) }
    }
}

/// A graph with a weight for each arc. In a symmetric graph, an arc and its reverse have the same weight.
///
/// ```
/// use filch_graph::{Csr, Graph, WeightedGraph, sssp::sssp};
///
/// /// Steps forward, which take as long as the step is.
/// struct Steps(Csr);
///
/// impl Graph for Steps {
///     type Vertex = u32;
///
///     fn num_vertices(&self) -> usize {
///         self.0.num_vertices()
///     }
///     // ... and so on.
/// #     fn num_arcs(&self) -> usize { self.0.num_arcs() }
/// #     fn is_symmetric(&self) -> bool { self.0.is_symmetric() }
/// #     fn degree(&self, v: u32) -> usize { self.0.degree(v) }
/// #     fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ { self.0.neighbors(v) }
/// #     fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ { self.0.in_neighbors(v) }
/// }
///
/// impl WeightedGraph for Steps {
///     type Weight = u32;
///
///     fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
///         self.0.neighbors(v).map(move |w| (w, w - v))
///     }
/// }
///
/// let steps = Steps([(0, 2), (2, 9), (0, 9)].into_iter().collect());
/// assert_eq!(sssp(&steps, 0)?.distances[9], 9);
/// # Ok::<(), filch_graph::sssp::SsspError<u32>>(())
/// ```
pub trait WeightedGraph: Graph {
    /// The type of the weights.
    type Weight: Weight;

    /// The targets of the arcs that leave `v`, in the order of [`neighbors`](Graph::neighbors), with their weights.
    fn arcs(&self, v: Self::Vertex) -> impl Iterator<Item = (Self::Vertex, Self::Weight)> + '_;

    /// The same as [`arcs`](Self::arcs), if targets and weights are in a slice each. Algorithms look ahead in them.
    #[inline(always)]
    #[expect(clippy::type_complexity, reason = "a pair of slices needs no name")]
    fn arc_slices(&self, v: Self::Vertex) -> Option<(&[Self::Vertex], &[Self::Weight])> {
        let _ = v;
        None
    }

    /// A hint that [`arcs`](Self::arcs) of `v` will be iterated over soon.
    #[inline(always)]
    fn prefetch_arcs(&self, v: Self::Vertex) {
        self.prefetch_neighbors(v);
    }
}
