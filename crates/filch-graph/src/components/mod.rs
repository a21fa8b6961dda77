//! Connected components.
//!
//! In a directed graph, these are the weakly connected components: arcs are followed in both directions. Three
//! algorithms are used. [A search](Algorithm::Search) labels the component of a vertex of high degree, usually a giant
//! component, without reading most of its arcs. [Afforest](Algorithm::Afforest) is a union-find with sampling. [A
//! sweep](Algorithm::Sweep) is for graphs that are numbered by rows or levels, or have few arcs. [`Algorithm::Auto`]
//! decides by a sample and by what the search finds. The label of a vertex is the smallest vertex of its component, so
//! it depends neither on the algorithm nor on the schedule.

// Modules: `algorithm` (the choice), `search` and `afforest` (algorithms), above `afforest` also `sweep`; `sizes` and
// `serial`, which import none of them. May import: `choose`, `Graph` and the bitmaps, not other algorithms,
// builders or readers.

mod afforest;
mod algorithm;
mod serial;
mod sizes;
mod sweep;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use serial::serial;
pub use sizes::Size;

use crate::choose::components::{Next, Plan, next, plan};
use crate::choose::{Choice, Facts};
use crate::graph::Graph;
use crate::parallel_vec::filled;
use crate::sets::{Bitmap, Reach, start};
use crate::vertex::{AtomicVertex, Vertex};

/// The component of each vertex. Equal if the components are, whichever algorithm has found them.
#[derive(Clone, Debug)]
pub struct Components<V = u32> {
    labels: Vec<V>,
    algorithm: Algorithm,
    reason: &'static str,
    facts: Facts,
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

    /// Why this algorithm was used.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// What the choice was made by.
    pub fn facts(&self) -> Facts {
        self.facts
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
    let facts = Facts::of(graph);
    let made = |labels, algorithm, reason| Components { labels, algorithm, reason, facts };
    let sweep = |reason| made(sweep::sweep::<_, DIRECTED>(graph), Algorithm::Sweep, reason);
    let search = || Reach::<G, DIRECTED, true>::run(graph, start(graph)?, Bitmap::new(facts.vertices));
    let afforest = |found: Option<Reach<'_, G, DIRECTED, true>>, reason| {
        let searched = found.as_ref().is_some_and(|found| found.vertices > facts.vertices / 2);
        let algorithm = if searched { Algorithm::Search } else { Algorithm::Afforest };
        let labels = match &found {
            Some(found) => found.reached.labels(G::Vertex::new),
            None => filled(facts.vertices, |v| <G::Vertex as Vertex>::Atomic::new(G::Vertex::new(v))),
        };
        afforest::afforest::<_, DIRECTED>(graph, &labels, found.as_ref().map(|found| &found.closed));
        made(AtomicVertex::into_vertices(labels), algorithm, reason)
    };
    match algorithm {
        Algorithm::Auto => match plan(&facts) {
            Choice { plan: Plan::Sweep, reason } => sweep(reason),
            Choice { plan: Plan::Search, .. } => {
                let found = search();
                let Choice { plan, reason } = next(&facts, found.as_ref().map(|found| found.vertices));
                match plan {
                    Next::Sweep => sweep(reason),
                    Next::Rest => afforest(found, reason),
                    Next::Afforest => afforest(None, reason),
                }
            }
        },
        Algorithm::Serial => made(serial(graph), algorithm, REQUESTED),
        Algorithm::Sweep => sweep(REQUESTED),
        Algorithm::Search => afforest(search(), REQUESTED),
        Algorithm::Afforest => afforest(None, REQUESTED),
    }
}

const REQUESTED: &str = "it was requested";
