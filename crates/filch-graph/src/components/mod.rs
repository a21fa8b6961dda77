//! Connected components.
//!
//! Of a directed graph, the weakly connected ones: arcs are followed both ways. Two algorithms, alone or together: [a
//! search](Algorithm::Search) labels the component of one vertex of high degree, most often a giant one, without
//! looking at most of its arcs; [Afforest](Algorithm::Afforest) is union-find that samples. [`Algorithm::Auto`] begins
//! with the search and gives it up where it goes deep. Labels are the smallest vertices of their components, so they
//! depend neither on the algorithm nor on the schedule.

mod afforest;
mod algorithm;
mod search;
mod serial;
mod sizes;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use serial::serial;
pub use sizes::Size;

use crate::bitmap::{Bitmap, ones};
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};

/// Which component each vertex is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components<V = u32> {
    labels: Vec<V>,
    algorithm: Algorithm,
}

impl<V: Vertex> Components<V> {
    /// Of each vertex, the smallest vertex of its component.
    pub fn labels(&self) -> &[V] {
        &self.labels
    }

    /// The same, to keep.
    pub fn into_labels(self) -> Vec<V> {
        self.labels
    }

    /// Whether there is a path between these vertices, along arcs either way.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    pub fn are_connected(&self, u: V, v: V) -> bool {
        self.labels[u.index()] == self.labels[v.index()]
    }

    /// What has labelled most of the vertices, never [`Algorithm::Auto`].
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How many components there are. Work: a pass over the labels, in parallel.
    pub fn count(&self) -> usize {
        let is_first = |(v, label): (usize, &V)| usize::from(label.index() == v);
        filch::map_reduce((0_usize.., &self.labels), || 0, |_, item| is_first(item), |a, b| a + b)
    }

    /// All components, the largest first, and of equal ones that with the smaller representative. Work: a pass over
    /// the labels, and sorting the components.
    pub fn sizes(&self) -> Vec<Size<V>> {
        sizes::sizes(&self.labels)
    }

    /// The first of [`sizes`](Self::sizes), if there are vertices.
    pub fn largest(&self) -> Option<Size<V>> {
        sizes::sizes(&self.labels).into_iter().next()
    }
}

/// The components of `graph`: [`components_by`] the algorithm that suits it.
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
/// As [`components_by`].
pub fn components<G: Graph>(graph: &G) -> Components<G::Vertex> {
    components_by(graph, Algorithm::Auto)
}

/// The components of `graph`, by this algorithm.
///
/// Work: in the worst case a small multiple of that of looking at all arcs once (times a logarithm in theory, as trees
/// are not balanced); where a giant component has many arcs, that of a few looks at each vertex. [`Algorithm::Search`]
/// adds n/64 looks at words of bitmaps for each level that it goes down, so up to 16 n before it gives up. Memory: a
/// vertex and three bits per vertex, most of which is the result.
///
/// # Panics
///
/// If a loop of Filch does.
pub fn components_by<G: Graph>(graph: &G, algorithm: Algorithm) -> Components<G::Vertex> {
    if graph.is_symmetric() { by::<_, false>(graph, algorithm) } else { by::<_, true>(graph, algorithm) }
}

/// `DIRECTED`: arcs are to be followed against their direction, too.
fn by<G: Graph, const DIRECTED: bool>(graph: &G, algorithm: Algorithm) -> Components<G::Vertex> {
    let found = match algorithm {
        Algorithm::Auto => search::search::<_, DIRECTED>(graph, search::DEEP),
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

/// All that are reached have the label of the first of them, and all others their own.
fn labels_of<V: Vertex>(reached: &Bitmap) -> Vec<V::Atomic> {
    let first = reached.words().iter().position(|word| word.load(std::sync::atomic::Ordering::Relaxed) != 0);
    let label = first.and_then(|word| ones(reached.word(word)).next().map(|bit| V::new(word * 64 + bit)));
    filled(reached.len(), |v| V::Atomic::new(label.filter(|_| reached.get(v)).unwrap_or(V::new(v))))
}
