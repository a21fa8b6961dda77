//! Tarjan's algorithm, serial and without recursion.

use crate::choose::tuning::SMALL;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// For each vertex, the smallest vertex of its strongly connected component, by Tarjan's algorithm (1972) with a stack
/// in place of recursion, in the form with one number for each vertex (Pearce 2016, "A space-efficient algorithm for
/// finding strongly connected components").
///
/// Work: O(n + m). Memory: two vertices for each vertex, half of which is the result, and 36 bytes for each vertex of
/// the deepest path that is followed.
///
/// # Panics
///
/// Panics if the graph has `V::MAX_COUNT` vertices.
pub fn serial<G: Graph>(graph: &G) -> Vec<G::Vertex> {
    let mut labels = vec![G::Vertex::NONE; graph.num_vertices()];
    label(graph, &mut labels, |_| ());
    labels
}

/// Labels the vertices whose label is `NONE`. Components that are labeled already must be complete. Calls `advance`
/// with numbers of labeled vertices.
pub(super) fn label<G: Graph>(graph: &G, labels: &mut [G::Vertex], advance: impl Fn(usize)) {
    let vertex = G::Vertex::new;
    let n = labels.len();
    assert!(n < G::Vertex::MAX_COUNT, "this graph has too many vertices: {n}");
    // A vertex that has not been visited has number 0, a labeled one the highest number, so that no path leads back
    // through it. Any other has the lowest number to which a path has been found, at first its own.
    let (unvisited, labeled) = (vertex(0), G::Vertex::NONE);
    let mut lowest: Vec<_> =
        labels.iter().map(|label| if *label == G::Vertex::NONE { unvisited } else { labeled }).collect();
    // Vertices whose component is not complete, though their arcs have been followed.
    let mut open: Vec<G::Vertex> = Vec::new();
    let mut path = Vec::new();
    let (mut next, mut done) = (1, 0);
    for start in 0..n {
        look_at(start);
        if lowest[start] != unvisited {
            continue;
        }
        let mut v = vertex(start);
        let mut own = vertex(next);
        let mut arcs = graph.neighbors(v);
        let mut low = own;
        lowest[start] = own;
        next += 1;
        loop {
            if let Some(w) = arcs.next() {
                let other = lowest[w.index()];
                if other == unvisited {
                    path.push((v, own, low, std::mem::replace(&mut arcs, graph.neighbors(w))));
                    (v, own, low) = (w, vertex(next), vertex(next));
                    lowest[w.index()] = own;
                    look_at(next);
                    next += 1;
                } else {
                    low = low.min(other);
                }
                continue;
            }
            if low == own {
                // The component of v: v, and the open vertices that were visited after it.
                let size = open.iter().rev().take_while(|w| lowest[w.index()] >= own).count();
                let rest = open.len() - size;
                let label = open[rest..].iter().copied().fold(v, Ord::min);
                for w in open.drain(rest..).chain([v]) {
                    labels[w.index()] = label;
                    lowest[w.index()] = labeled;
                }
                next -= size + 1;
                if (done + size + 1) / SMALL > done / SMALL {
                    advance((done + size + 1) / SMALL * SMALL - done / SMALL * SMALL);
                }
                done += size + 1;
            } else {
                lowest[v.index()] = low;
                open.push(v);
            }
            let Some((above, own_above, low_above, arcs_above)) = path.pop() else { break };
            // A complete component does not count: its number is the highest.
            let found = lowest[v.index()];
            (v, own, low, arcs) = (above, own_above, low_above.min(found), arcs_above);
        }
    }
    advance(done % SMALL);
}
