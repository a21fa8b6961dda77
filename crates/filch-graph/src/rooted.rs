//! A search tree for each component, from its smallest vertex.

use crate::bfs::{Bfs, BfsTree};
use crate::components::components;
use crate::graph::Graph;
use crate::vertex::Vertex;
use filch_algorithms::{map, pack_indices};

/// A breadth-first search of a symmetric graph from the smallest vertex of every component at once. Its depths depend
/// on nothing but the graph. Work: O(n + m).
pub(crate) fn search<G: Graph>(graph: &G) -> BfsTree<G::Vertex> {
    let labels = components(graph).into_labels();
    let smallest = pack_indices(labels.len(), |v| labels[v].index() == v);
    Bfs::new().run_from(graph, &map(&smallest, |&v| G::Vertex::new(v)))
}
