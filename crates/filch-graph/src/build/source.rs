//! Sources of edges: lists, existing rows, or a formula.

use super::error::{BuildError, with_room};
use crate::csr::{Index, RowsView};
use crate::vertex::Vertex;
use crate::watch::{Pass, STEPS_PER_LOOK, Watch, look_at};
use crate::weight::Weight;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of edges in a block, where blocks can be cut anywhere: enough that filling some hundred buckets from a
/// block pays off, and few enough that there are blocks for all workers.
const BLOCK_EDGES: usize = 1 << 18;

/// The number of edges that a worker computes at a time. Each may take about a hundred nanoseconds.
const LISTED_AT_ONCE: usize = 1 << 14;

/// Edges in blocks. Several workers read different blocks at the same time.
pub(crate) trait Source<V, W = ()>: Sync {
    /// The number of blocks.
    fn num_blocks(&self) -> usize;

    /// The number of edges in all blocks.
    fn num_edges(&self) -> usize;

    /// Calls `body` with the two vertices and the weight of each edge of a block. A second call yields the same edges
    /// in the same order.
    fn for_each(&self, block: usize, body: impl FnMut(V, V, W));

    /// The number of edges before a block, for error messages.
    fn edges_before(&self, block: usize) -> usize;

    /// The number of edges in a block, for progress reports.
    fn len_of(&self, block: usize) -> usize;

    /// Frees what the block holds. The block must not be read again.
    fn release(&self, block: usize) {
        let _ = block;
    }
}

fn blocks_of(len: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(BLOCK_EDGES).map(move |start| start..len.min(start + BLOCK_EDGES))
}

/// An edge in a list: a tuple of two vertices and, optionally, a weight. Implement this trait to build a graph from
/// edges of your own, without a copy of the list.
pub trait Edge: Copy + Send + Sync {
    /// The type of the vertices.
    type Vertex: Vertex;

    /// The type of the weight, `()` for none.
    type Weight: Weight;

    /// The two ends and the weight. They must be the same each time: if not, building panics, or algorithms on the
    /// graph do.
    fn split(self) -> (Self::Vertex, Self::Vertex, Self::Weight);
}

impl<V: Vertex> Edge for (V, V) {
    type Vertex = V;
    type Weight = ();

    #[inline(always)]
    fn split(self) -> (V, V, ()) {
        (self.0, self.1, ())
    }
}

impl<V: Vertex, W: Weight> Edge for (V, V, W) {
    type Vertex = V;
    type Weight = W;

    #[inline(always)]
    fn split(self) -> (V, V, W) {
        (self.0, self.1, self.2)
    }
}

/// Lists of edges. Each list is freed when all of its blocks have been released.
pub(crate) struct Parts<E> {
    blocks: Vec<Block<E>>,
    num_edges: usize,
}

struct Block<E> {
    edges_before: usize,
    range: Range<usize>,
    /// A list of edges, shared by its blocks.
    part: Mutex<Option<Arc<Vec<E>>>>,
}

impl<E> Parts<E> {
    pub(crate) fn new(parts: Vec<Vec<E>>) -> Self {
        let mut blocks = Vec::new();
        let mut num_edges = 0;
        for part in parts {
            let part = Arc::new(part);
            for range in blocks_of(part.len()) {
                let edges_before = num_edges + range.start;
                blocks.push(Block { edges_before, range, part: Mutex::new(Some(part.clone())) });
            }
            num_edges += part.len();
        }
        Parts { blocks, num_edges }
    }
}

impl<V: Vertex> Parts<(V, V)> {
    /// Computes `num_edges` edges from their positions, in parallel.
    pub(crate) fn listed(
        num_edges: usize,
        edge: impl Fn(usize) -> (V, V) + Send + Sync,
        watch: &dyn Watch,
    ) -> Result<Self, BuildError> {
        watch.begin(Pass::new("drawing", "edges", num_edges));
        // One large list: memory of many small ones would stay with the allocator when they are freed.
        let mut edges = with_room(num_edges)?;
        let room = &mut edges.spare_capacity_mut()[..num_edges];
        filch::for_each((0_usize.., filch::chunks_mut(room, LISTED_AT_ONCE)), |_, (chunk, places)| {
            for (i, place) in (chunk * LISTED_AT_ONCE..).zip(&mut *places) {
                place.write(edge(i));
            }
            watch.advance(places.len());
        });
        // SAFETY: the chunks cover the first `num_edges` elements of the spare capacity, and the loop has written all
        // of them; a panic in it would have left this function.
        unsafe { edges.set_len(num_edges) };
        Ok(Parts::new(vec![edges]))
    }
}

impl<E: Edge> Source<E::Vertex, E::Weight> for Parts<E> {
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn num_edges(&self) -> usize {
        self.num_edges
    }

    #[inline(always)]
    fn for_each(&self, block: usize, mut body: impl FnMut(E::Vertex, E::Vertex, E::Weight)) {
        let Block { range, part, .. } = &self.blocks[block];
        let part = part.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let part = part.expect("a block is released after its last reading");
        for edges in part[range.clone()].chunks(STEPS_PER_LOOK) {
            filch::end_if_cancelled();
            for edge in edges {
                let (u, v, weight) = edge.split();
                // Equal weights have equal bits.
                body(u, v, weight.canonical());
            }
        }
    }

    fn edges_before(&self, block: usize) -> usize {
        self.blocks[block].edges_before
    }

    fn len_of(&self, block: usize) -> usize {
        self.blocks[block].range.len()
    }

    fn release(&self, block: usize) {
        *self.blocks[block].part.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The arcs of rows in the opposite direction, from target to source.
pub(crate) struct Flipped<'a, V, W, O = usize> {
    rows: RowsView<'a, V, W, O>,
    /// The first vertex of each block, and then the number of vertices.
    starts: Vec<usize>,
}

impl<'a, V: Vertex, W: Weight, O: Index> Flipped<'a, V, W, O> {
    pub(crate) fn new(rows: RowsView<'a, V, W, O>) -> Self {
        let n = rows.num_vertices();
        // Blocks of whole rows with about the same number of arcs. Each row counts as one more, because an empty row
        // takes time, too.
        let size = |v: usize| rows.start(v) + v;
        let num_blocks = size(n).div_ceil(BLOCK_EDGES);
        let starts = (0..=num_blocks).map(|block| {
            let wanted = size(n) / num_blocks.max(1) * block;
            if block == num_blocks { n } else { partition_point(n, |v| size(v) < wanted) }
        });
        Flipped { rows, starts: starts.collect() }
    }
}

/// The smallest index in `0..n` for which `is_before` is false, or `n`.
fn partition_point(n: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

impl<V: Vertex, W: Weight, O: Index> Source<V, W> for Flipped<'_, V, W, O> {
    fn num_blocks(&self) -> usize {
        self.starts.len() - 1
    }

    fn num_edges(&self) -> usize {
        self.rows.num_arcs()
    }

    #[inline(always)]
    fn for_each(&self, block: usize, mut body: impl FnMut(V, V, W)) {
        for u in self.starts[block]..self.starts[block + 1] {
            look_at(u);
            let u = V::new(u);
            for (&v, &weight) in self.rows.row(u).iter().zip(self.rows.weights_of(u)) {
                body(v, u, weight);
            }
        }
    }

    fn edges_before(&self, block: usize) -> usize {
        self.rows.start(self.starts[block])
    }

    fn len_of(&self, block: usize) -> usize {
        self.edges_before(block + 1) - self.edges_before(block)
    }
}

/// Edges that are computed from their positions whenever they are needed, and not stored.
pub(crate) struct Formula<F> {
    pub(crate) num_edges: usize,
    pub(crate) edge: F,
}

impl<V: Vertex, F: Fn(usize) -> (V, V) + Sync> Source<V> for Formula<F> {
    fn num_blocks(&self) -> usize {
        self.num_edges.div_ceil(BLOCK_EDGES)
    }

    fn num_edges(&self) -> usize {
        self.num_edges
    }

    #[inline(always)]
    fn for_each(&self, block: usize, mut body: impl FnMut(V, V, ())) {
        let start = block * BLOCK_EDGES;
        for i in start..self.num_edges.min(start + BLOCK_EDGES) {
            look_at(i);
            let (u, v) = (self.edge)(i);
            body(u, v, ());
        }
    }

    fn edges_before(&self, block: usize) -> usize {
        block * BLOCK_EDGES
    }

    fn len_of(&self, block: usize) -> usize {
        BLOCK_EDGES.min(self.num_edges - block * BLOCK_EDGES)
    }
}
