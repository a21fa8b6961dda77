//! Afforest: union-find with sampling.
//!
//! The labels form [trees](Trees), whose roots are the smallest vertices of their components in the end, regardless of
//! the schedule (Sutton, Ben-Nun and Barak 2018, "Optimizing parallel graph connectivity computation via subgraph
//! sampling").

use crate::choose::tuning::{AHEAD, ROUNDS, SAMPLES};
use crate::graph::Graph;
use crate::sets::{Bitmap, Trees};
use crate::vertex::Vertex;

/// Labels the components of `graph`. Initially the label of each vertex must be the vertex itself. Vertices that are
/// `settled` keep their labels, and must have no arcs to other vertices.
pub(super) fn afforest<G: Graph, const DIRECTED: bool>(graph: &G, trees: &Trees<G::Vertex>, settled: Option<&Bitmap>) {
    // The vertex so many positions after `v`, if there is one.
    let after = |v: G::Vertex, ahead: usize| Some(v.index() + ahead).filter(|&v| v < trees.len()).map(G::Vertex::new);
    for round in 0..ROUNDS {
        let neighbor = |v: G::Vertex| graph.neighbors(v).nth(round);
        trees.for_each(settled, |v| {
            // The neighbors in random graphs are at random places in memory, so prefetch the rows first, and then the
            // labels of the neighbors.
            if let Some(later) = after(v, 2 * AHEAD) {
                graph.prefetch_neighbors(later);
            }
            if let Some(u) = after(v, AHEAD).and_then(neighbor) {
                trees.prefetch(u);
            }
            if let Some(u) = neighbor(v) {
                trees.link(u, v);
            }
        });
        trees.flatten(settled);
    }
    // A vertex that gets this label during the loop may be left out, too. Each arc is either followed from one of its
    // ends, or both ends have this label already.
    let largest = largest(trees, settled);
    trees.for_each(settled, |v| {
        if Some(trees.above(v)) == largest {
            return;
        }
        graph.neighbors(v).skip(ROUNDS).for_each(|u| _ = trees.link(u, v));
        if DIRECTED {
            graph.in_neighbors(v).for_each(|u| _ = trees.link(u, v));
        }
    });
    trees.flatten(settled);
}

/// The most frequent label in a sample of the vertices that are not settled, or `None` if the sample is empty.
fn largest<V: Vertex>(trees: &Trees<V>, settled: Option<&Bitmap>) -> Option<V> {
    let n = trees.len();
    let is_settled = |v: usize| settled.is_some_and(|settled| settled.get(v));
    let mut drawn: Vec<V> = Vec::with_capacity(SAMPLES);
    let step = (n / SAMPLES).max(1);
    drawn.extend((0..n).step_by(step).filter(|&v| !is_settled(v)).map(|v| trees.above(V::new(v))));
    drawn.sort_unstable();
    drawn.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}
