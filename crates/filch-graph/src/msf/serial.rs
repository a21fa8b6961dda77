//! Kruskal's algorithm, the baseline for the parallel algorithm.

use super::MinimumForest;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::look_at;
use crate::weight::Weight;
use filch_algorithms::memory::with_room;

/// Finds a minimum spanning forest by Kruskal's algorithm (Kruskal 1956): edges from the lightest on, each of which is
/// kept if it joins two trees. Trees are a union-find with path halving.
///
/// Work: O(m log m) to sort the edges. Memory: two vertices and a weight for each edge, and the result.
pub fn serial<G: WeightedGraph>(graph: &G) -> MinimumForest<G::Vertex, G::Weight> {
    let n = graph.num_vertices();
    let is_symmetric = graph.is_symmetric();
    let mut edges = with_room(graph.num_arcs() / if is_symmetric { 2 } else { 1 }).unwrap_or_default();
    for u in (0..n).map(G::Vertex::new) {
        look_at(u.index());
        edges.extend(graph.arcs(u).filter(|(v, _)| u < *v || !is_symmetric).map(|(v, weight)| (u, v, weight)));
    }
    edges.sort_unstable_by(|a: &(_, _, G::Weight), b| a.2.order(&b.2));
    let mut parents: Vec<G::Vertex> = (0..n).map(G::Vertex::new).collect();
    let mut find = |mut v: G::Vertex, other: Option<G::Vertex>| {
        while parents[v.index()] != v {
            let grandparent = parents[parents[v.index()].index()];
            parents[v.index()] = grandparent;
            v = grandparent;
        }
        if let Some(root) = other {
            parents[v.index()] = root;
        }
        v
    };
    edges.retain(|&(u, v, _)| {
        let root = find(u, None);
        let joins = find(v, None) != root;
        if joins {
            find(v, Some(root));
        }
        joins
    });
    MinimumForest::new(edges, 0, n)
}
