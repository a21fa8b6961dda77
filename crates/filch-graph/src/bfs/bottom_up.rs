//! From the vertices that are open, against the arcs that lead to them, to the frontier.

use super::record::Record;
use crate::bitmap::{Bitmap, ones};
use crate::{Graph, Vertex};

/// Words of the bitmaps in a piece of the work; their vertices are listed on the stack.
const WORDS: usize = 8;

/// How many rows ahead are hinted at.
const AHEAD: usize = 8;

/// What a level has come to.
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

/// Reaches each open vertex to which an arc leads from the `front`: closes it, and puts it into `next`, of which every word
/// is written. Closes those to which no arcs lead, too.
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
        let (mut open, mut num_open) = ([G::Vertex::NONE; WORDS * 64], 0);
        for word in words.clone() {
            for bit in ones(!closed.word(word) & closed.mask(word)) {
                open[num_open] = G::Vertex::new(word * 64 + bit);
                num_open += 1;
            }
        }
        let (open, mut at) = (&open[..num_open], 0);
        let mut found = Found::default();
        for word in words {
            let old = closed.word(word);
            let (mut reached, mut closes) = (0, 0);
            for bit in ones(!old & closed.mask(word)) {
                if let Some(&later) = open.get(at + AHEAD) {
                    graph.prefetch_neighbors(later);
                }
                at += 1;
                let v = word * 64 + bit;
                let (mut arcs, mut parent) = (0, None);
                for u in graph.in_neighbors(G::Vertex::new(v)) {
                    arcs += 1;
                    if front.get(u.index()) {
                        parent = Some(u);
                        break;
                    }
                }
                found.arcs += arcs;
                closes |= u64::from(arcs == 0) << bit;
                if let Some(parent) = parent {
                    record.reach(v, parent, depth);
                    record.complete(v, depth);
                    reached |= 1 << bit;
                }
            }
            closed.put_word(word, old | reached | closes);
            next.put_word(word, reached);
            found.vertices += reached.count_ones() as usize;
        }
        found
    };
    filch::map_reduce(0..num_words.div_ceil(WORDS), Found::default, |_, piece| run_piece(piece), Found::and)
}
