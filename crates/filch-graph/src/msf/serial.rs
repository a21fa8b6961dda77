//! Kruskal's algorithm, the baseline for the parallel algorithm.

use super::MinimumForest;
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// Finds a minimum spanning forest by Kruskal's algorithm (Kruskal 1956): edges from the lightest on, each of which is
/// kept if it joins two trees. Trees are a union-find with path halving.
///
/// Work: O(m log m) to sort the edges. Memory: 12 bytes for each edge, and the result.
pub fn serial<V: Vertex>(graph: &WeightedCsr<V>) -> MinimumForest<V> {
    let n = graph.num_vertices();
    let is_symmetric = graph.is_symmetric();
    let mut edges = Vec::with_capacity(if is_symmetric { graph.num_arcs() / 2 } else { graph.num_arcs() });
    for u in (0..n).map(V::new) {
        look_at(u.index());
        let arcs = graph.row(u).iter().zip(graph.weights(u));
        edges.extend(arcs.filter(|(v, _)| u < **v || !is_symmetric).map(|(&v, &weight)| (u, v, weight)));
    }
    edges.sort_unstable_by(|a, b| a.2.total_cmp(&b.2));
    let mut parents: Vec<V> = (0..n).map(V::new).collect();
    let mut find = |mut v: V, other: Option<V>| {
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
