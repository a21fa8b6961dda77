//! Levels that one worker searches with a plain queue.
//!
//! Such a level costs what it costs in serial code. Most levels of deep graphs are so narrow that sharing them, or
//! preparing anything for them, would take longer than searching them.

use super::options::Direction;
use super::record::Record;
use super::result::{Level, depth_after};
use crate::graph::Graph;
use crate::queue::{Alone, Queue};
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
    start: usize,
    until: Until,
) -> usize {
    listed.alone(|list| search_alone(graph, record, list, levels, start, until))
}

/// The same. Not inlined, because the compiler then knows that `record` stays where it is, whoever calls it.
#[inline(never)]
fn search_alone<G: Graph, R: Record<G::Vertex>>(
    graph: &G,
    record: &R,
    list: &mut Alone<'_, G::Vertex>,
    levels: &mut Vec<Level>,
    mut start: usize,
    until: Until,
) -> usize {
    loop {
        let end = list.len();
        let vertices = end - start;
        if vertices == 0 || vertices > until.most_vertices || until.hub && graph.degree(list.at(start)) > HUB {
            return start;
        }
        let depth = depth_after(levels.len());
        let mut arcs = 0;
        for index in start..end {
            let u = list.at(index);
            for v in graph.neighbors(u) {
                arcs += 1;
                if record.claim(v.index(), u, depth, false) {
                    list.push(v);
                }
            }
        }
        levels.push(Level { vertices, arcs, direction: Direction::TopDown });
        start = end;
    }
}
