//! Levels that one worker searches with a plain queue.
//!
//! Such a level costs what it costs in serial code. Most levels of deep graphs are so narrow that sharing them, or
//! preparing anything for them, would take longer than searching them.

use super::options::Direction;
use super::record::Record;
use super::result::{Level, next_depth};
use crate::graph::Graph;
use crate::queue::Queue;
use crate::vertex::Vertex;

/// A vertex with more arcs is a hub: a level that begins with one is worth sharing, however few vertices it has.
const HUB: usize = 1 << 12;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// Before a level of more vertices than this.
    pub(super) most_vertices: usize,
    /// Before a level that begins with a [`HUB`].
    pub(super) hub: bool,
}

/// Searches level by level. The first frontier is `listed` from `start` on. Returns where the frontier begins before
/// which it has stopped, or which is empty.
pub(super) fn search<G: Graph, R: Record<G::Vertex>>(
    graph: &G,
    record: &R,
    listed: &mut Queue<G::Vertex>,
    levels: &mut Vec<Level>,
    mut start: usize,
    until: Until,
) -> usize {
    listed.alone(|list| {
        loop {
            let end = list.len();
            let vertices = end - start;
            if vertices == 0 || vertices > until.most_vertices || until.hub && graph.degree(list.at(start)) > HUB {
                return start;
            }
            let depth = next_depth(levels, Level { vertices, arcs: 0, direction: Direction::TopDown });
            let mut arcs = 0;
            for index in start..end {
                let u = list.at(index);
                arcs += graph.degree(u);
                for v in graph.neighbors(u) {
                    if record.claim(v.index(), u, depth, false) {
                        list.push(v);
                    }
                }
            }
            levels[depth as usize - 1].arcs = arcs;
            start = end;
        }
    })
}
