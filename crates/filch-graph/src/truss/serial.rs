//! Trussness with buckets, serially, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;

/// The trussness of each edge of a symmetric graph, in the order of the edges of [`Trussness`](super::Trussness): the
/// edges stand in the order of their supports, and each decrement moves an edge to the front of its bucket (Wang and
/// Cheng 2012, "Truss decomposition in massive networks", algorithm 2). Shares no code with [`truss`](super::truss()).
///
/// Work: O(m^1.5 log d) for the largest degree d. The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> Vec<u32> {
    let n = graph.num_vertices();
    let (mut rows, mut edges) = (vec![Vec::new(); n], Vec::new());
    for u in 0..n {
        let mut larger: Vec<_> = graph.neighbors(G::Vertex::new(u)).map(Vertex::index).filter(|&v| v > u).collect();
        larger.sort_unstable();
        larger.dedup();
        for v in larger {
            // Smaller neighbors come first, because their turn does.
            rows[u].push((v, edges.len()));
            rows[v].push((u, edges.len()));
            edges.push((u, v));
        }
    }
    let common = |(u, v): (usize, usize), visit: &mut dyn FnMut(usize, usize)| {
        let (short, long) = if rows[u].len() < rows[v].len() { (u, v) } else { (v, u) };
        for &(w, edge) in &rows[short] {
            if let Ok(at) = rows[long].binary_search_by_key(&w, |&(other, _)| other) {
                visit(edge, rows[long][at].1);
            }
        }
    };
    let mut supports = vec![0_usize; edges.len()];
    for (edge, &ends) in edges.iter().enumerate() {
        common(ends, &mut |_, _| supports[edge] += 1);
    }
    // For each support, where its bucket starts.
    let largest = supports.iter().copied().max().unwrap_or(0);
    let mut starts = vec![0; largest + 1];
    supports.iter().for_each(|&support| starts[support] += 1);
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    let (mut order, mut places, mut next) = (vec![0; edges.len()], vec![0; edges.len()], starts.clone());
    for (edge, &support) in supports.iter().enumerate() {
        (order[next[support]], places[edge]) = (edge, next[support]);
        next[support] += 1;
    }
    for at in 0..edges.len() {
        let edge = order[at];
        common(edges[edge], &mut |a, b| {
            // The triangle has gone if one of its edges has.
            if places[a] < at || places[b] < at {
                return;
            }
            for other in [a, b] {
                if supports[other] > supports[edge] {
                    let (place, start) = (places[other], starts[supports[other]]);
                    let first = order[start];
                    (order[start], order[place]) = (other, first);
                    (places[other], places[first]) = (start, place);
                    starts[supports[other]] += 1;
                    supports[other] -= 1;
                }
            }
        });
    }
    supports.into_iter().map(|support| support as u32 + 2).collect()
}
