//! Topological order: every arc leads from a vertex to a later one. Only graphs without cycles have it.
//!
//! The vertices are peeled in levels (Kahn 1962, "Topological sorting of large networks"). The first level has the
//! vertices to which no arc leads, and each other level those that no arc from the remaining vertices leads to once the
//! levels before have gone. So the level of a vertex is the number of arcs on the longest path to it, and the last
//! level shows how long a program takes at least whose steps wait for each other in this way. A level with few vertices
//! is peeled by one worker. Levels depend on nothing but the graph, and their vertices are put in the order of their
//! numbers, so the result is the same on any number of workers.
//!
//! If vertices are left, each of them has an arc from another one that is left. Following these back leads around a
//! cycle, which is the proof.

// `serial` is independent. May import: `Graph` and arrays, not other algorithms, builders or readers.

mod cycle;
mod serial;

pub use cycle::CycleError;
pub use serial::serial;

use crate::choose::tuning::{CHUNK, SHARED};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::{pack_indices, sort_unstable, tabulate};
use std::sync::atomic::{AtomicU32, Ordering};

/// A search for a topological order, as a builder.
#[derive(Clone, Copy)]
pub struct TopologicalOrder<'w> {
    watch: &'w dyn Watch,
}

impl Default for TopologicalOrder<'_> {
    fn default() -> Self {
        TopologicalOrder { watch: &() }
    }
}

/// The vertices of `graph` in a topological order, as [`TopologicalOrder::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::topological_order::topological_order;
///
/// let graph: Csr = [(3, 1), (1, 0), (3, 0), (2, 0)].into_iter().collect();
/// let found = topological_order(&graph)?;
/// assert_eq!(found.order, [2, 3, 1, 0]);
/// assert!(found.levels().eq([&[2, 3][..], &[1], &[0]]));
///
/// let graph: Csr = [(0, 1), (1, 2), (2, 1)].into_iter().collect();
/// assert_eq!(topological_order(&graph).unwrap_err().cycle, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`TopologicalOrder::run`].
///
/// # Panics
///
/// Panics as [`TopologicalOrder::run`] does.
pub fn topological_order<G: Graph>(graph: &G) -> Result<Levels<G::Vertex>, CycleError<G::Vertex>> {
    TopologicalOrder::new().run(graph)
}

impl<'w> TopologicalOrder<'w> {
    /// A search without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: one pass, which ends when all vertices have been peeled.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        TopologicalOrder { watch }
    }

    /// The vertices of `graph` in levels: each arc leads to a later level.
    ///
    /// Work: O(n log n + m). Every arc is followed once, and the vertices of a level are sorted. Span: the number of
    /// levels times the degree of a vertex. Memory: two vertices and 4 bytes for each vertex, a word for each level.
    ///
    /// # Errors
    ///
    /// [`CycleError`], with a cycle, if there is one. A self-loop is a cycle, and so is an edge of a symmetric graph.
    ///
    /// # Panics
    ///
    /// Panics if 2^32 arcs or more lead to a vertex, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Levels<G::Vertex>, CycleError<G::Vertex>> {
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("peeling", "vertices", n));
        // For each vertex, the number of arcs that lead to it from vertices that are left.
        let waiting = tabulate(n, |v| {
            let count = graph.in_neighbors(G::Vertex::new(v)).count();
            AtomicU32::new(u32::try_from(count).expect("too many arcs lead to a vertex: their number has 32 bits"))
        });
        let is_free = |v: usize| waiting[v].load(Ordering::Relaxed) == 0;
        let mut level: Vec<_> = pack_indices(n, is_free).into_iter().map(G::Vertex::new).collect();
        let mut found = Levels { order: Vec::with_capacity(n), starts: vec![0] };
        while !level.is_empty() {
            look_at(found.starts.len());
            found.order.extend_from_slice(&level);
            found.starts.push(found.order.len());
            self.watch.advance(level.len());
            level = next(graph, &waiting, &level);
        }
        if found.order.len() < n { Err(CycleError::among(graph, |v| !is_free(v.index()))) } else { Ok(found) }
    }
}

/// Removes the vertices of a level. Returns those that no more arcs lead to, in ascending order.
fn next<G: Graph>(graph: &G, waiting: &[AtomicU32], level: &[G::Vertex]) -> Vec<G::Vertex> {
    let mut next = if filch::num_workers() == 1 || level.len() < SHARED {
        let mut freed = Vec::new();
        for (step, &v) in level.iter().enumerate() {
            look_at(step);
            for w in graph.neighbors(v) {
                let left = waiting[w.index()].load(Ordering::Relaxed).wrapping_sub(1);
                waiting[w.index()].store(left, Ordering::Relaxed);
                if left == 0 {
                    freed.push(w);
                }
            }
        }
        freed
    } else {
        let remove = |vertices: &[G::Vertex]| {
            let targets = vertices.iter().flat_map(|&v| graph.neighbors(v));
            // The decrement that leaves none is unique.
            targets.filter(|w| waiting[w.index()].fetch_sub(1, Ordering::Relaxed) == 1).collect()
        };
        let append = |mut some: Vec<_>, more: Vec<_>| {
            some.extend(more);
            some
        };
        filch::map_reduce(filch::chunks(level, CHUNK), Vec::new, |_, vertices| remove(vertices), append)
    };
    sort_unstable(&mut next);
    next
}

/// The vertices of a graph without cycles, in levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels<V = u32> {
    /// All vertices, one level after the other; those of a level in ascending order. Every arc leads to a later vertex.
    pub order: Vec<V>,
    /// Where each level starts in `order`, and at the end the number of vertices.
    pub starts: Vec<usize>,
}

impl<V: Vertex> Levels<V> {
    /// The number of levels: that of the vertices on a longest path.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of each level, from the first on. No arc leads from one to another of the same level.
    pub fn levels(&self) -> impl Iterator<Item = &[V]> + '_ {
        self.starts.windows(2).map(|ends| &self.order[ends[0]..ends[1]])
    }

    /// The level of each vertex: the number of arcs on the longest path that ends there. Work: O(n), serial.
    pub fn level_of_each(&self) -> Vec<V> {
        let mut numbers = vec![V::NONE; self.order.len()];
        for (number, level) in self.levels().enumerate() {
            level.iter().for_each(|v| numbers[v.index()] = V::new(number));
        }
        numbers
    }
}
