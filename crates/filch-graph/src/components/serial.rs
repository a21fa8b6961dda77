//! Serial graph traversal, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// For each vertex, the smallest vertex of its (weakly) connected component, by a serial traversal with a stack. Also
/// what [`Algorithm::Serial`](super::Algorithm::Serial) runs; shares no code with the other algorithms.
///
/// Work: following all arcs once, in a directed graph in both directions.
pub fn serial<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    let mut labels = vec![G::Vertex::NONE; graph.num_vertices()];
    let (mut stack, is_symmetric) = (Vec::new(), graph.is_symmetric());
    for index in 0..labels.len() {
        look_at(index);
        if labels[index] != G::Vertex::NONE {
            continue;
        }
        let label = G::Vertex::new(index);
        labels[index] = label;
        stack.push(label);
        while let Some(u) = stack.pop() {
            look_at(u.index());
            let mut visit = |v: G::Vertex| {
                if labels[v.index()] == G::Vertex::NONE {
                    labels[v.index()] = label;
                    stack.push(v);
                }
            };
            graph.neighbors(u).for_each(&mut visit);
            if !is_symmetric {
                graph.in_neighbors(u).for_each(&mut visit);
            }
        }
    }
    labels
}
