//! The parallel algorithm: a round over all rows, then rounds over the light edges, then over those of the heavy edges
//! that are still between two trees.

use super::result::Msf;
use super::rounds::{self, Choices, Edge, Pieces, ascending};
use super::rows::first_round;
use super::trees::Trees;
use crate::choose::tuning::{LIGHT, PIECE, SAMPLES};
use crate::csr::WeightedCsr;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use std::ops::RangeInclusive;

pub(super) fn run<V: Vertex>(graph: &WeightedCsr<V>, watch: &dyn Watch) -> Msf<V> {
    let n = graph.num_vertices();
    let trees = Trees::new(n);
    let (mut chosen, mut rounds) = (Vec::new(), 0);
    if graph.is_symmetric() {
        chosen = first_round(graph, &trees, watch);
        rounds = 1;
    }
    let choices = Choices::new(n);
    let mut least = 0;
    for most in [light(graph), u32::MAX] {
        let range = least..=most;
        let pieces = pieces(graph, &trees, &range, watch);
        rounds += rounds::run(pieces, &trees, &choices, &mut chosen, watch);
        if most == u32::MAX {
            break;
        }
        trees.flatten();
        least = most + 1;
    }
    Msf::new(chosen.concat(), rounds, n)
}

/// The largest number of a weight of light edges, by a sample.
fn light<V: Vertex>(graph: &WeightedCsr<V>) -> u32 {
    let weights = &graph.out_rows().weights;
    let step = weights.len().div_ceil(SAMPLES).max(1);
    let mut sample: Vec<u32> = weights.iter().step_by(step).map(|&weight| ascending(weight)).collect();
    sample.sort_unstable();
    let edges = if graph.is_symmetric() { weights.len() / 2 } else { weights.len() };
    let share = (LIGHT * graph.num_vertices()) as f64 / edges.max(1) as f64;
    // If most edges are light, a filter saves nothing.
    let place = if share < 0.5 { (share * sample.len() as f64) as usize } else { sample.len() };
    sample.get(place).copied().unwrap_or(u32::MAX)
}

/// The edges between different trees whose weights have numbers in a range.
fn pieces<V: Vertex>(
    graph: &WeightedCsr<V>,
    trees: &Trees<V>,
    range: &RangeInclusive<u32>,
    watch: &dyn Watch,
) -> Pieces<V> {
    let (n, is_symmetric) = (graph.num_vertices(), graph.is_symmetric());
    watch.begin(Pass::new("filtering", "vertices", n));
    let mut pieces = vec![Vec::new(); n.div_ceil(PIECE)];
    filch::for_each((0_usize.., &mut pieces), |_, (piece, edges)| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let count = vertices.len();
        for u in vertices.map(V::new) {
            let tree = trees.above(u);
            for (&v, &weight) in graph.row(u).iter().zip(graph.weights(u)) {
                if (u < v || !is_symmetric) && range.contains(&ascending(weight)) && trees.above(v) != tree {
                    edges.push(Edge { trees: [tree, trees.above(v)], ends: [u, v], weight });
                }
            }
        }
        watch.advance(count);
    });
    pieces
}
