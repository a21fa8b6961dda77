//! A maximal independent set: no two of its vertices are neighbors, and every other vertex has a neighbor in it.
//!
//! The set is the one that a serial loop finds which goes through the vertices in a random order and takes each that
//! has no neighbor in the set yet. Blelloch, Fineman and Shun (2012, "Greedy sequential maximal independent set and
//! matching are parallel on average", section 3) show that chains of vertices that wait for each other in this loop are
//! short: O(log² n) vertices with high probability. So the order is drawn, by a seed, and the result depends on nothing
//! else: it is the same on any number of workers.
//!
//! A vertex is decided when a neighbor is in the set, or when all neighbors that come before it are out. Workers go
//! through the vertices by their numbers, and a worker that meets a neighbor that comes before and is open decides that
//! one first, on a stack of its own. Two workers may decide the same vertex at the same time. Then both find the same,
//! so they need not know of each other. A vertex that joins the set puts its neighbors out, most of which are never
//! looked at then.

// `serial` is independent. May import: `Graph` and arrays, not other algorithms, builders or readers.

mod serial;

pub use serial::serial;

use crate::choose::tuning::CHUNK;
use crate::graph::{DirectedError, Graph};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::{map, pack_indices, tabulate};
use std::sync::atomic::{AtomicU8, Ordering};

/// The purpose of the draws.
const FOR_SETS: u64 = 0x6D69_7300;

/// A search for a maximal independent set, as a builder.
#[derive(Clone, Copy)]
pub struct MaximalIndependentSet<'w> {
    seed: u64,
    watch: &'w dyn Watch,
}

impl Default for MaximalIndependentSet<'_> {
    fn default() -> Self {
        MaximalIndependentSet { seed: 1, watch: &() }
    }
}

/// A maximal independent set of `graph`, as [`MaximalIndependentSet::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::maximal_independent_set::maximal_independent_set;
///
/// let star: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (0, 2), (0, 3)])?;
/// let found = maximal_independent_set(&star)?;
/// assert!(found.vertices == [0] || found.vertices == [1, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`MaximalIndependentSet::run`].
///
/// # Panics
///
/// Panics as [`MaximalIndependentSet::run`] does.
pub fn maximal_independent_set<G: Graph>(graph: &G) -> Result<IndependentSet<G::Vertex>, DirectedError> {
    MaximalIndependentSet::new().run(graph)
}

impl<'w> MaximalIndependentSet<'w> {
    /// A search with the seed 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// The seed of the order. Each seed has its set.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        MaximalIndependentSet { seed, ..self }
    }

    /// Reports progress to `watch`: one pass over the vertices.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        MaximalIndependentSet { watch, ..self }
    }

    /// A maximal independent set of `graph`: the greedy one in the order of the seed. Self-loops do not count.
    ///
    /// Work: O(n + m) on one worker; more only where several decide the same vertex at the same time. Span: what one
    /// vertex depends on, which is little in expectation (Yoshida, Yamamoto and Ito 2009, "An improved constant-time
    /// approximation algorithm for maximum matchings", section 3), but O(n + m) if everything hangs together. Memory: a
    /// byte for each vertex, and the result.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<IndependentSet<G::Vertex>, DirectedError> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("deciding", "vertices", n));
        let states = tabulate(n, |_| AtomicU8::new(OPEN));
        let decide = Decide { graph, draws: draws(self.seed), states };
        filch::for_each(0..n.div_ceil(CHUNK), |_, chunk| {
            let vertices = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
            let len = vertices.len();
            vertices.map(G::Vertex::new).filter(|&v| decide.state(v) == OPEN).for_each(|v| decide.run(v));
            self.watch.advance(len);
        });
        let inside = pack_indices(n, |v| decide.state(G::Vertex::new(v)) == IN);
        Ok(IndependentSet { vertices: map(&inside, |&v| G::Vertex::new(v)) })
    }
}

/// A set of vertices no two of which are neighbors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndependentSet<V = u32> {
    /// The vertices, in ascending order.
    pub vertices: Vec<V>,
}

impl<V: Vertex> IndependentSet<V> {
    /// Whether `v` is in the set. Work: O(log n).
    pub fn contains(&self, v: V) -> bool {
        self.vertices.binary_search(&v).is_ok()
    }
}

/// What is known of a vertex. It is open at first; the others are final.
const OPEN: u8 = 0;
const IN: u8 = 1;
const OUT: u8 = 2;

struct Decide<'g, G> {
    graph: &'g G,
    draws: SplitMix,
    states: Vec<AtomicU8>,
}

impl<G: Graph> Decide<'_, G> {
    #[inline(always)]
    fn state(&self, v: G::Vertex) -> u8 {
        self.states[v.index()].load(Ordering::Relaxed)
    }

    /// Decides an open vertex, and those before it on which it depends.
    #[inline(always)]
    fn run(&self, first: G::Vertex) {
        let place = |v: G::Vertex| self.draws.at(v.index() as u64);
        // Vertices that wait for a neighbor, this neighbor, and the arcs that they have not looked along.
        let mut waiting = Vec::new();
        let (mut v, mut arcs) = (first, self.graph.neighbors(first));
        let mut step = 0;
        loop {
            let own = (place(v), v);
            let mut is_out = false;
            let mut before = None;
            // Another worker may have put v in, which its self-loop must not take for a neighbor.
            for u in arcs.by_ref().filter(|&u| u != v) {
                let state = self.state(u);
                is_out = state == IN;
                before = (state == OPEN && (place(u), u) < own).then_some(u);
                if is_out || before.is_some() {
                    break;
                }
            }
            if let Some(u) = before {
                step += 1;
                look_at(step);
                waiting.push((v, u, std::mem::replace(&mut arcs, self.graph.neighbors(u))));
                v = u;
                continue;
            }
            self.put(v, if is_out { OUT } else { IN });
            if !is_out {
                self.graph.neighbors(v).filter(|&u| u != v).for_each(|u| self.put(u, OUT));
            }
            // The next one that is open. Another worker may have put a neighbor in, and not yet those next to it out.
            loop {
                let Some((above, neighbor, rest)) = waiting.pop() else { return };
                if self.state(neighbor) == IN {
                    self.put(above, OUT);
                } else if self.state(above) == OPEN {
                    (v, arcs) = (above, rest);
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn put(&self, v: G::Vertex, state: u8) {
        self.states[v.index()].store(state, Ordering::Relaxed);
    }
}

/// The order of a seed: vertices are in ascending order of their draws and, if these are equal, of their numbers.
fn draws(seed: u64) -> SplitMix {
    SplitMix::new(seed, FOR_SETS)
}
