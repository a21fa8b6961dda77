//! Whether vertices come in an order in which plain code is fast, judged by a sample.
//!
//! Numbers by rows or by levels are such an order: the arcs of each vertex lead to places in memory near to those of
//! the arcs before and after them. This does not mean that they are near to the vertex. The processor fetches such
//! places in time by itself. So prefetching would only take time, and there is no waiting for memory that other
//! algorithms could save.

use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};

/// The number of places in a graph that are looked at.
const PLACES: usize = 64;

/// The number of places of a frontier that are looked at. Each level is judged anew.
const PLACES_OF_FRONTIER: usize = 16;

/// The number of arcs that are looked at in each place.
const ARCS: usize = 4;

/// The number of arcs in each direction among which a smaller neighbor is looked for.
const FIRST_ARCS: usize = 64;

/// Vertices whose numbers differ by less are close: their parents or labels are in one small page of memory.
const NEAR: usize = 1 << 10;

/// Whether a pass over all vertices of the graph, with their arcs, goes to places in order. False without arcs.
pub(crate) fn is_numbered_in_order<G: Graph>(graph: &G) -> bool {
    let n = graph.num_vertices();
    let vertex = |index: usize| (index < n).then(|| G::Vertex::new(index));
    are_in_order(graph, places(n).filter_map(|index| Some((vertex(index)?, vertex(index + 1)))))
}

/// Whether at most one in `few` vertices with arcs has no smaller neighbor, judged by a sample, and by the first few
/// arcs in each direction: rows may be long. In the order of the numbers, the others are next to vertices that a pass
/// has already come to.
pub(crate) fn have_most_a_smaller_neighbor<G: Graph>(graph: &G, few: usize) -> bool {
    let (mut with_arcs, mut have) = (0, 0);
    for v in places(graph.num_vertices()).map(G::Vertex::new) {
        let mut near = graph.neighbors(v).take(FIRST_ARCS).chain(graph.in_neighbors(v).take(FIRST_ARCS)).peekable();
        with_arcs += usize::from(near.peek().is_some());
        have += usize::from(near.any(|w| w < v));
    }
    (with_arcs - have) * few <= with_arcs
}

/// One worker sweeps a graph of fewer vertices, in the order of their numbers: 0.3 ms for a grid of 100,000 vertices,
/// so a millisecond or two at most where all arcs are followed. Others help after a third of a millisecond, and cut
/// pieces, whose links cost more than sweeping. An estimate: not measured with a smaller limit.
const SHARED: usize = 1 << 18;

/// Whether a graph of `n` vertices is worth a sweep by several workers.
pub(crate) fn is_sweep_shared(n: usize) -> bool {
    filch::num_workers() > 1 && n >= SHARED
}

/// Places in `0..n`, evenly spread.
fn places(n: usize) -> impl Iterator<Item = usize> {
    let places = PLACES.min(n);
    (0..places).map(move |place| ((2 * place + 1) as u128 * n as u128 / (2 * places) as u128) as usize)
}

/// Whether a pass over the vertices of the frontier, with their arcs, goes to places in order.
pub(crate) fn is_frontier_in_order<G: Graph>(graph: &G, frontier: &[<G::Vertex as Vertex>::Atomic]) -> bool {
    let places = PLACES_OF_FRONTIER.min(frontier.len());
    let vertex = |index: usize| frontier.get(index).map(AtomicVertex::load);
    let at = |place: usize| frontier.len() * place / places;
    are_in_order(graph, (0..places).map(at).filter_map(|index| Some((vertex(index)?, vertex(index + 1)))))
}

/// `pairs`: vertices, and those that come next.
fn are_in_order<G: Graph>(graph: &G, pairs: impl Iterator<Item = (G::Vertex, Option<G::Vertex>)>) -> bool {
    let (mut arcs, mut near) = (0, 0);
    for (u, next) in pairs {
        let mut later = next.map(|next| graph.neighbors(next)).into_iter().flatten();
        let mut last: Option<G::Vertex> = None;
        for v in graph.neighbors(u).take(ARCS) {
            let is_near =
                |other: Option<G::Vertex>| other.is_some_and(|other| v.index().abs_diff(other.index()) < NEAR);
            arcs += 1;
            near += usize::from(is_near(Some(u)) | is_near(last) | is_near(later.next()));
            last = Some(v);
        }
    }
    arcs > 0 && near * 4 >= arcs * 3
}
