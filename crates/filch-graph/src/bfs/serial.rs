//! Serial breadth-first search with a queue, as a baseline and a reference for tests.

use super::result::{BfsTree, Direction, Level, UNREACHED};
use crate::choose::bfs::Reason;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// Searches `graph` from `root` along the arcs, serially, with a queue. Shares no code with [`bfs`](super::bfs).
///
/// Work: following all arcs once.
///
/// # Panics
///
/// Panics if `root` is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, root: G::Vertex) -> BfsTree<G::Vertex> {
    let n = graph.num_vertices();
    let (mut depths, mut parents) = (vec![UNREACHED; n], vec![G::Vertex::NONE; n]);
    depths[root.index()] = 0;
    parents[root.index()] = root;
    let mut queue = Vec::with_capacity(n);
    queue.push(root);
    let mut levels = Vec::new();
    let (mut level_start, mut depth) = (0, 0);
    while level_start < queue.len() {
        let level_end = queue.len();
        let mut arcs = 0;
        depth += 1;
        for index in level_start..level_end {
            look_at(index);
            let u = queue[index];
            for v in graph.neighbors(u) {
                arcs += 1;
                if depths[v.index()] == UNREACHED {
                    depths[v.index()] = depth;
                    parents[v.index()] = u;
                    queue.push(v);
                }
            }
        }
        levels.push(Level {
            vertices: level_end - level_start,
            arcs,
            direction: Direction::TopDown,
            reason: Reason::Requested,
        });
        level_start = level_end;
    }
    BfsTree { depths, parents, levels }
}
