//! Graphs of the crate petgraph: an adapter, which is also an example of an implementation of [`Graph`], and copies.

use crate::build::{BuildError, CsrBuilder};
use crate::csr::Csr;
use crate::graph::{Graph, WeightedGraph};
use crate::weight::Weight;
use petgraph::Direction::Incoming;
use petgraph::EdgeType;
use petgraph::graph::IndexType;
use petgraph::stable_graph::StableGraph;
use petgraph::visit::{
    EdgeRef, GraphProp, IntoEdgeReferences, IntoEdges, IntoNeighborsDirected, NodeCompactIndexable, NodeCount,
    NodeIndexable,
};

/// A reference to a graph of the crate petgraph. Vertex v is the node with index v. It is a [`WeightedGraph`] if the
/// edges have a [`Weight`], which should be finite; others are ignored.
///
/// It supports the graph types whose node indices have no gaps and that can list incoming edges: `petgraph::Graph` and
/// `GraphMap`. Nothing is copied, but following linked lists of edges takes longer than reading the rows of a
/// [`Csr`], which can be made of a `petgraph::Graph` and of a `StableGraph` by `From`.
///
/// ```
/// use filch_graph::{Graph, Petgraph};
/// use petgraph::graph::UnGraph;
///
/// let roads = UnGraph::<&str, f64>::from_edges([(0, 1, 2.5), (1, 2, 7.0)]);
/// let graph = Petgraph::new(&roads)?;
/// assert_eq!((graph.num_vertices(), graph.num_arcs(), graph.degree(1)), (3, 4, 2));
/// assert_eq!(filch_graph::sssp::sssp(&graph, 0)?.distances, [0.0, 2.5, 9.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Petgraph<G> {
    graph: G,
    num_arcs: usize,
}

impl<G> Petgraph<G>
where
    G: IntoNeighborsDirected + NodeCompactIndexable + NodeCount + GraphProp,
{
    /// Wraps a reference to a graph and counts its arcs, in time O(n + m).
    ///
    /// # Errors
    ///
    /// [`BuildError::TooManyVertices`] if the graph has more vertices than `u32` can number.
    pub fn new(graph: G) -> Result<Self, BuildError> {
        let (num_vertices, max) = (graph.node_count(), u32::MAX as usize);
        if num_vertices > max {
            return Err(BuildError::TooManyVertices { num_vertices, max });
        }
        // This is not twice the number of edges: a self-loop is one arc.
        let num_arcs = (0..num_vertices).map(|v| graph.neighbors(graph.from_index(v)).count()).sum();
        Ok(Petgraph { graph, num_arcs })
    }
}

impl<G> Graph for Petgraph<G>
where
    G: IntoNeighborsDirected + NodeCompactIndexable + NodeCount + GraphProp + Sync,
{
    type Vertex = u32;

    fn num_vertices(&self) -> usize {
        self.graph.node_count()
    }

    fn num_arcs(&self) -> usize {
        self.num_arcs
    }

    fn is_symmetric(&self) -> bool {
        !self.graph.is_directed()
    }

    fn degree(&self, v: u32) -> usize {
        self.graph.neighbors(self.graph.from_index(v as usize)).count()
    }

    fn neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let neighbors = self.graph.neighbors(self.graph.from_index(v as usize));
        neighbors.map(|node| self.graph.to_index(node) as u32)
    }

    fn in_neighbors(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let neighbors = self.graph.neighbors_directed(self.graph.from_index(v as usize), Incoming);
        neighbors.map(|node| self.graph.to_index(node) as u32)
    }
}

impl<G> WeightedGraph for Petgraph<G>
where
    G: IntoEdges + IntoNeighborsDirected + NodeCompactIndexable + NodeCount + GraphProp + Sync,
    G::EdgeWeight: Weight,
{
    type Weight = G::EdgeWeight;

    fn arcs(&self, v: u32) -> impl Iterator<Item = (u32, G::EdgeWeight)> + '_ {
        let edges = self.graph.edges(self.graph.from_index(v as usize));
        edges.map(|edge| (self.graph.to_index(edge.target()) as u32, *edge.weight()))
    }
}

/// A copy of a graph whose vertices are the node indices, without what nodes have.
fn copied<G>(graph: G) -> Csr<u32, G::EdgeWeight>
where
    G: IntoEdgeReferences + NodeIndexable + GraphProp,
    G::EdgeWeight: Weight,
{
    let vertex = |node: G::NodeId| u32::try_from(graph.to_index(node)).unwrap_or(u32::MAX);
    let edges = graph.edge_references().map(|edge| (vertex(edge.source()), vertex(edge.target()), *edge.weight()));
    let builder = CsrBuilder::new(graph.node_bound()).symmetrize(!graph.is_directed());
    builder.build_weighted(edges).unwrap_or_else(|error| panic!("the graph cannot be copied: {error}"))
}

/// A copy of a graph, with its weights: see [`Weight`] for their types. Vertex v is the node with index v. What nodes
/// have, and other things that edges have, is left to the original: `graph.map(|_, _| (), |_, edge| edge.length)`
/// makes weights of it.
///
/// Work: as for [`CsrBuilder::build`].
///
/// ```
/// use filch_graph::{Csr, msf::msf};
/// use petgraph::graph::UnGraph;
///
/// let roads = UnGraph::<&str, i64>::from_edges([(0, 1, 2), (1, 2, 7), (2, 0, -3)]);
/// assert_eq!(msf(&Csr::from(&roads)).weight, -1);
/// ```
///
/// # Panics
///
/// Panics if there are 2^32 nodes or more, not enough memory, or a weight that is infinite or not a number.
impl<N, W: Weight, Ty: EdgeType, Ix: IndexType> From<&petgraph::Graph<N, W, Ty, Ix>> for Csr<u32, W> {
    fn from(graph: &petgraph::Graph<N, W, Ty, Ix>) -> Self {
        copied(graph)
    }
}

/// A copy of a graph, as of a `petgraph::Graph`. A node that has been removed is a vertex without arcs, so that the
/// others keep their indices.
///
/// # Panics
///
/// Panics as for a `petgraph::Graph`.
impl<N, W: Weight, Ty: EdgeType, Ix: IndexType> From<&StableGraph<N, W, Ty, Ix>> for Csr<u32, W> {
    fn from(graph: &StableGraph<N, W, Ty, Ix>) -> Self {
        copied(graph)
    }
}
