//! A plain traversal: a rival, and what others are checked against.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// Of each vertex, the smallest vertex of its (weakly) connected component: by a traversal on this thread with a stack
/// and nothing else. Shares no code with [`components`](super::components).
///
/// Work: that of following all arcs once; of a directed graph, both ways.
pub fn serial<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    let mut labels = vec![G::Vertex::NONE; graph.num_vertices()];
    let (mut stack, is_symmetric) = (Vec::new(), graph.is_symmetric());
    for index in 0..labels.len() {
        if labels[index] != G::Vertex::NONE {
            continue;
        }
        let label = G::Vertex::new(index);
        labels[index] = label;
        stack.push(label);
        while let Some(u) = stack.pop() {
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
