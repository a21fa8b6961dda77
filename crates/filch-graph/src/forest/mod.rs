//! Spanning forests: of each component a tree.
//!
//! A forest leaves more freedom than a breadth-first search, and [`Algorithm::Auto`] uses it. Four ways to grow trees
//! suit four kinds of graphs, and looks at some vertices tell which it is, never a name:
//!
//! | the graph | what is done | what it saves |
//! |---|---|---|
//! | numbered by rows or levels | [descending](Algorithm::Descend): to smaller neighbours | claims, and most arcs |
//! | shallow | [pulling](Algorithm::Pull): from neighbours in the tree | most arcs; rows are read in order |
//! | deep, in no order | [pseudo-depth-first search](Algorithm::PseudoDfs) that looks ahead | waits for memory |
//! | in many small pieces | [islands](Algorithm::Islands): one worker walks all of each | claims, and worklists |
//!
//! `cargo run --release --example forest` compares all of them with the plain traversal.

mod algorithm;
mod descend;
mod islands;
mod look;
mod options;
mod pull;
mod rest;
mod result;
mod serial;
mod union_find;
mod worklist;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use options::{Claims, Options};
pub use result::{Counts, Forest, ForestError};
pub use serial::serial;

use crate::bfs::{self, bfs_with};
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use filch::Batches;
use worklist::{Manner, traverse};

/// A graph of so few vertices and arcs is done before others have been asked to help.
const SMALL: usize = 1 << 14;

/// A spanning forest of `graph`, which is symmetric.
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
/// Work: O(n + m) for n vertices and m edges, except that [`Algorithm::UnionFind`], and [`Algorithm::Descend`] with k
/// trees to be linked, take up to a logarithm of n, or of k, more. Span: that of a row per vertex on the longest path
/// that is followed. Memory: the result, a bit per vertex, and what waits in worklists; three vertices per vertex more
/// where trees are linked, and the edges of the forest twice for [`Algorithm::UnionFind`].
///
/// A graph that is not symmetric though it says so may get parents that are no forest, or a panic.
///
/// # Errors
///
/// [`ForestError`]: the graph is directed, there is no such root, or not enough memory for the edges of the forest.
///
/// # Panics
///
/// If the graph has neighbours that are no vertices; if a loop of Filch does.
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
    const TOLD: &str = "it was asked for";
    let (cells, algorithm, reason) = match options.algorithm {
        Algorithm::Auto if num_vertices + graph.num_arcs() < SMALL => {
            let parents = serial::serial_from(graph, options.root);
            let reason = "the graph is small";
            return Ok(Forest { parents, algorithm: Algorithm::Serial, reason, counts });
        }
        Algorithm::Serial => {
            let parents = serial::serial_from(graph, options.root);
            return Ok(Forest { parents, algorithm: Algorithm::Serial, reason: TOLD, counts });
        }
        Algorithm::Auto if look::descends(graph) => {
            let (cells, links) = descend::descend(graph);
            counts.links = links;
            (cells, Algorithm::Descend, "vertices have smaller neighbours: the numbers follow rows or levels")
        }
        Algorithm::Descend => {
            let (cells, links) = descend::descend(graph);
            counts.links = links;
            (cells, Algorithm::Descend, TOLD)
        }
        Algorithm::Auto => pull::grow(graph, options, false, manner, &mut counts),
        Algorithm::Pull => (pull::grow(graph, options, true, manner, &mut counts).0, Algorithm::Pull, TOLD),
        Algorithm::PseudoDfs(batches) => {
            let manner = Manner { batches, looks_ahead: !look::is_local(graph), ..manner };
            (by_worklist(graph, options, manner, &mut counts), options.algorithm, TOLD)
        }
        Algorithm::PhasedBfs(batches) => {
            let manner = Manner { batches, is_phased: true, looks_ahead: !look::is_local(graph), ..manner };
            (by_worklist(graph, options, manner, &mut counts), options.algorithm, TOLD)
        }
        Algorithm::Islands => {
            let parents = filled(num_vertices, |_| <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
            counts.islands = islands::settle(graph, &parents).islands;
            rest::finish(graph, &parents, manner, &mut counts);
            (parents, options.algorithm, TOLD)
        }
        Algorithm::Search => (by_search(graph, options, manner, &mut counts), options.algorithm, TOLD),
        Algorithm::UnionFind => {
            let edges = union_find::edges(graph);
            counts.links = edges.iter().map(Vec::len).sum();
            let rows = union_find::rows_of(num_vertices, edges)?;
            (by_worklist(&rows, options, manner, &mut counts), options.algorithm, TOLD)
        }
    };
    if let (Algorithm::Descend | Algorithm::Islands, Some(root)) = (algorithm, options.root) {
        union_find::make_root(&cells, root);
    }
    Ok(Forest { parents: AtomicVertex::into_vertices(cells), algorithm, reason, counts })
}

type Parents<G> = Vec<<<G as Graph>::Vertex as Vertex>::Atomic>;

fn by_worklist<G: Graph>(graph: &G, options: Options<G::Vertex>, manner: Manner, counts: &mut Counts) -> Parents<G> {
    let parents = filled(graph.num_vertices(), |_| <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
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
