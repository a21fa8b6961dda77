//! Minimum spanning forests.
//!
//! The parallel algorithm is Borůvka's, with the filter of Osipov, Sanders and Singler (2009, "The filter-Kruskal
//! minimum spanning tree algorithm"): light edges first, and of the heavy ones only those whose ends are still in
//! different trees. With few workers, one of them joins the trees by Kruskal's algorithm, and the others filter and
//! sort.

// Modules: `rounds` and `rows` (rounds over a list of edges, and a round over all rows); `serial` is independent. May
// import: weighted rows, `sets` and `Watch`, not other algorithms, builders or readers.

mod rounds;
mod rows;
mod serial;

pub use serial::serial;

use crate::choose::sample_weights;
use crate::choose::tuning::{LIGHT, PIECE, SMALL};
use crate::graph::WeightedGraph;
use crate::sets::Trees;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use crate::weight::Weight;
use rounds::{Choices, Edge, Pieces};
use rows::first_round;
use std::ops::RangeInclusive;

/// The largest number of vertices, because a tree is numbered in 32 bits.
const MOST_VERTICES: usize = u32::MAX as usize;

/// A search for a minimum spanning forest, as a builder.
#[derive(Clone, Copy)]
pub struct Msf<'w> {
    watch: &'w dyn Watch,
}

impl Default for Msf<'_> {
    fn default() -> Self {
        Msf { watch: &() }
    }
}

/// Finds a minimum spanning forest, as [`Msf::run`] does.
///
/// ```
/// use filch_graph::msf::msf;
/// use filch_graph::{Csr, WeightedCsr};
///
/// let roads = vec![(0, 1, 7.0), (0, 2, 2.0), (2, 1, 2.5)];
/// let graph: WeightedCsr = Csr::builder(4).symmetrize(true).build_weighted(roads)?;
/// let found = msf(&graph);
/// assert_eq!((found.edges.len(), found.num_trees(), found.weight), (2, 2, 4.5));
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`Msf::run`] does.
pub fn msf<G: WeightedGraph>(graph: &G) -> MinimumForest<G::Vertex, G::Weight> {
    Msf::new().run(graph)
}

impl<'w> Msf<'w> {
    /// A search without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: passes over the vertices that choose and filter edges, and passes over the edges
    /// that may join two trees.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Msf { watch }
    }

    /// Finds a minimum spanning forest: a spanning tree of each component whose weights have the least sum. Arcs are
    /// edges regardless of direction. Weights may be negative.
    ///
    /// If several edges have the same weight, there may be several such forests, all with the same weights; which one
    /// is found depends on the number of workers.
    ///
    /// Work: O((n + m) log n) in the worst case; for random weights the filter leaves O(m + n log n log (m/n)) (Osipov
    /// et al. 2009, section 3). Span: with four workers or more, O(log n) rounds, each of which takes as long as the
    /// longest row. Memory: about 20 bytes for each vertex, and 20 for each edge that is among the lightest two per
    /// vertex or passes the filter.
    ///
    /// # Panics
    ///
    /// Panics if the graph has 2^32 vertices or more, or if the global pool is needed and cannot be started; see
    /// [`filch::run`].
    pub fn run<G: WeightedGraph>(self, graph: &G) -> MinimumForest<G::Vertex, G::Weight> {
        let n = graph.num_vertices();
        assert!(n <= MOST_VERTICES, "a minimum spanning forest has at most {MOST_VERTICES} vertices, found {n}");
        if n + graph.num_arcs() >= SMALL {
            return by_rounds(graph, self.watch);
        }
        self.watch.begin(Pass::new("joining", "vertices", n));
        let found = serial(graph);
        self.watch.advance(n);
        found
    }
}

/// A minimum spanning forest.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimumForest<V = u32, W: Weight = f32> {
    /// The edges: two vertices and the weight.
    pub edges: Vec<(V, V, W)>,
    /// The sum of the weights: exact if they are whole numbers, and otherwise added in the order of the edges.
    pub weight: W::Total,
    /// The number of rounds of Borůvka's algorithm, 0 for the serial algorithm.
    pub rounds: usize,
    num_vertices: usize,
}

impl<V, W: Weight> MinimumForest<V, W> {
    fn new(edges: Vec<(V, V, W)>, rounds: usize, num_vertices: usize) -> Self {
        let weight = W::total(edges.iter().map(|edge| edge.2));
        MinimumForest { edges, weight, rounds, num_vertices }
    }

    /// The number of trees, which is the number of components. A vertex without edges is a tree.
    pub fn num_trees(&self) -> usize {
        self.num_vertices - self.edges.len()
    }
}

/// A round over all rows, then rounds over the light edges, then over those of the heavy edges that are still between
/// two trees.
fn by_rounds<G: WeightedGraph>(graph: &G, watch: &dyn Watch) -> MinimumForest<G::Vertex, G::Weight> {
    let n = graph.num_vertices();
    let trees = Trees::new(n);
    let (mut chosen, mut rounds) = (Vec::new(), 0);
    if graph.is_symmetric() {
        chosen = first_round(graph, &trees, watch);
        rounds = 1;
    }
    let choices = Choices::new(n);
    let mut least = 0;
    for most in [light(graph), u64::MAX] {
        let range = least..=most;
        let pieces = pieces(graph, &trees, &range, watch);
        rounds += rounds::run(pieces, &trees, &choices, &mut chosen, watch);
        if most == u64::MAX {
            break;
        }
        trees.flatten_deep();
        least = most + 1;
    }
    MinimumForest::new(chosen.concat(), rounds, n)
}

/// The largest rank of a weight of light edges, by a sample.
fn light<G: WeightedGraph>(graph: &G) -> u64 {
    let mut sample: Vec<u64> = sample_weights(graph).into_iter().map(Weight::rank).collect();
    sample.sort_unstable();
    let arcs = graph.num_arcs();
    let edges = if graph.is_symmetric() { arcs / 2 } else { arcs };
    let share = (LIGHT * graph.num_vertices()) as f64 / edges.max(1) as f64;
    sample.get((share * sample.len() as f64) as usize).copied().unwrap_or(u64::MAX)
}

/// The edges between different trees whose weights have ranks in a range.
fn pieces<G: WeightedGraph>(
    graph: &G,
    trees: &Trees<G::Vertex>,
    range: &RangeInclusive<u64>,
    watch: &dyn Watch,
) -> Pieces<G::Vertex, G::Weight> {
    let (n, is_symmetric) = (graph.num_vertices(), graph.is_symmetric());
    watch.begin(Pass::new("filtering", "vertices", n));
    let mut pieces = vec![Vec::new(); n.div_ceil(PIECE)];
    filch::for_each((0_usize.., &mut pieces), |_, (piece, edges)| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let count = vertices.len();
        for u in vertices.map(G::Vertex::new) {
            let tree = trees.above(u);
            for (v, weight) in graph.arcs(u) {
                let weight = weight.canonical();
                if (u < v || !is_symmetric) && range.contains(&weight.rank()) && trees.above(v) != tree {
                    edges.push(Edge { trees: [tree, trees.above(v)], ends: [u, v], weight });
                }
            }
        }
        watch.advance(count);
    });
    pieces
}
