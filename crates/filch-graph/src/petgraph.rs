//! An adapter for the graphs of the crate petgraph. It is also an example of an implementation of [`Graph`].

use crate::build::BuildError;
use crate::graph::Graph;
use petgraph::Direction::Incoming;
use petgraph::visit::{GraphProp, IntoNeighborsDirected, NodeCompactIndexable, NodeCount};

/// A reference to a graph of the crate petgraph. Vertex v is the node with index v; weights are ignored.
///
/// It supports the graph types whose node indices have no gaps and that can list incoming edges: `petgraph::Graph` and
/// `GraphMap`. Nothing is copied, but following linked lists of edges takes longer than reading the rows of a
/// [`Csr`](crate::Csr).
///
/// ```
/// use filch_graph::{Graph, Petgraph};
/// use petgraph::graph::UnGraph;
///
/// let roads = UnGraph::<&str, f64>::from_edges([(0, 1, 2.5), (1, 2, 7.0)]);
/// let graph = Petgraph::new(&roads)?;
/// assert_eq!((graph.num_vertices(), graph.num_arcs(), graph.degree(1)), (3, 4, 2));
/// # Ok::<(), filch_graph::BuildError>(())
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
