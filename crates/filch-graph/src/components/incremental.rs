//! Components while edges are added.

use super::{ConnectedComponents, components};
use crate::choose::tuning::{AHEAD, SMALL};
use crate::graph::Graph;
use crate::sets::Trees;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::{filter, find_first, map};
use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Edges that a worker adds at a time.
const BLOCK: usize = 1 << 10;

/// Connected components of a graph to which edges and vertices are added, in batches: a union-find that is kept.
///
/// The edges of a batch are added in parallel, as in ConnectIt (Dhulipala, Hong and Shun 2020, "ConnectIt: a framework
/// for static and incremental parallel graph connectivity algorithms", section 3.5). Nothing is done for the vertices
/// that are not in the batch. All answers are the same on any number of workers.
///
/// Memory: a vertex for each vertex.
///
/// ```
/// use filch_graph::components::IncrementalComponents;
///
/// let mut found = IncrementalComponents::<u32>::new(5);
/// assert_eq!(found.add_edges(&[(4, 1), (1, 3), (3, 4)])?, 2);
/// assert_eq!(found.labels(), [0, 1, 2, 1, 1]);
/// assert_eq!(found.add_to_forest(&[(3, 1), (0, 3)])?, [(0, 3)]);
/// assert!(found.are_connected(4, 0) && found.count() == 2);
/// # Ok::<(), filch_graph::components::EdgeError>(())
/// ```
pub struct IncrementalComponents<V: Vertex = u32> {
    trees: Trees<V>,
    /// The number of components. Relaxed: workers subtract what they have joined, after each block of edges.
    count: AtomicUsize,
}

/// An edge of a batch has an end that is not a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edge {place} has the end {found}, but there are only {num_vertices} vertices, numbered from 0")]
pub struct EdgeError {
    /// The position of the edge in the batch. Of several such edges, the first one.
    pub place: usize,
    /// Its end.
    pub found: usize,
    /// The number of vertices.
    pub num_vertices: usize,
}

impl<V: Vertex> IncrementalComponents<V> {
    /// `num_vertices` vertices without edges. Work: O(n), in parallel.
    ///
    /// # Panics
    ///
    /// Panics if the type cannot number as many vertices.
    pub fn new(num_vertices: usize) -> Self {
        expect_count::<V>(num_vertices);
        IncrementalComponents { trees: Trees::new(num_vertices), count: AtomicUsize::new(num_vertices) }
    }

    /// The components of a graph. Work: that of [`components`](super::components()).
    ///
    /// # Panics
    ///
    /// Panics as [`Components::run`](super::Components::run) does.
    pub fn of<G: Graph<Vertex = V>>(graph: &G) -> Self {
        components(graph).into()
    }

    /// The number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.trees.len()
    }

    /// Adds vertices without edges, whose numbers are the next ones. Work: O(1) for each, amortized.
    ///
    /// # Panics
    ///
    /// Panics if the type cannot number as many vertices.
    pub fn add_vertices(&mut self, count: usize) {
        let n = self.num_vertices().saturating_add(count);
        expect_count::<V>(n);
        self.trees.grow(n);
        *self.count.get_mut() += count;
    }

    /// Adds edges, and returns how many fewer components there are.
    ///
    /// Work: two walks from a vertex to its root for each edge. Walks shorten paths, so k of them take O(k log n) in
    /// total. Span: that of a block of 1,024 edges. Memory: none. If it is cancelled, some of the edges have been
    /// added.
    ///
    /// # Errors
    ///
    /// [`EdgeError`] if one of the edges has an end that is not a vertex. Then none of them is added.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn add_edges(&mut self, edges: &[(V, V)]) -> Result<usize, EdgeError> {
        self.check(edges)?;
        self.trees.refresh();
        let before = self.count();
        let add = |block: &[(V, V)]| {
            let mut joined = 0;
            for_each_ahead(&self.trees, block, |u, v| joined += usize::from(self.trees.link(u, v)));
            self.count.fetch_sub(joined, Ordering::Relaxed);
        };
        if edges.len() < SMALL {
            add(edges)
        } else {
            filch::for_each(filch::chunks(edges, BLOCK), |_, block| add(block))
        }
        Ok(before - self.count())
    }

    /// Adds edges, and returns those that join two components, in their order: an edge is among them if its ends are
    /// not connected by edges that were there before, or come before it in the batch. So the edges of all batches are a
    /// spanning forest.
    ///
    /// Work: as for [`add_edges`](Self::add_edges). Edges between vertices that are connected already are left out in
    /// parallel, and the rest is added by one worker. So a batch in which most edges join components takes longer than
    /// in `add_edges`. Memory: an edge for each edge of the batch. If it is cancelled, some of the edges have been
    /// added.
    ///
    /// # Errors
    ///
    /// As for [`add_edges`](Self::add_edges).
    ///
    /// # Panics
    ///
    /// As [`add_edges`](Self::add_edges).
    pub fn add_to_forest(&mut self, edges: &[(V, V)]) -> Result<Vec<(V, V)>, EdgeError> {
        self.check(edges)?;
        self.trees.refresh();
        let (trees, mut forest) = (&self.trees, Vec::new());
        // What a piece has joined is left out of the next one, which is twice as long.
        let (mut rest, mut size) = (edges, SMALL);
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(size.min(rest.len()));
            let open = filter(piece, |(u, v)| trees.root(*u) != trees.root(*v));
            for block in open.chunks(BLOCK) {
                filch::end_if_cancelled();
                let before = forest.len();
                for_each_ahead(trees, block, |u, v| forest.extend(trees.link(u, v).then_some((u, v))));
                self.count.fetch_sub(forest.len() - before, Ordering::Relaxed);
            }
            (rest, size) = (later, size * 2);
        }
        Ok(forest)
    }

    /// Whether `u` and `v` are in the same component. Work: O(log n), amortized.
    ///
    /// # Panics
    ///
    /// Panics if `u` or `v` is not a vertex.
    pub fn are_connected(&self, u: V, v: V) -> bool {
        self.label(u) == self.label(v)
    }

    /// The smallest vertex of the component of `v`. Work: O(log n), amortized.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex.
    pub fn label(&self, v: V) -> V {
        self.trees.root(v)
    }

    /// For each vertex, the smallest vertex of its component. Work: O(n log n) at most, and O(n) right after the
    /// previous call, in parallel.
    pub fn labels(&self) -> Vec<V> {
        self.trees.flatten(None);
        filch_algorithms::tabulate(self.num_vertices(), |v| self.trees.above(V::new(v)))
    }

    /// The number of components. Work: O(1).
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    fn check(&self, edges: &[(V, V)]) -> Result<(), EdgeError> {
        let num_vertices = self.num_vertices();
        let wrong = |edge: &(V, V)| edge.0.max(edge.1).index() >= num_vertices;
        match find_first(edges, wrong) {
            None => Ok(()),
            Some(place) => {
                let (u, v) = edges[place];
                let found = if u.index() < num_vertices { v } else { u };
                Err(EdgeError { place, found: found.index(), num_vertices })
            }
        }
    }
}

impl<V: Vertex> From<ConnectedComponents<V>> for IncrementalComponents<V> {
    /// Work: O(n), in parallel.
    fn from(found: ConnectedComponents<V>) -> Self {
        let count = AtomicUsize::new(found.count());
        IncrementalComponents { trees: Trees::of(map(found.labels(), |label| V::Atomic::new(*label))), count }
    }
}

impl<V: Vertex> Debug for IncrementalComponents<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("IncrementalComponents")
            .field("num_vertices", &self.num_vertices())
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

fn expect_count<V: Vertex>(n: usize) {
    assert!(n <= V::MAX_COUNT, "{n} vertices: expected at most {}, as many as the type can number", V::MAX_COUNT);
}

/// Calls `body` with the ends of each edge, and prefetches what it reads some edges earlier.
#[inline(always)]
fn for_each_ahead<V: Vertex>(trees: &Trees<V>, edges: &[(V, V)], mut body: impl FnMut(V, V)) {
    for (at, &(u, v)) in edges.iter().enumerate() {
        if let Some(&(u, v)) = edges.get(at + AHEAD) {
            trees.prefetch(u);
            trees.prefetch(v);
        }
        body(u, v);
    }
}
