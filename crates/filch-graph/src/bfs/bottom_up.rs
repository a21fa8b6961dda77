//! Bottom-up steps: each open vertex looks for a neighbor in the frontier.

use super::record::Record;
use crate::choose::tuning::{BFS_SAMPLES, SAMPLES};
use crate::graph::Graph;
use crate::sets::{Bitmap, Unvisited, WORDS};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;

/// The sequence of random numbers that chooses them.
const PURPOSE: u64 = 0x626f_7474_6f6d;

/// The number of arcs that a step reads if there are `open` unreached vertices, judged by a sample of them. Zero if it
/// contains none.
///
/// An open vertex has a neighbor in the frontier if it has one that has been reached: the neighbors of all reached
/// vertices before the frontier have been reached, too.
pub(super) fn looks_by_sample<G: Graph, R: Record<G::Vertex>>(graph: &G, record: &R, open: usize) -> usize {
    let draws = SplitMix::new(0, PURPOSE);
    let (mut vertices, mut arcs) = (0_usize, 0_usize);
    for position in 0..BFS_SAMPLES as u64 {
        let v = draws.below(graph.num_vertices(), position);
        if !record.is_reached(v) {
            vertices += 1;
            for u in graph.in_neighbors(G::Vertex::new(v)).take(SAMPLES) {
                arcs += 1;
                if record.is_reached(u.index()) {
                    break;
                }
            }
        }
    }
    open.saturating_mul(arcs) / vertices.max(1)
}

/// The result of a step.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) vertices: usize,
    pub(super) arcs: usize,
}

impl Found {
    fn and(self, other: Found) -> Found {
        Found { vertices: self.vertices + other.vertices, arcs: self.arcs + other.arcs }
    }
}

/// Reaches each open vertex to which an arc leads from `front`, closes it, and adds it to `next`. Every word of `next`
/// is written. In a symmetric graph, also closes vertices without arcs.
pub(super) fn step<G: Graph, R: Record<G::Vertex>>(
    graph: &G,
    record: &R,
    depth: u32,
    closed: &Bitmap,
    front: &Bitmap,
    next: &Bitmap,
) -> Found {
    let num_words = closed.words().len();
    let run_piece = |piece: usize| {
        let words = piece * WORDS..num_words.min((piece + 1) * WORDS);
        let open = Unvisited::of(graph, closed, words.clone());
        let (mut reached, mut found) = ([0; WORDS], Found::default());
        open.for_each(graph, |v| {
            let (parent, arcs) = front.first_set(graph.in_neighbors(v));
            found.arcs += arcs;
            if let Some(parent) = parent {
                let v = v.index();
                record.reach(v, parent);
                record.complete(v, depth);
                reached[v / 64 - words.start] |= 1 << (v % 64);
            }
        });
        for (word, reached) in words.zip(reached) {
            closed.put_word(word, closed.word(word) | reached);
            next.put_word(word, reached);
            found.vertices += reached.count_ones() as usize;
        }
        found
    };
    filch::map_reduce(0..num_words.div_ceil(WORDS), Found::default, |_, piece| run_piece(piece), Found::and)
}
