//! Coreness with buckets, serially, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The coreness of each vertex of a symmetric graph, by the algorithm of Batagelj and Zaveršnik (2003, "An O(m)
/// algorithm for cores decomposition of networks"): the vertices stand in the order of their degrees, and each
/// decrement moves a vertex to the front of its bucket. Shares no code with [`cores`](super::cores()).
///
/// Work: O(n + m). The result is unspecified for a directed graph.
///
/// # Panics
///
/// Panics if a degree does not fit in 32 bits.
pub fn serial<G: Graph>(graph: &G) -> Vec<u32> {
    let n = graph.num_vertices();
    let vertex = G::Vertex::new;
    let degree = |v: usize| graph.neighbors(vertex(v)).filter(|u| u.index() != v).count();
    let mut degrees: Vec<u32> = (0..n).map(|v| u32::try_from(degree(v)).expect("degrees have 32 bits")).collect();
    let largest = degrees.iter().copied().max().unwrap_or(0) as usize;
    // For each degree, where its bucket starts.
    let mut starts = vec![0; largest + 1];
    for &degree in &degrees {
        starts[degree as usize] += 1;
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    let (mut order, mut places) = (vec![vertex(0); n], vec![vertex(0); n]);
    let mut next = starts.clone();
    for v in 0..n {
        let next = &mut next[degrees[v] as usize];
        (order[*next], places[v]) = (vertex(v), vertex(*next));
        *next += 1;
    }
    for at in 0..n {
        let v = order[at];
        for u in graph.neighbors(v) {
            let degree = degrees[u.index()];
            if degree > degrees[v.index()] {
                // The first of its bucket takes its place, and the bucket begins one later.
                let (place, start) = (places[u.index()].index(), starts[degree as usize]);
                let first = order[start];
                (order[start], order[place]) = (u, first);
                (places[u.index()], places[first.index()]) = (vertex(start), vertex(place));
                starts[degree as usize] += 1;
                degrees[u.index()] -= 1;
            }
        }
    }
    degrees
}
