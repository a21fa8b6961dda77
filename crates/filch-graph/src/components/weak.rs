//! Arcs that are there in one direction only.

use crate::choose::tuning::PIECE;
use crate::graph::Graph;
use crate::sets::Trees;
use crate::vertex::Vertex;
use crate::watch::Watch;

/// Joins the components of vertices between which there is an arc in one direction. The label of a vertex is the
/// smallest one of its component, before and after.
pub(super) fn joined<G: Graph>(graph: &G, labels: Vec<G::Vertex>, watch: &dyn Watch) -> Vec<G::Vertex> {
    let n = labels.len();
    let trees = Trees::<G::Vertex>::new(n);
    let join_piece = |piece: usize| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let mut has_joined = false;
        for v in vertices.clone() {
            for u in graph.neighbors(G::Vertex::new(v)) {
                if labels[u.index()] != labels[v] {
                    has_joined |= trees.link(labels[u.index()], labels[v]);
                }
            }
        }
        watch.advance(vertices.len());
        has_joined
    };
    if !filch::map_reduce(0..n.div_ceil(PIECE), || false, |_, piece| join_piece(piece), |a, b| a | b) {
        return labels;
    }
    filch_algorithms::tabulate(n, |v| trees.root(labels[v]))
}
