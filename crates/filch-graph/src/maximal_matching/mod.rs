//! A maximal matching: edges no two of which share a vertex, to which no other edge can be added.
//!
//! The matching is the one that a serial loop finds which goes through the edges in a random order and takes each whose
//! ends are both free (Blelloch, Fineman and Shun 2012, "Greedy sequential maximal independent set and matching are
//! parallel on average", section 4). The order is drawn, by a seed, and the result depends on nothing else: it is the
//! same on any number of workers.
//!
//! Workers find it by proposals, in any order (Manne and Halappanavar 2014, "New effective multithreaded matching
//! algorithms": the suitor algorithm, for which an edge that comes earlier is heavier). Each vertex proposes to the
//! neighbor over the earliest edge among those that would accept it. A vertex keeps the best proposal it has had,
//! that over the earliest edge, and the one that it drops proposes elsewhere. In the end proposals are mutual, and the
//! pairs are the matching. A vertex keeps its proposal in one word, which changes by a compare-exchange, and only for
//! the better, so there is nothing to lock.

// `serial` is independent. May import: `Graph` and arrays, not other algorithms, builders or readers.

mod serial;

pub use serial::serial;

use crate::choose::tuning::CHUNK;
use crate::graph::{DirectedError, Graph};
use crate::splitmix::SplitMix;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::tabulate;

/// The purpose of the draws.
const FOR_EDGES: u64 = 0x6D6D_0000;

/// A search for a maximal matching, as a builder.
#[derive(Clone, Copy)]
pub struct MaximalMatching<'w> {
    seed: u64,
    watch: &'w dyn Watch,
}

impl Default for MaximalMatching<'_> {
    fn default() -> Self {
        MaximalMatching { seed: 1, watch: &() }
    }
}

/// A maximal matching of `graph`, as [`MaximalMatching::run`] finds it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::maximal_matching::maximal_matching;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0)])?;
/// let found = maximal_matching(&graph)?;
/// assert_eq!((found.count(), found.mate(3)), (1, None));
/// assert!(found.edges().all(|(u, v)| u < v && found.mate(v) == Some(u)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`MaximalMatching::run`].
///
/// # Panics
///
/// Panics as [`MaximalMatching::run`] does.
pub fn maximal_matching<G: Graph>(graph: &G) -> Result<Matching<G::Vertex>, DirectedError> {
    MaximalMatching::new().run(graph)
}

impl<'w> MaximalMatching<'w> {
    /// A search with the seed 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// The seed of the order. Each seed has its matching.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        MaximalMatching { seed, ..self }
    }

    /// Reports progress to `watch`: one pass over the vertices.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        MaximalMatching { watch, ..self }
    }

    /// A maximal matching of `graph`: the greedy one in the order of the seed. Self-loops do not count, and parallel
    /// edges count once.
    ///
    /// Work: a row is read for each proposal. A vertex makes two to four in the graphs that have been measured, and at
    /// most as many as it has neighbors. Span: the longest chain of vertices that are dropped because of each other.
    /// Memory: two vertices for each vertex, one of which is the result.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Matching<G::Vertex>, DirectedError> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("proposing", "vertices", n));
        let suitors = tabulate(n, |_| <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
        let proposals = Proposals { graph, order: Order::new(self.seed), suitors };
        filch::for_each(0..n.div_ceil(CHUNK), |_, chunk| {
            let vertices = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
            let len = vertices.len();
            vertices.for_each(|v| proposals.make(G::Vertex::new(v)));
            self.watch.advance(len);
        });
        Ok(Matching { mates: AtomicVertex::into_vertices(proposals.suitors) })
    }
}

/// A matching: edges no two of which share a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching<V = u32> {
    /// The other end of the edge of each vertex, [`Vertex::NONE`] if it has none.
    pub mates: Vec<V>,
}

impl<V: Vertex> Matching<V> {
    /// The other end of the edge of `v`, if it has one.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn mate(&self, v: V) -> Option<V> {
        Some(self.mates[v.index()]).filter(|&mate| mate != V::NONE)
    }

    /// The edges, each as its ends in ascending order, in the order of their smaller ends.
    pub fn edges(&self) -> impl Iterator<Item = (V, V)> + '_ {
        let pairs = self.mates.iter().enumerate().map(|(v, &mate)| (V::new(v), mate));
        pairs.filter(|&(v, mate)| v < mate && mate != V::NONE)
    }

    /// The number of edges. Work: O(n), serial.
    pub fn count(&self) -> usize {
        self.edges().count()
    }
}

/// The order of the edges by a seed. Of edges with equal draws, that with the smaller ends comes first.
#[derive(Clone, Copy)]
struct Order(SplitMix);

impl Order {
    fn new(seed: u64) -> Self {
        Order(SplitMix::new(seed, FOR_EDGES))
    }

    /// Where the edge between two vertices stands.
    #[inline(always)]
    fn place<V: Vertex>(self, u: V, v: V) -> (u64, V, V) {
        let (low, high) = (u.min(v), u.max(v));
        (self.0.at((low.index() as u64).rotate_left(32) ^ high.index() as u64), low, high)
    }
}

struct Proposals<'g, G: Graph> {
    graph: &'g G,
    order: Order,
    /// The vertex whose proposal each vertex keeps, if it has had one.
    suitors: Vec<<G::Vertex as Vertex>::Atomic>,
}

impl<G: Graph> Proposals<'_, G> {
    /// Makes the proposal of a vertex, and those of vertices that are dropped because of it.
    #[inline(always)]
    fn make(&self, first: G::Vertex) {
        let mut next = Some(first);
        let mut step = 0;
        while let Some(v) = next {
            step += 1;
            look_at(step);
            let Some((to, dropped)) = self.best(v) else { return };
            // If another proposal has come first, v looks again.
            if self.suitors[to.index()].replace(dropped, v) {
                next = Some(dropped).filter(|&dropped| dropped != G::Vertex::NONE);
            }
        }
    }

    /// The neighbor to which `v` proposes, and the vertex whose proposal it keeps so far.
    #[inline(always)]
    fn best(&self, v: G::Vertex) -> Option<(G::Vertex, G::Vertex)> {
        let (mut best, mut earliest) = (None, (u64::MAX, G::Vertex::NONE, G::Vertex::NONE));
        for u in self.graph.neighbors(v) {
            let place = self.order.place(u, v);
            if place >= earliest || u == v {
                continue;
            }
            let suitor = self.suitors[u.index()].load();
            if suitor == G::Vertex::NONE || place < self.order.place(u, suitor) {
                (best, earliest) = (Some((u, suitor)), place);
            }
        }
        best
    }
}
