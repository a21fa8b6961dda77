//! The greedy loop, serially, as a baseline and a reference for tests.

use super::order::{Order, Places};
use crate::graph::Graph;
use crate::vertex::Vertex;

/// A colour for each vertex of a symmetric graph, by a loop that goes through the vertices in the order and gives each
/// the first colour that none of its neighbors has. Shares no code with [`colouring`](super::colouring()) but the
/// order.
///
/// Work: O(n log n + m). The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G, order: Order, seed: u64) -> Vec<u32> {
    let n = graph.num_vertices();
    let mut colours = vec![u32::MAX; n];
    // For each colour, the vertex of whose neighbors one has it.
    let mut seen_from = vec![n; 1];
    let Places(places) = Places::new(graph, order, seed);
    let mut vertices: Vec<usize> = (0..n).collect();
    vertices.sort_by_key(|&v| places[v]);
    for v in vertices {
        for u in graph.neighbors(G::Vertex::new(v)).map(Vertex::index) {
            if let Some(seen_from) = seen_from.get_mut(colours[u] as usize) {
                *seen_from = v;
            }
        }
        let colour = seen_from.iter().position(|&from| from != v).unwrap_or(seen_from.len());
        colours[v] = colour as u32;
        if colour + 1 >= seen_from.len() {
            seen_from.resize(colour + 2, n);
        }
    }
    colours
}
