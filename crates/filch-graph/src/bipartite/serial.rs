//! Two sides by a queue, serially, as a baseline and a reference for tests.

use crate::graph::Graph;
use crate::vertex::Vertex;
use std::collections::VecDeque;

/// The side of each vertex of a symmetric graph, false for the smallest vertex of each component; `None` if the graph
/// is not bipartite. Shares no code with [`bipartite`](super::bipartite()).
///
/// Work: O(n + m); less if an edge within a side is found early. The result is unspecified for a directed graph.
pub fn serial<G: Graph>(graph: &G) -> Option<Vec<bool>> {
    let n = graph.num_vertices();
    let mut sides = vec![None; n];
    let mut queue = VecDeque::new();
    for first in 0..n {
        if sides[first].is_some() {
            continue;
        }
        sides[first] = Some(false);
        queue.push_back((G::Vertex::new(first), false));
        while let Some((v, side)) = queue.pop_front() {
            for u in graph.neighbors(v) {
                match sides[u.index()] {
                    None => {
                        sides[u.index()] = Some(!side);
                        queue.push_back((u, !side));
                    }
                    Some(other) if other == side => return None,
                    Some(_) => (),
                }
            }
        }
    }
    Some(sides.into_iter().flatten().collect())
}
