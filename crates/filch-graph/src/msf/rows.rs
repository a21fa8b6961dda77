//! The first round: every vertex hooks itself to the other end of its lightest edge, without a list of edges.
//!
//! Edges are ordered by weight, then by the lower and by the higher vertex, so no two edges between different vertices
//! are equal. Then the hooks form trees, except that the lightest edge of a tree is chosen from both ends; the lower
//! one of these remains a root (Borůvka 1926).

use super::rounds::Chosen;
use crate::choose::tuning::PIECE;
use crate::graph::WeightedGraph;
use crate::sets::Trees;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch};
use crate::weight::Weight;
use filch_algorithms::tabulate;
use std::cmp::Ordering;

/// Does a round on a symmetric graph. Returns the edges that were chosen, in the order of the vertices.
pub(super) fn first_round<G: WeightedGraph>(
    graph: &G,
    trees: &Trees<G::Vertex>,
    watch: &dyn Watch,
) -> Chosen<G::Vertex, G::Weight> {
    let (n, none) = (graph.num_vertices(), G::Vertex::NONE);
    watch.begin(Pass::new("choosing", "vertices", n));
    let target = |v: usize| lightest(graph, G::Vertex::new(v)).map_or(none, |(target, _)| target);
    let targets: Vec<<G::Vertex as Vertex>::Atomic> = tabulate(n, |v| AtomicVertex::new(target(v)));
    let mut chosen = vec![Vec::new(); n.div_ceil(PIECE)];
    filch::for_each((0_usize.., &mut chosen), |_, (piece, chosen)| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let count = vertices.len();
        for v in vertices.map(G::Vertex::new) {
            let target = targets[v.index()].load();
            let is_root = target == none || (targets[target.index()].load() == v && v < target);
            if !is_root {
                trees.hook(v, target);
                let weight = lightest(graph, v).map_or(G::Weight::ONE, |(_, weight)| weight);
                chosen.push((v, target, weight));
            }
        }
        watch.advance(count);
    });
    trees.flatten_deep();
    chosen
}

/// The lightest edge of a vertex to another one.
fn lightest<G: WeightedGraph>(graph: &G, u: G::Vertex) -> Option<(G::Vertex, G::Weight)> {
    let order = |a: &(G::Vertex, G::Weight), b: &(G::Vertex, G::Weight)| -> Ordering {
        let ends = |v: G::Vertex| (u.min(v), u.max(v));
        a.1.order(&b.1).then_with(|| ends(a.0).cmp(&ends(b.0)))
    };
    // Both directions of an edge have the same place in the order, also where one weighs 0 and the other one -0.
    graph.arcs(u).filter(|(v, _)| *v != u).map(|(v, weight)| (v, weight.canonical())).min_by(order)
}
