//! The coreness of each vertex: the largest k for which the vertex is in the k-core, the largest subgraph in which
//! every vertex has at least k neighbors (Seidman 1983, "Network structure and minimum degree").
//!
//! The vertices are peeled in levels (Kabir and Madduri 2017, "Parallel k-core decomposition on multicore platforms").
//! Level k removes the vertices that have k neighbors left, and those that have no more than k left because of that. A
//! level with few vertices is peeled by one worker with a stack, and shared as soon as it grows.
//!
//! The degree of a vertex is the number of its neighbors that are left, while it is left itself, and its coreness
//! afterwards. Workers that remove neighbors of a vertex decrement it at the same time, so that the decrements that
//! find it at k + 1 and above are counted exactly, and one of them, the one that makes it k, removes the vertex. A
//! decrement that comes later finds k or less and takes itself back. So once level k has ended, the vertices that it
//! removed have degree k.

// `serial` is independent. May import: `Graph` and arrays, not other algorithms, builders or readers.

mod serial;

pub use serial::serial;

use crate::choose::tuning::{AHEAD, BUDGET, CHUNK, SHARED, SMALL};
use crate::graph::{DirectedError, Graph};
use crate::peeling::{NO_DEGREE, decrement, split};
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::tabulate;
use std::sync::atomic::{AtomicU32, Ordering};

/// A computation of corenesses, as a builder.
#[derive(Clone, Copy)]
pub struct Cores<'w> {
    watch: &'w dyn Watch,
}

impl Default for Cores<'_> {
    fn default() -> Self {
        Cores { watch: &() }
    }
}

/// The coreness of each vertex of `graph`, as [`Cores::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::cores::cores;
///
/// let graph: Csr = Csr::builder(5).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let found = cores(&graph)?;
/// assert_eq!(found.coreness, [2, 2, 2, 1, 0]);
/// assert_eq!((found.degeneracy(), found.histogram()), (Some(2), vec![1, 1, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Cores::run`].
///
/// # Panics
///
/// Panics as [`Cores::run`] does.
pub fn cores<G: Graph>(graph: &G) -> Result<Coreness, DirectedError> {
    Cores::new().run(graph)
}

impl<'w> Cores<'w> {
    /// A computation without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: one pass, which ends when all vertices have been peeled.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Cores { watch }
    }

    /// The coreness of each vertex of `graph`. Self-loops do not count. A neighbor counts as often as there are edges
    /// to it.
    ///
    /// Work: O(n + m). Every arc is followed once. Each level also reads the degrees of the vertices that are left,
    /// which adds up to the sum of all coreness values. Span: the number of levels, plus the longest chain in which the
    /// removal of a vertex causes that of the next. Memory: at most three vertices and 4 bytes for each vertex.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if a degree does not fit in 32 bits, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Coreness, DirectedError> {
        DirectedError::check(graph)?;
        Ok(peel(graph, self.watch))
    }
}

/// The coreness of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coreness {
    /// The largest k for which the vertex is in the k-core.
    pub coreness: Vec<u32>,
    /// The number of levels, which is the number of different values of `coreness`.
    pub levels: usize,
}

impl Coreness {
    /// The degeneracy of the graph: the largest coreness, or `None` if the graph has no vertices. Work: O(n), serial.
    pub fn degeneracy(&self) -> Option<u32> {
        self.coreness.iter().copied().max()
    }

    /// The number of vertices of each coreness, from 0 to the degeneracy. Work: O(n), serial.
    pub fn histogram(&self) -> Vec<usize> {
        let mut counts = vec![0; self.degeneracy().map_or(0, |most| most as usize + 1)];
        for &coreness in &self.coreness {
            counts[coreness as usize] += 1;
        }
        counts
    }
}

struct Peel<'g, G> {
    graph: &'g G,
    degrees: Vec<AtomicU32>,
    is_shared: bool,
    watch: &'g dyn Watch,
}

fn peel<G: Graph>(graph: &G, watch: &dyn Watch) -> Coreness {
    let n = graph.num_vertices();
    watch.begin(Pass::new("peeling", "vertices", n));
    let degree = |v: usize| {
        let others = graph.neighbors(G::Vertex::new(v)).filter(|u| u.index() != v).count();
        let degree = u32::try_from(others).ok().filter(|&degree| degree != NO_DEGREE);
        AtomicU32::new(degree.expect("a degree in this graph is too large: degrees have 32 bits"))
    };
    let peel = Peel { graph, degrees: tabulate(n, degree), is_shared: filch::num_workers() > 1, watch };

    let mut left = tabulate(n, G::Vertex::new);
    let (mut level, mut levels) = (0, 0);
    while level != NO_DEGREE {
        let (now, lowest) = split(&peel.degrees, &mut left, level);
        if now.is_empty() {
            level = lowest;
            continue;
        }
        levels += 1;
        // If no other vertices are left, no degree matters any more.
        if left.is_empty() {
            watch.advance(now.len());
            break;
        }
        let recounted = peel.recount(&now, &left, level);
        peel.level(recounted.unwrap_or(now), level);
        level += 1;
    }
    Coreness { coreness: AtomicU32::into_vertices(peel.degrees), levels }
}

impl<G: Graph> Peel<'_, G> {
    /// If few arcs leave the vertices in `left` compared with those in `now`, counts for each of them how many
    /// neighbors it has left without `now`, and returns those that have to be removed because of that. In a star, this
    /// saves the decrements of the center, for which all workers would compete.
    fn recount(&self, now: &[G::Vertex], left: &[G::Vertex], level: u32) -> Option<Vec<G::Vertex>> {
        if now.len() < SHARED || left.len() > now.len() / 2 {
            return None;
        }
        let arcs = |vertices: &[G::Vertex]| -> usize { vertices.iter().map(|&v| self.graph.degree(v)).sum() };
        if arcs(left) > arcs(now) {
            return None;
        }
        let stays = |v: G::Vertex| self.degrees[v.index()].load(Ordering::Relaxed) > level;
        let counts = tabulate(left.len(), |at| {
            let v = left[at];
            self.graph.neighbors(v).filter(|&u| u != v && stays(u)).count()
        });
        let mut waiting = Vec::new();
        for (&v, count) in left.iter().zip(counts) {
            // A count is at most the old degree.
            self.degrees[v.index()].store((count as u32).max(level), Ordering::Relaxed);
            if count <= level as usize {
                waiting.push(v);
            }
        }
        self.watch.advance(now.len());
        Some(waiting)
    }

    /// Removes the vertices of `waiting`, whose degree is `level`, and those that have no more neighbors because of
    /// that.
    fn level(&self, mut waiting: Vec<G::Vertex>, level: u32) {
        while !waiting.is_empty() {
            let most = if self.is_shared { SHARED } else { usize::MAX };
            if waiting.len() < most {
                waiting = self.remove_all(waiting, level, false, |waiting, _| waiting < most);
                continue;
            }
            let pieces = filch::chunks(&waiting, CHUNK);
            let remove_piece =
                |piece: &[G::Vertex]| self.remove_all(piece.to_vec(), level, true, |_, removed| removed < BUDGET);
            waiting = filch::map_reduce(
                pieces,
                Vec::new,
                |_, piece| remove_piece(piece),
                |mut some: Vec<_>, more| {
                    some.extend(more);
                    some
                },
            );
        }
    }

    /// Removes the vertices of `waiting` and those that have to be removed because of that, first come, first served,
    /// as long as `goes_on` returns true for the numbers of vertices that wait and that have been removed. Returns
    /// those that still wait.
    #[inline(always)]
    fn remove_all(
        &self,
        mut waiting: Vec<G::Vertex>,
        level: u32,
        is_shared: bool,
        goes_on: impl Fn(usize, usize) -> bool,
    ) -> Vec<G::Vertex> {
        let mut at = 0;
        while let Some(&v) = waiting.get(at)
            && goes_on(waiting.len() - at, at)
        {
            self.look_ahead(&waiting, at);
            at += 1;
            self.remove(v, level, is_shared, |u| waiting.push(u));
            look_at(at);
            if at % SMALL == 0 {
                self.watch.advance(SMALL);
            }
        }
        self.watch.advance(at % SMALL);
        waiting.drain(..at);
        waiting
    }

    /// Decrements the neighbors of a vertex, and passes to `push` those that have to be removed because of that.
    #[inline(always)]
    fn remove(&self, v: G::Vertex, level: u32, is_shared: bool, mut push: impl FnMut(G::Vertex)) {
        for u in self.graph.neighbors(v) {
            if decrement(&self.degrees[u.index()], level, is_shared) {
                push(u);
            }
        }
    }

    /// Prefetches for vertices that come after the one at `at`.
    #[inline(always)]
    fn look_ahead(&self, waiting: &[G::Vertex], at: usize) {
        if let Some(&v) = waiting.get(at + 3 * AHEAD / 2) {
            self.graph.prefetch(v);
        }
        if let Some(&v) = waiting.get(at + AHEAD) {
            self.graph.prefetch_neighbors(v);
        }
        if let Some(&v) = waiting.get(at + AHEAD / 2) {
            self.graph.neighbors(v).for_each(|u| prefetch(&self.degrees, u.index()));
        }
    }
}
