//! Uniform walks in a plain loop, as a baseline.

use crate::graph::Graph;

/// A walk from each of `starts`, with at most `length` arcs, to a neighbor that is drawn uniformly each time. Shares no
/// code with [`random_walks`](super::random_walks()), and draws other numbers.
///
/// Work: the degree for each step.
///
/// # Panics
///
/// Panics if a start is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, starts: &[G::Vertex], length: usize, seed: u64) -> Vec<Vec<G::Vertex>> {
    // A xorshift generator (Marsaglia 2003), whose state is never 0.
    let mut state = seed | 1;
    let mut draw = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let mut walk = |start: &G::Vertex| {
        let mut walk = vec![*start];
        while walk.len() <= length {
            let neighbors: Vec<_> = graph.neighbors(walk[walk.len() - 1]).collect();
            if neighbors.is_empty() {
                break;
            }
            walk.push(neighbors[draw(neighbors.len())]);
        }
        walk
    };
    starts.iter().map(&mut walk).collect()
}
