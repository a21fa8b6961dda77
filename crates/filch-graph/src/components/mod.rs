//! Connected components.
//!
//! In a directed graph, these are the weakly connected components: arcs are followed in both directions. Three
//! algorithms are used by several workers. [A search](Algorithm::Search) labels the component of a vertex of high
//! degree, usually a giant component, without reading most of its arcs. [Afforest](Algorithm::Afforest) is a union-find
//! with sampling. [A sweep](Algorithm::Sweep) is for graphs that are numbered by rows or levels, or have few arcs. What
//! one worker does fast with [a stack](Algorithm::Serial) is left to it. [`Algorithm::Auto`] decides by samples, by the
//! pace of the first few thousand vertices, and by what the search finds. The label of a vertex is the smallest vertex
//! of its component, so it depends neither on the algorithm nor on the schedule.

// Modules: `algorithm` (the choice), `search` and `afforest` (algorithms), above `afforest` also `sweep`; `sizes` and
// `serial`, which import none of them. May import: `Graph` and the bitmaps, not other algorithms, builders or readers.

mod afforest;
mod algorithm;
mod search;
mod serial;
mod sizes;
mod sweep;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use serial::serial;
pub use sizes::Size;

use crate::alone::{self, Rival};
use crate::bitmap::{Bitmap, ones};
use crate::filled::filled;
use crate::graph::Graph;
use crate::order::{have_most_a_smaller_neighbor, is_numbered_in_order, is_sweep_shared};
use crate::vertex::{AtomicVertex, Vertex};

/// Where there are more arcs than [`SWEPT`], or several workers, and one vertex in so many has no smaller neighbor, a
/// plain traversal may be faster than a sweep.
const FEW_LOWS: usize = 4;

/// With at most this many arcs for each vertex, a sweep by one worker is faster than a traversal if the vertices are
/// numbered in order, and than Afforest even if the vertices are
/// numbered in no order: it follows each arc once. On shuffled and random graphs of 100,000 and a million vertices it
/// took 0.3 to 0.8 of the time with 2 to 4 arcs for each vertex, and 1.15 with 6 (`examples/searches.rs`).
const SWEPT: usize = 4;

/// With at most this many, there is nothing to gain by a search before it: trees, cycles and random graphs whose giant
/// component is deep.
const THIN: usize = 2;

/// The number of workers with which Afforest is as fast as a sweep by one, where there are [`SWEPT`] arcs for each
/// vertex. With half as many arcs, it takes twice as many. Not measured with more than two.
const SWEEPERS: usize = 2;

/// With several workers, a graph of more vertices is left to Afforest all the same, unless it is [`THIN`]: both wait
/// for memory, and several workers wait together. With two, on shuffled tori, a sweep took 0.95 times as long with
/// 490,000 vertices and 1.2 times with four million.
const FAR: usize = 1 << 20;

/// If a search from a vertex of high degree reaches fewer than one in this many vertices, there probably is no giant
/// component, and nothing was saved by searching.
const SMALL: usize = 64;

/// The component of each vertex. Equal if the components are, whichever algorithm has found them.
#[derive(Clone, Debug)]
pub struct Components<V = u32> {
    labels: Vec<V>,
    algorithm: Algorithm,
}

impl<V: PartialEq> PartialEq for Components<V> {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels
    }
}

impl<V: Eq> Eq for Components<V> {}

impl<V: Vertex> Components<V> {
    /// For each vertex, the smallest vertex of its component.
    pub fn labels(&self) -> &[V] {
        &self.labels
    }

    /// Converts this into the vector of labels.
    pub fn into_labels(self) -> Vec<V> {
        self.labels
    }

    /// Whether there is a path between `u` and `v` that may follow arcs in both directions.
    ///
    /// # Panics
    ///
    /// Panics if `u` or `v` is not a vertex of the graph.
    pub fn are_connected(&self, u: V, v: V) -> bool {
        self.labels[u.index()] == self.labels[v.index()]
    }

    /// The algorithm that labeled most vertices, never [`Algorithm::Auto`].
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The number of components. Work: a pass over the labels, in parallel.
    pub fn count(&self) -> usize {
        let is_first = |(v, label): (usize, &V)| usize::from(label.index() == v);
        filch::map_reduce((0_usize.., &self.labels), || 0, |_, item| is_first(item), |a, b| a + b)
    }

    /// All components, in descending order of size. Components of equal size are ordered by their representatives.
    /// Work: a pass over the labels, and sorting the components.
    pub fn sizes(&self) -> Vec<Size<V>> {
        sizes::sizes(&self.labels)
    }

    /// The first component of [`sizes`](Self::sizes), or `None` if the graph has no vertices.
    pub fn largest(&self) -> Option<Size<V>> {
        sizes::sizes(&self.labels).into_iter().next()
    }
}

/// The components of `graph`, by [`components_by`] with [`Algorithm::Auto`].
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::components::components;
///
/// let graph: Csr = Csr::builder(5).build(vec![(4, 1), (1, 3)])?;
/// let found = components(&graph);
/// assert_eq!(found.labels(), [0, 1, 2, 1, 1]);
/// assert_eq!(found.count(), 3);
/// assert_eq!(found.largest().map(|size| size.vertices), Some(3));
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`components_by`] does.
pub fn components<G: Graph>(graph: &G) -> Components<G::Vertex> {
    components_by(graph, Algorithm::Auto)
}

/// The components of `graph`, by the given algorithm.
///
/// Work: in the worst case a small multiple of reading all arcs once; in theory times a logarithm, because the trees
/// are not balanced. If a giant component has most of the arcs, reading a few arcs of each vertex.
/// [`Algorithm::Search`] also reads n/64 words of bitmaps for each level, up to 16 n words before it is abandoned.
/// Memory: a vertex and three bits for each vertex, most of which is the result.
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn components_by<G: Graph>(graph: &G, algorithm: Algorithm) -> Components<G::Vertex> {
    if graph.is_symmetric() { by::<_, false>(graph, algorithm) } else { by::<_, true>(graph, algorithm) }
}

/// `DIRECTED`: whether arcs must also be followed against their direction.
fn by<G: Graph, const DIRECTED: bool>(graph: &G, algorithm: Algorithm) -> Components<G::Vertex> {
    let sweep = || Components { labels: sweep::sweep::<_, DIRECTED>(graph), algorithm: Algorithm::Sweep };
    let alone = |rival| {
        let labels = alone::traverse::<_, true, DIRECTED>(graph, None, rival)?;
        Some(Components { labels, algorithm: Algorithm::Serial })
    };
    let found = match algorithm {
        Algorithm::Auto if is_numbered_in_order(graph) => {
            let is_sparse = graph.num_arcs() / SWEPT <= graph.num_vertices();
            // Several workers link the arcs between their pieces. Where vertices have no smaller neighbors, many arcs
            // may be such, and a fast traversal takes less time.
            let is_for_one = is_sparse && !is_sweep_shared(graph.num_vertices());
            if is_for_one || have_most_a_smaller_neighbor(graph, FEW_LOWS) {
                return sweep();
            }
            return alone(Rival::Orderly).unwrap_or_else(sweep);
        }
        Algorithm::Auto if is_swept(graph, THIN) => return sweep(),
        Algorithm::Auto => {
            let found = search::search::<_, DIRECTED>(graph, search::DEEP);
            let vertices = found.as_ref().map(|found| found.vertices);
            if vertices.is_none_or(|vertices| vertices < graph.num_vertices() / 2) && is_swept(graph, SWEPT) {
                return sweep();
            }
            let is_small = vertices.is_some_and(|vertices| vertices < graph.num_vertices() / SMALL);
            if let Some(found) = is_small.then(|| alone(Rival::Prefetching)).flatten() {
                return found;
            }
            found
        }
        Algorithm::Serial => return Components { labels: serial(graph), algorithm },
        Algorithm::Sweep => return sweep(),
        Algorithm::Search => search::search::<_, DIRECTED>(graph, search::TOO_DEEP),
        Algorithm::Afforest => None,
    };
    let n = graph.num_vertices();
    let labels = match &found {
        Some(found) => labels_of::<G::Vertex>(&found.reached),
        None => filled(n, |v| <G::Vertex as Vertex>::Atomic::new(G::Vertex::new(v))),
    };
    afforest::afforest::<_, DIRECTED>(graph, &labels, found.as_ref().map(|found| &found.closed));
    let searched = found.is_some_and(|found| found.vertices > n / 2);
    let algorithm = if searched { Algorithm::Search } else { Algorithm::Afforest };
    Components { labels: AtomicVertex::into_vertices(labels), algorithm }
}

/// Whether a graph with at most `arcs` arcs for each vertex, numbered in no order, is left to a sweep by one worker.
fn is_swept<G: Graph>(graph: &G, arcs: usize) -> bool {
    let is_far = filch::num_workers() > 1 && arcs > THIN && graph.num_vertices() > FAR;
    let most = graph.num_vertices().saturating_mul(arcs);
    let shared = graph.num_vertices().saturating_mul(SWEPT * SWEEPERS) / filch::num_workers();
    !is_far && graph.num_arcs() <= most.min(shared)
}

/// The initial labels: all vertices in `reached` have the first of them as their label, and every other vertex itself.
fn labels_of<V: Vertex>(reached: &Bitmap) -> Vec<V::Atomic> {
    let first = reached.words().iter().position(|word| word.load(std::sync::atomic::Ordering::Relaxed) != 0);
    let label = first.and_then(|word| ones(reached.word(word)).next().map(|bit| V::new(word * 64 + bit)));
    filled(reached.len(), |v| V::Atomic::new(label.filter(|_| reached.get(v)).unwrap_or(V::new(v))))
}
