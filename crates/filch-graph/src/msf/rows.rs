//! The first round: every vertex hooks itself to the other end of its lightest edge, without a list of edges.
//!
//! Edges are ordered by weight, then by the lower and by the higher vertex, so no two edges between different vertices
//! are equal. Then the hooks form trees, except that the lightest edge of a tree is chosen from both ends; the lower
//! one of these remains a root (Borůvka 1926).

use super::trees::Trees;
use crate::choose::tuning::PIECE;
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch};
use filch_algorithms::tabulate;
use std::cmp::Ordering;

/// Does a round on a symmetric graph. Returns the edges that were chosen, in the order of the vertices.
pub(super) fn first_round<V: Vertex>(
    graph: &WeightedCsr<V>,
    trees: &Trees<V>,
    watch: &dyn Watch,
) -> Vec<Vec<(V, V, f32)>> {
    let n = graph.num_vertices();
    watch.begin(Pass::new("choosing", "vertices", n));
    let lightest: Vec<V::Atomic> =
        tabulate(n, |v| V::Atomic::new(lightest(graph, V::new(v)).map_or(V::NONE, |(target, _)| target)));
    let mut chosen = vec![Vec::new(); n.div_ceil(PIECE)];
    filch::for_each((0_usize.., &mut chosen), |_, (piece, chosen)| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let count = vertices.len();
        for v in vertices.map(V::new) {
            let target = lightest[v.index()].load();
            let is_root = target == V::NONE || (lightest[target.index()].load() == v && v < target);
            if !is_root {
                trees.hook(v, target);
                let weight = self::lightest(graph, v).map_or(0.0, |(_, weight)| weight);
                chosen.push((v, target, weight));
            }
        }
        watch.advance(count);
    });
    trees.flatten();
    chosen
}

/// The lightest edge of a vertex to another one.
fn lightest<V: Vertex>(graph: &WeightedCsr<V>, u: V) -> Option<(V, f32)> {
    let others = graph.row(u).iter().zip(graph.weights(u)).filter(|(v, _)| **v != u);
    let order = |a: (V, f32), b: (V, f32)| -> Ordering {
        let ends = |v: V| (u.min(v), u.max(v));
        a.1.total_cmp(&b.1).then_with(|| ends(a.0).cmp(&ends(b.0)))
    };
    others.map(|(&v, &weight)| (v, weight)).min_by(|&a, &b| order(a, b))
}
