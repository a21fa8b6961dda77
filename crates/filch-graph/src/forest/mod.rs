//! Spanning forests: a tree for each component.
//!
//! A spanning forest allows more freedom than a breadth-first search. [`Algorithm::Auto`] uses this freedom: it chooses
//! among six algorithms for six kinds of graphs, by a sample of the vertices:
//!
//! | graph | algorithm | saves |
//! |---|---|---|
//! | numbered by rows or levels | [descending](Algorithm::Descend): to smaller neighbors | claims and most arcs |
//! | the same, of many components | [sweeping](Algorithm::Sweep): the same by one worker | passes over the vertices |
//! | shallow | [pulling](Algorithm::Pull): from neighbors in the tree | most arcs; rows are read in order |
//! | deep and unordered | [pseudo-depth-first search](Algorithm::PseudoDfs) that looks ahead | waiting for memory |
//! | deep and narrow, or of many components | [patchwork](Algorithm::Patchwork): trees of workers, joined | sharing |
//! | many small components | [islands](Algorithm::Islands): one worker traverses each | claims and worklists |
//!
//! The command `cargo run --release -p filch-graph --example forest` compares all algorithms with the serial traversal.

// Modules, from the bottom up: `algorithm`, `options`, `result`; `worklist`, `look`, `union_find`; `descend`,
// `islands`, `patchwork`, `sweep`; `rest` (remaining components), `pull`; `serial` is independent. May import: `bfs`,
// `Graph` and what is below them; the builder only to build the graph of a forest's edges.

mod algorithm;
mod descend;
mod islands;
mod look;
mod options;
mod patchwork;
mod pull;
mod rest;
mod result;
mod serial;
mod sweep;
mod union_find;
mod worklist;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use options::{Claims, Options};
pub use result::{Counts, Forest, ForestError};
pub use serial::serial;

use crate::alone::{self, Rival};
use crate::bfs::{self, bfs_with};
use crate::filled::repeated;
use crate::graph::Graph;
use crate::order::{have_most_a_smaller_neighbor, is_numbered_in_order, is_sweep_shared};
use crate::vertex::{AtomicVertex, Vertex};
use filch::Batches;
use patchwork::Begun;
use worklist::{Manner, traverse};

/// A graph with fewer vertices and arcs than this is traversed serially: that is faster than getting other workers to
/// help.
const SMALL: usize = 1 << 14;

/// A graph with at most this many arcs for each vertex is sparse. If it is also numbered in order, there is nothing to
/// save by reading fewer arcs or by waiting less for memory.
const SPARSE: usize = 8;

/// With more arcs than this for each vertex, a sweep is no gain: it looks at the trees of all smaller neighbors, where
/// a traversal only sees that they are visited. With eight, in rows of four that lead to four hubs, it took 1.3 times
/// as long as the serial traversal (`bipartite(4,100000)`).
const SWEPT: usize = 4;

/// If more than one in so many vertices has no smaller neighbor, a sweep may have many trees to join: in a road-like
/// grid in which this was one in four, it took 1.2 times as long as the serial traversal (`roads(316,316,55)`).
const FEW_LOWS: usize = 16;

/// Builds a spanning forest of `graph`, which must be symmetric.
///
/// ```
/// use filch_graph::{Csr, forest::{Options, spanning_forest}};
///
/// let graph: Csr = Csr::builder(5).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (3, 4)])?;
/// let forest = spanning_forest(&graph, Options { root: Some(1), ..Options::default() })?;
/// assert_eq!(forest.num_trees(), 2);
/// assert_eq!(forest.parents[1], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Work: O(n + m) for n vertices and m edges. [`Algorithm::UnionFind`] takes up to a factor of log n more, and
/// [`Algorithm::Descend`] and [`Algorithm::Sweep`] up to a factor of log k if they have to link k trees. Span: the
/// longest path that is followed, times the length of a row. Memory: the result, a bit for each vertex, and the
/// worklists; if trees are linked, three more vertices for each vertex, or for a sweep one and some eight for each
/// tree; for [`Algorithm::UnionFind`], twice the edges of the forest.
///
/// If [`is_symmetric`](Graph::is_symmetric) returns true for a graph that is not symmetric, this function may return
/// parents that are not a forest, or panic.
///
/// # Errors
///
/// [`ForestError`]: the graph is directed, there is no such root, or not enough memory for the edges of the forest.
///
/// # Panics
///
/// Panics if the graph has a neighbor that is not a vertex, or if the global pool is needed and cannot be started; see
/// [`filch::run`].
pub fn spanning_forest<G: Graph>(graph: &G, options: Options<G::Vertex>) -> Result<Forest<G::Vertex>, ForestError> {
    let num_vertices = graph.num_vertices();
    if !graph.is_symmetric() {
        return Err(ForestError::Directed);
    }
    if let Some(root) = options.root.filter(|root| root.index() >= num_vertices) {
        return Err(ForestError::NoSuchRoot { root: root.index() as u64, num_vertices });
    }
    let mut counts = Counts::default();
    let manner = Manner { batches: Batches::Adaptive, claims: options.claims, is_phased: false, looks_ahead: true };
    const REQUESTED: &str = "it was requested";
    let (cells, algorithm, reason) = match options.algorithm {
        Algorithm::Auto if num_vertices + graph.num_arcs() < SMALL => {
            let parents = serial::serial_from(graph, options.root);
            let reason = "the graph is small";
            return Ok(Forest { parents, algorithm: Algorithm::Serial, reason, counts });
        }
        Algorithm::Serial => {
            let parents = serial::serial_from(graph, options.root);
            return Ok(Forest { parents, algorithm: Algorithm::Serial, reason: REQUESTED, counts });
        }
        Algorithm::Auto if look::descends(graph) => {
            let (cells, links) = descend::descend(graph);
            counts.links = links;
            (cells, Algorithm::Descend, "vertices have smaller neighbors: the numbers follow rows or levels")
        }
        Algorithm::Descend => {
            let (cells, links) = descend::descend(graph);
            counts.links = links;
            (cells, Algorithm::Descend, REQUESTED)
        }
        Algorithm::Auto if graph.num_arcs() / SPARSE <= num_vertices => {
            let is_orderly = is_numbered_in_order(graph);
            let rival = if is_orderly { Rival::Orderly } else { Rival::Prefetching };
            let is_for_one = graph.num_arcs() / SWEPT <= num_vertices && !is_sweep_shared(num_vertices);
            if is_orderly && is_for_one && have_most_a_smaller_neighbor(graph, FEW_LOWS) {
                let reason = "most vertices have smaller neighbors: few trees remain to be joined";
                (sweep::sweep(graph, &mut counts), Algorithm::Sweep, reason)
            } else if let Some(parents) = alone::traverse::<_, false, false>(graph, options.root, rival) {
                let reason = "one worker is fast: what it needs is in a cache, or in the order of memory";
                return Ok(Forest { parents, algorithm: Algorithm::Serial, reason, counts });
            } else if is_orderly {
                let reason = "neighbors are next to each other in memory: plain traversals are fast";
                (by_patchwork(graph, options, &mut counts), Algorithm::Patchwork, reason)
            } else {
                pull::grow(graph, options, false, manner, &mut counts)
            }
        }
        Algorithm::Sweep => (sweep::sweep(graph, &mut counts), Algorithm::Sweep, REQUESTED),
        Algorithm::Patchwork => (by_patchwork(graph, options, &mut counts), Algorithm::Patchwork, REQUESTED),
        Algorithm::Auto => pull::grow(graph, options, false, manner, &mut counts),
        Algorithm::Pull => (pull::grow(graph, options, true, manner, &mut counts).0, Algorithm::Pull, REQUESTED),
        Algorithm::PseudoDfs(batches) => {
            let manner = Manner { batches, looks_ahead: !look::is_local(graph), ..manner };
            (by_worklist(graph, options, manner, &mut counts), options.algorithm, REQUESTED)
        }
        Algorithm::PhasedBfs(batches) => {
            let manner = Manner { batches, is_phased: true, looks_ahead: !look::is_local(graph), ..manner };
            (by_worklist(graph, options, manner, &mut counts), options.algorithm, REQUESTED)
        }
        Algorithm::Islands => {
            let parents = repeated(num_vertices, || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
            counts.islands = islands::settle(graph, &parents).islands;
            rest::finish(graph, &parents, manner, &mut counts);
            (parents, options.algorithm, REQUESTED)
        }
        Algorithm::Search => (by_search(graph, options, manner, &mut counts), options.algorithm, REQUESTED),
        Algorithm::UnionFind => {
            let edges = union_find::edges(graph);
            counts.links = edges.iter().map(Vec::len).sum();
            let rows = union_find::rows_of(num_vertices, edges)?;
            (by_worklist(&rows, options, manner, &mut counts), options.algorithm, REQUESTED)
        }
    };
    if let (Algorithm::Descend | Algorithm::Islands | Algorithm::Sweep, Some(root)) = (algorithm, options.root) {
        union_find::make_root(&cells, root);
    }
    Ok(Forest { parents: AtomicVertex::into_vertices(cells), algorithm, reason, counts })
}

fn by_patchwork<G: Graph>(graph: &G, options: Options<G::Vertex>, counts: &mut Counts) -> Parents<G> {
    let parents = repeated(graph.num_vertices(), || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
    let begun = options.root.map(|root| {
        parents[root.index()].store(root);
        Begun { root, vertices: vec![root], waiting: vec![root] }
    });
    counts.links = patchwork::patch(graph, &parents, begun);
    parents
}

type Parents<G> = Vec<<<G as Graph>::Vertex as Vertex>::Atomic>;

fn by_worklist<G: Graph>(graph: &G, options: Options<G::Vertex>, manner: Manner, counts: &mut Counts) -> Parents<G> {
    let parents = repeated(graph.num_vertices(), || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
    if let Some(root) = options.root.or_else(|| look::hub(graph)) {
        parents[root.index()].store(root);
        counts.add_traversal(traverse(graph, &parents, vec![root], manner));
    }
    rest::finish(graph, &parents, manner, counts);
    parents
}

fn by_search<G: Graph>(graph: &G, options: Options<G::Vertex>, manner: Manner, counts: &mut Counts) -> Parents<G> {
    let Some(root) = options.root.or_else(|| look::hub(graph)) else { return Vec::new() };
    let options = bfs::Options { output: bfs::Output::Parents, ..bfs::Options::default() };
    let found = bfs_with(graph, root, options);
    let parents: Parents<G> = found.parents.into_iter().map(AtomicVertex::new).collect();
    rest::finish(graph, &parents, manner, counts);
    parents
}
