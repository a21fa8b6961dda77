//! Connected components.
//!
//! In a directed graph, these are the weakly connected components: arcs are followed in both directions. Three
//! algorithms are used. [A search](Algorithm::Search) labels the component of a vertex of high degree, usually a giant
//! component, without reading most of its arcs. [Afforest](Algorithm::Afforest) is a union-find with sampling. [A
//! sweep](Algorithm::Sweep) is for graphs that are numbered by rows or levels, or have few arcs. [`Algorithm::Auto`]
//! decides by a sample and by what the search finds. The label of a vertex is the smallest vertex of its component, so
//! it depends neither on the algorithm nor on the schedule.

// Modules: `afforest`, `sweep`, `weak` and `serial` do not import each other; `incremental` is above. The search and
// the union-find are in `sets`. May import: `choose`, `Graph` and sets, not other algorithms, builders or readers.

mod afforest;
mod incremental;
mod serial;
mod sweep;
mod weak;

pub use incremental::{EdgeError, IncrementalComponents};
pub use serial::serial;

use crate::choose::components::{Next, Plan, next, plan};
use crate::choose::tuning::PIECE;
use crate::choose::{Choice, Facts, REQUESTED};
use crate::cli_enum::cli_enum;
use crate::graph::Graph;
use crate::members::Members;
use crate::sets::{Bitmap, Reach, Trees, start};
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch_algorithms::tabulate;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An algorithm for connected components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`Sweep`](Algorithm::Sweep) if a sample of the vertices shows that they are numbered by rows or levels, or if
    /// there are few arcs. Otherwise [`Search`](Algorithm::Search), and then [`Afforest`](Algorithm::Afforest) or a
    /// sweep if it has been abandoned.
    #[default]
    Auto,
    /// Union-find with lock-free hooking. It first follows two arcs of each vertex, and then all arcs of the vertices
    /// outside of the component that is the largest one at this point (Sutton, Ben-Nun and Barak 2018, "Optimizing
    /// parallel graph connectivity computation via subgraph sampling").
    Afforest,
    /// A direction-optimizing search from a vertex of high degree, and then [`Afforest`](Algorithm::Afforest) for the
    /// other components. Suitable only for shallow graphs: each level reads all words of the bitmaps, n/64 for n
    /// vertices, however small the level is. After 32 levels the search is abandoned in favor of Afforest.
    Search,
    /// Each vertex takes the label of a smaller neighbor, in the order of numbers. If this leaves several labels in a
    /// component, they are linked. For graphs numbered by rows or levels, in which this reads memory in order, and for
    /// graphs with few arcs.
    Sweep,
    /// A traversal with a stack by one worker.
    Serial,
}

cli_enum!(
    Algorithm, "algorithm for components", ParseAlgorithmError:
    Auto = "auto", Afforest = "afforest", Search = "search", Sweep = "sweep", Serial = "serial",
);

/// A search for connected components, as a builder.
#[derive(Clone, Copy)]
pub struct Components<'w> {
    algorithm: Algorithm,
    is_weak: bool,
    watch: &'w dyn Watch,
}

impl Default for Components<'_> {
    fn default() -> Self {
        Components { algorithm: Algorithm::Auto, is_weak: false, watch: &() }
    }
}

/// The components of `graph`, by [`Components::run`] with [`Algorithm::Auto`].
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
/// Panics as [`Components::run`] does.
pub fn components<G: Graph>(graph: &G) -> ConnectedComponents<G::Vertex> {
    Components::new().run(graph)
}

impl<'w> Components<'w> {
    /// A search with [`Algorithm::Auto`].
    pub fn new() -> Self {
        Self::default()
    }

    /// How the components are found.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Components { algorithm, ..self }
    }

    /// Whether an arc also joins vertices if the graph says that it is symmetric and the reverse of the arc is missing.
    /// Then a directed graph that is given as a symmetric one, without its arcs by their targets, has the components of
    /// the directed graph. This takes a pass over all arcs more.
    ///
    /// ```
    /// use filch_graph::components::Components;
    /// use filch_graph::{CsrView, RowsView};
    ///
    /// let (offsets, targets) = ([0_u64, 0, 0, 2], [0_u32, 1]); // arcs from the last vertex to the others
    /// let one_way = CsrView::symmetric(RowsView::new(&offsets, &targets)?);
    /// assert_eq!(Components::new().weak(true).run(&one_way).count(), 1);
    /// # Ok::<(), filch_graph::RowsError>(())
    /// ```
    #[must_use]
    pub fn weak(self, is_weak: bool) -> Self {
        Components { is_weak, ..self }
    }

    /// Reports progress to `watch`: a pass over the vertices for the search or sweep, one for what is left, and one for
    /// [`weak`](Self::weak) components.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Components { watch, ..self }
    }

    /// Finds the components of `graph`.
    ///
    /// Work: in the worst case a small multiple of reading all arcs once; in theory times a logarithm, because the
    /// trees are not balanced. If a giant component has most of the arcs, reading a few arcs of each vertex.
    /// [`Algorithm::Search`] also reads n/64 words of bitmaps for each level. Memory: a vertex and three bits for each
    /// vertex, most of which is the result.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> ConnectedComponents<G::Vertex> {
        let Components { algorithm, is_weak, watch } = self;
        let n = graph.num_vertices();
        watch.begin(Pass::new("labeling", "vertices", n));
        if !graph.is_symmetric() {
            return run::<_, true>(graph, algorithm, watch);
        }
        let mut found = run::<_, false>(graph, algorithm, watch);
        if is_weak {
            watch.begin(Pass::new("joining", "vertices", n));
            found.labels = weak::joined(graph, found.labels, watch);
        }
        found
    }
}

/// `DIRECTED`: whether arcs must also be followed against their direction.
fn run<G: Graph, const DIRECTED: bool>(
    graph: &G,
    algorithm: Algorithm,
    watch: &dyn Watch,
) -> ConnectedComponents<G::Vertex> {
    let facts = Facts::of(graph);
    let made = |labels, algorithm, reason| {
        watch.advance(facts.vertices);
        ConnectedComponents { labels, algorithm, reason, facts }
    };
    let sweep = |reason| made(sweep::sweep::<_, DIRECTED>(graph), Algorithm::Sweep, reason);
    let search =
        || Reach::<G, DIRECTED, true>::run(graph, start(graph, usize::saturating_add)?, Bitmap::new(facts.vertices));
    let afforest = |found: Option<Reach<'_, G, DIRECTED, true>>, reason| {
        let searched = found.as_ref().is_some_and(|found| found.vertices > facts.vertices / 2);
        let algorithm = if searched { Algorithm::Search } else { Algorithm::Afforest };
        let trees = match &found {
            Some(found) => Trees::of(found.reached.labels(G::Vertex::new)),
            None => Trees::new(facts.vertices),
        };
        afforest::afforest::<_, DIRECTED>(graph, &trees, found.as_ref().map(|found| &found.closed));
        made(trees.into_vertices(), algorithm, reason)
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
        Algorithm::Search => {
            let found = search();
            let reason = if found.is_some() { REQUESTED } else { next(&facts, None).reason };
            afforest(found, reason)
        }
        Algorithm::Afforest => afforest(None, REQUESTED),
    }
}

/// The component of each vertex. Equal if the components are, whichever algorithm has found them.
#[derive(Clone, Debug)]
pub struct ConnectedComponents<V = u32> {
    labels: Vec<V>,
    algorithm: Algorithm,
    reason: &'static str,
    facts: Facts,
}

impl<V: PartialEq> PartialEq for ConnectedComponents<V> {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels
    }
}

impl<V: Eq> Eq for ConnectedComponents<V> {}

impl<V: Vertex> ConnectedComponents<V> {
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

    /// The vertices of each component. Work: O(n), in parallel. Memory: three words for each vertex, one of which is
    /// kept with a vertex.
    ///
    /// ```
    /// use filch_graph::{Csr, components::components};
    ///
    /// let graph = Csr::builder(5).symmetrize(true).build([(0, 2), (3, 4)])?;
    /// let members = components(&graph).members();
    /// assert!(members.iter().eq([&[0, 2][..], &[1], &[3, 4]]));
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory.
    pub fn members(&self) -> Members<V> {
        Members::new(&self.labels)
    }

    /// The number of components. Work: a pass over the labels, in parallel.
    pub fn count(&self) -> usize {
        let is_first = |(v, label): (usize, &V)| usize::from(label.index() == v);
        filch::map_reduce((0_usize.., &self.labels), || 0, |_, item| is_first(item), |a, b| a + b)
    }

    /// All components, in descending order of size. Components of equal size are ordered by their representatives.
    /// Work: a pass over the labels, and sorting the components.
    pub fn sizes(&self) -> Vec<Size<V>> {
        sizes(&self.labels)
    }

    /// The first component of [`sizes`](Self::sizes), or `None` if the graph has no vertices.
    pub fn largest(&self) -> Option<Size<V>> {
        self.sizes().into_iter().next()
    }
}

/// A component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size<V = u32> {
    /// The smallest vertex of the component, which is its label.
    pub representative: V,
    /// The number of vertices of the component.
    pub vertices: usize,
}

fn sizes<V: Vertex>(labels: &[V]) -> Vec<Size<V>> {
    let counts = tabulate(labels.len(), |_| AtomicUsize::new(0));
    // Labels are counted together, to avoid contention on the counter of a giant component.
    filch::for_each(filch::chunks(labels, PIECE), |_, chunk| {
        let common = chunk[chunk.len() / 2];
        let mut of_common = 0;
        for &label in chunk {
            if label == common {
                of_common += 1;
            } else {
                counts[label.index()].fetch_add(1, Ordering::Relaxed);
            }
        }
        counts[common.index()].fetch_add(of_common, Ordering::Relaxed);
    });
    let vertices = counts.into_iter().map(AtomicUsize::into_inner);
    let sizes = vertices.enumerate().filter(|&(_, vertices)| vertices > 0);
    let mut sizes: Vec<_> = sizes.map(|(label, vertices)| Size { representative: V::new(label), vertices }).collect();
    // The sort is stable, and the components are in the order of their representatives.
    sizes.sort_by_key(|size| Reverse(size.vertices));
    sizes
}
