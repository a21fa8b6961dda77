//! From the frontier along the arcs that leave it.

use super::record::Record;
use crate::bitmap::{Bitmap, ones};
use crate::graph::Graph;
use crate::queue::{Batch, Queue};
use crate::vertex::{AtomicVertex, Vertex};

/// How far ahead rows are hinted at: far enough for memory to answer, and near enough for the cache to keep it.
const AHEAD: usize = 8;

/// Frontier vertices in a piece of the work: few enough to share, enough for a batch.
const CHUNK: usize = 64;

/// How many pieces each worker may have, of a small frontier.
const PIECES: usize = 4;

/// A list of vertices.
type Cells<G> = [<<G as Graph>::Vertex as Vertex>::Atomic];

fn chunk_size(frontier: usize) -> usize {
    frontier.div_ceil(filch::num_workers() * PIECES).clamp(1, CHUNK)
}

/// How many arcs leave the frontier. Hints at them, as they are likely to be followed next.
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
    filch::map_reduce(filch::chunks(frontier, CHUNK), || 0, |_, cells| sum(cells), |a, b| a + b)
}

/// Calls `body` with each arc that leaves the frontier, and first, in each piece of the work, `begin` for what it
/// needs.
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

/// Reaches what the frontier has arcs to, and lists it in `next`, which has room for as many as there are arcs.
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

/// Reaches what the frontier has arcs to, for [`sweep`] to find: nothing is listed, and nothing locked. Several
/// workers may write a vertex's parent, one after the other; each of them is one.
pub(super) fn mark<G: Graph, R: Record<G::Vertex>>(graph: &G, frontier: &Cells<G>, record: &R, depth: u32) {
    for_each_arc(
        graph,
        frontier,
        record,
        || (),
        |(), u, v| {
            if !record.is_reached(v.index()) {
                record.reach(v.index(), u, depth);
            }
        },
        |()| (),
    );
}

/// Closes all that have been reached, puts those that had not been closed before into `fresh`, with this depth, and
/// counts them.
pub(super) fn sweep<V: Vertex, R: Record<V>>(record: &R, depth: u32, closed: &Bitmap, fresh: &Bitmap) -> usize {
    let sweep_word = |word: usize| {
        let (first, old, mask) = (word * 64, closed.word(word), closed.mask(word));
        let mut reached = 0;
        for bit in 0..mask.count_ones() as usize {
            reached |= u64::from(record.is_reached(first + bit)) << bit;
        }
        let new = reached & !old;
        closed.put_word(word, old | new);
        fresh.put_word(word, new);
        ones(new).for_each(|bit| record.complete(first + bit, depth));
        new.count_ones() as usize
    };
    filch::map_reduce(0..closed.words().len(), || 0, |_, word| sweep_word(word), |a, b| a + b)
}
