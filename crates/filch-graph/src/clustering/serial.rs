//! Triangles at each vertex by plain loops, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::triangles;

/// The number of triangles that each vertex of a symmetric graph is in, by the loops of [`triangles::serial`]. Shares
/// no code with [`clustering`](super::clustering()).
///
/// Work: as for [`triangles::serial`]. The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> Vec<u64> {
    let mut of_each = vec![0; graph.num_vertices()];
    triangles::for_each_serially(graph, |corners| corners.iter().for_each(|&v| of_each[v] += 1));
    of_each
}
