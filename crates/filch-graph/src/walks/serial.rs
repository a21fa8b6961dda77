//! Walks in a plain loop, as a baseline.

use super::{RandomWalks, Walks};
use crate::graph::{Graph, WeightedGraph};
use crate::vertex::Vertex;
use crate::weight::Weight;

/// A walk from each of `starts` with these options. Shares no code with [`RandomWalks::run`], and draws other numbers.
///
/// Work: O(1) for each uniform step. With `node2vec`, for each step the degree of the vertex before times that of the
/// vertex.
///
/// # Panics
///
/// Panics if a start is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, starts: &[G::Vertex], options: RandomWalks<'_>) -> Walks<G::Vertex> {
    walk(starts, options, |before, v, share| {
        if before.is_some() && options.has_memory() {
            return drawn(graph, options, before, graph.neighbors(v).map(|w| (w, 1.0)), share);
        }
        let degree = graph.neighbors(v).count();
        graph.neighbors(v).nth((share * degree as f64) as usize)
    })
}

/// The same, by arcs that are as likely as their weights say. Weights must be finite and not negative, and so must be
/// the sum of those of a vertex.
///
/// Work: the degree for each step. With `node2vec`, as for [`serial`].
///
/// # Panics
///
/// Panics if a start is not a vertex of the graph.
pub fn serial_weighted<G: WeightedGraph>(
    graph: &G,
    starts: &[G::Vertex],
    options: RandomWalks<'_>,
) -> Walks<G::Vertex> {
    walk(starts, options, |before, v, share| {
        let before = before.filter(|_| options.has_memory());
        drawn(graph, options, before, graph.arcs(v).map(|(w, weight)| (w, weight.rounded())), share)
    })
}

/// `step` gets the vertex before, the vertex, and a random number from 0 to 1, without 1.
fn walk<V: Vertex>(starts: &[V], options: RandomWalks<'_>, step: impl Fn(Option<V>, V, f64) -> Option<V>) -> Walks<V> {
    let room = options.length + 1;
    // A xorshift generator (Marsaglia 2003), whose state is never 0.
    let mut state = options.seed | 1;
    let mut share = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << f64::MANTISSA_DIGITS) as f64
    };
    let mut steps = vec![V::NONE; room * starts.len()];
    for (start, steps) in starts.iter().zip(steps.chunks_mut(room)) {
        steps[0] = *start;
        for done in 1..room {
            let before = done.checked_sub(2).map(|before| steps[before]);
            let Some(next) = step(before, steps[done - 1], share()) else { break };
            steps[done] = next;
        }
    }
    Walks { room, steps }
}

/// The arc at a share of the sum of all weights, which depend on the vertex before.
fn drawn<G: Graph>(
    graph: &G,
    options: RandomWalks<'_>,
    before: Option<G::Vertex>,
    arcs: impl Iterator<Item = (G::Vertex, f64)>,
    share: f64,
) -> Option<G::Vertex> {
    let factor = |w: G::Vertex| match before {
        None => 1.0,
        Some(before) if w == before => options.to_go_back,
        Some(before) if graph.neighbors(before).any(|u| u == w) => 1.0,
        Some(_) => options.to_go_away,
    };
    let arcs: Vec<_> = arcs.map(|(w, weight)| (w, weight * factor(w))).filter(|arc| arc.1 > 0.0).collect();
    let mut left = share * arcs.iter().map(|arc| arc.1).sum::<f64>();
    let mut is_past = |weight: f64| {
        left -= weight;
        left < 0.0
    };
    // Past the end only if the product was rounded up.
    arcs.iter().find(|arc| is_past(arc.1)).or(arcs.last()).map(|arc| arc.0)
}
