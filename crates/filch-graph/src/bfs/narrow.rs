//! Levels that one worker searches with a plain queue.
//!
//! Such a level costs what it costs in serial code. Most levels of deep graphs are so narrow that sharing them, or
//! preparing anything for them, would take longer than searching them.

use super::goal::Goal;
use super::record::{Record, deeper, depth_after};
use super::result::{Direction, Level};
use crate::choose::bfs::Reason;
use crate::graph::Graph;
use crate::sets::Queue;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::look_at;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// Before a level of more vertices than this.
    pub(super) most_vertices: usize,
    /// Before a level that begins with a vertex that has more arcs than this.
    pub(super) most_arcs: usize,
    /// Why one worker searches them.
    pub(super) reason: Reason,
}

/// Searches level by level. The first frontier is `listed` from `start` on. Returns where the frontier begins before
/// which it has stopped, also because the goal is met, or which is empty, and the number of arcs that have been
/// followed. What has been searched need not stay listed.
///
/// Not inlined, because the compiler then knows that `record` stays where it is, whoever calls it. A deep graph has
/// almost as many levels as vertices, so that what is done for a level counts as much as what is done for a vertex.
#[inline(never)]
pub(super) fn search<G: Graph, R: Record<G::Vertex>>(
    graph: &G,
    record: &R,
    listed: &mut Queue<G::Vertex>,
    levels: &mut Vec<Level>,
    mut start: usize,
    until: Until,
    goal: &mut Goal<'_, G::Vertex>,
) -> (usize, usize) {
    let Until { most_vertices, most_arcs, reason } = until;
    let mut len = listed.len();
    let mut cells = listed.room();
    let before = levels.len();
    let mut depth = depth_after(before);
    let mut followed = 0;
    let n = graph.num_vertices();
    while start < len && len - start <= most_vertices && graph.degree(cells[start].load()) <= most_arcs {
        if goal.is_met(record, depth - 1) {
            break;
        }
        let (mut index, mut end) = (start, len);
        let (vertices, mut arcs) = (end - start, 0);
        while index < end {
            look_at(index);
            let u = cells[index].load();
            let degree = graph.degree(u);
            // Here, and not where vertices are appended, because the loop over the row then calls nothing. A row
            // reaches at most all vertices, however many arcs it has.
            let most = degree.min(n);
            if cells.len() - len < most {
                let gone = listed.advance(len, index, most);
                (index, end, len) = (index - gone, end - gone, len - gone);
                cells = listed.room();
            }
            arcs += degree;
            for v in graph.neighbors(u) {
                if record.claim(v.index(), u, depth, false) {
                    cells[len].store(v);
                    len += 1;
                }
            }
            index += 1;
        }
        levels.push(Level { vertices, arcs, direction: Direction::TopDown, reason: Reason::Narrow });
        followed += arcs;
        depth = deeper(depth);
        start = end;
    }
    listed.set_len(len);
    if reason != Reason::Narrow {
        levels[before..].iter_mut().for_each(|level| level.reason = reason);
    }
    (start, followed)
}
