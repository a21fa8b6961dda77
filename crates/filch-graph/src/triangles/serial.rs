//! Counting triangles by plain loops, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;
use filch_algorithms::memory::with_room;

/// The number of triangles of a symmetric graph, by plain serial loops that merge sorted rows. Shares no code with
/// [`triangles`](super::triangles()).
///
/// The vertices are renumbered by degree, in descending order, if the mean degree is at least 10 and far above the
/// median, as in the GAP Benchmark Suite. Work: O(n + m) and the merges.
/// The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> u64 {
    let mut count = 0;
    for_each_serially(graph, |_| count += 1);
    count
}

/// Calls `visit` with the corners of each triangle.
pub(crate) fn for_each_serially<G: Graph>(graph: &G, mut visit: impl FnMut([usize; 3])) {
    let n = graph.num_vertices();
    let degree = |v: usize| graph.degree(G::Vertex::new(v));
    let mut order: Vec<usize> = (0..n).collect();
    let mut degrees: Vec<usize> = (0..n).map(degree).collect();
    let mean = graph.num_arcs() as f64 / n.max(1) as f64;
    let median = if n == 0 { 0 } else { *degrees.select_nth_unstable(n / 2).1 };
    if mean >= 10.0 && mean / 1.3 > median as f64 {
        order.sort_by_key(|&v| std::cmp::Reverse(degree(v)));
    }
    let mut places = vec![G::Vertex::NONE; n];
    for (place, &v) in order.iter().enumerate() {
        places[v] = G::Vertex::new(place);
    }
    let (mut offsets, mut lower) = (vec![0], with_room(graph.num_arcs() / 2).unwrap_or_default());
    let mut row = Vec::new();
    for (place, &v) in order.iter().enumerate() {
        row.clear();
        row.extend(graph.neighbors(G::Vertex::new(v)).map(|u| places[u.index()]).filter(|u| u.index() < place));
        row.sort_unstable();
        row.dedup();
        lower.extend_from_slice(&row);
        offsets.push(lower.len());
    }
    let row = |v: usize| &lower[offsets[v]..offsets[v + 1]];
    for u in 0..n {
        for v in row(u) {
            let (others, mut at) = (row(v.index()), 0);
            for w in row(u) {
                while at < others.len() && others[at] < *w {
                    at += 1;
                }
                if at == others.len() {
                    break;
                }
                if others[at] == *w {
                    visit([u, v.index(), w.index()].map(|place| order[place]));
                }
            }
        }
    }
}
