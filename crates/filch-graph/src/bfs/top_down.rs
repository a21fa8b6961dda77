//! Top-down steps: following the arcs that leave the frontier.

use super::record::Record;
use crate::choose::tuning::{AHEAD, CHUNK, PIECES, SMALL};
use crate::graph::Graph;
use crate::sets::{Batch, Queue};
use crate::sets::{Bitmap, ones};
use crate::vertex::{AtomicVertex, Vertex};

/// A list of vertices.
type Cells<G> = [<<G as Graph>::Vertex as Vertex>::Atomic];

fn chunk_size(frontier: usize) -> usize {
    frontier.div_ceil(filch::num_workers() * PIECES).clamp(1, CHUNK)
}

/// The number of arcs that leave the frontier. Also prefetches the rows, which are likely to be read next.
pub(super) fn count_arcs<G: Graph>(graph: &G, frontier: &Cells<G>) -> usize {
    let sum = |cells: &Cells<G>| {
        let mut sum = 0;
        for (index, cell) in cells.iter().enumerate() {
            if let Some(later) = cells.get(index + AHEAD) {
                graph.prefetch(later.load());
            }
            sum += graph.degree(cell.load());
        }
        sum
    };
    // Counted by one worker in about the time until another one has begun.
    if frontier.len() < SMALL {
        return sum(frontier);
    }
    filch::map_reduce(filch::chunks(frontier, CHUNK), || 0, |_, cells| sum(cells), |a, b| a + b)
}

/// Calls `body` with each arc that leaves the frontier. `begin` creates the state of a piece of work, and `end`
/// consumes it.
#[inline(always)]
fn for_each_arc<G: Graph, R: Record<G::Vertex>, S>(
    graph: &G,
    frontier: &Cells<G>,
    record: &R,
    begin: impl Fn() -> S + Send + Sync,
    body: impl Fn(&mut S, G::Vertex, G::Vertex) + Send + Sync,
    end: impl Fn(S) + Send + Sync,
) {
    filch::for_each(filch::chunks(frontier, chunk_size(frontier.len())), |_, cells| {
        let mut state = begin();
        for (index, cell) in cells.iter().enumerate() {
            if let Some(later) = cells.get(index + 2 * AHEAD) {
                graph.prefetch(later.load());
            }
            if let Some(later) = cells.get(index + AHEAD) {
                graph.prefetch_neighbors(later.load());
            }
            if let Some(next) = cells.get(index + 1) {
                for v in graph.neighbors(next.load()) {
                    record.prefetch(v.index());
                }
            }
            let u = cell.load();
            for v in graph.neighbors(u) {
                body(&mut state, u, v);
            }
        }
        end(state);
    });
}

/// Reaches the targets of the frontier's arcs, and appends them to `next`, which must have room for one vertex per arc.
pub(super) fn list<G: Graph, R: Record<G::Vertex>>(
    graph: &G,
    frontier: &Cells<G>,
    record: &R,
    depth: u32,
    next: &Queue<G::Vertex>,
) {
    let is_shared = filch::num_workers() > 1;
    for_each_arc(
        graph,
        frontier,
        record,
        || Batch::<_>::new(next, is_shared),
        |batch, u, v| {
            if record.claim(v.index(), u, depth, is_shared) {
                batch.push(v);
            }
        },
        |mut batch| batch.flush(),
    );
}

/// Reaches the targets of the frontier's arcs, without a list and without atomic read-modify-write instructions;
/// [`sweep`] finds them. If several workers write the parent of a vertex, the last write remains; each is a valid
/// parent.
pub(super) fn mark<G: Graph, R: Record<G::Vertex>>(graph: &G, frontier: &Cells<G>, record: &R) {
    for_each_arc(
        graph,
        frontier,
        record,
        || (),
        |(), u, v| {
            if !record.is_reached(v.index()) {
                record.reach(v.index(), u);
            }
        },
        |()| (),
    );
}

/// The reached vertices of a word of a bitmap, of which those in `mask` exist.
#[inline(always)]
fn reached_in<V: Vertex, R: Record<V>>(record: &R, word: usize, mask: u64) -> u64 {
    let mut reached = 0;
    for bit in 0..mask.count_ones() as usize {
        reached |= u64::from(record.is_reached(word * 64 + bit)) << bit;
    }
    reached
}

/// Closes all reached vertices.
pub(super) fn close_reached<V: Vertex, R: Record<V>>(record: &R, closed: &Bitmap) {
    filch::for_each(0..closed.words().len(), |_, word| {
        closed.put_word(word, closed.word(word) | reached_in(record, word, closed.mask(word)));
    });
}

/// Closes all reached vertices. Those that were not closed before get `depth` and form the bitmap `fresh`. Returns
/// their number.
pub(super) fn sweep<V: Vertex, R: Record<V>>(record: &R, depth: u32, closed: &Bitmap, fresh: &Bitmap) -> usize {
    let sweep_word = |word: usize| {
        let (first, old) = (word * 64, closed.word(word));
        let new = reached_in(record, word, closed.mask(word)) & !old;
        closed.put_word(word, old | new);
        fresh.put_word(word, new);
        ones(new).for_each(|bit| record.complete(first + bit, depth));
        new.count_ones() as usize
    };
    filch::map_reduce(0..closed.words().len(), || 0, |_, word| sweep_word(word), |a, b| a + b)
}
