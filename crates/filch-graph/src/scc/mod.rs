//! Strongly connected components: the largest sets of vertices in which paths along the arcs lead from each vertex to
//! each other one.
//!
//! Most graphs of any use have either one giant component or none. So the component of a vertex with many arcs in both
//! directions is found first, as the vertices that it reaches and that reach it (Fleischer, Hendrickson and Pınar
//! 2000, "On identifying strongly connected components in parallel"). The two searches go in either direction and read
//! few of the arcs; they are abandoned if the graph is deep. The rest is left to Tarjan's algorithm on one worker or,
//! with many workers, trimmed and coloured (Slota, Rajamanickam and Madduri 2014, "BFS and coloring-based parallel
//! algorithms for strongly connected components"). Nothing is recursive. The label of a vertex is the smallest vertex
//! of its component, so it depends neither on the algorithm nor on the schedule.

// Modules: `trim`, `color` and `tarjan`, none of which imports another. The searches are in `sets`. May import:
// `Graph`, sets and arrays, not other algorithms, builders or readers.

mod color;
mod tarjan;
mod trim;

pub use tarjan::serial;

use crate::choose::tuning::{COLORED, SMALL};
use crate::cli_enum::cli_enum;
use crate::graph::Graph;
use crate::members::Members;
use crate::sets::{Bitmap, Reach, start};
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch};
use filch_algorithms::tabulate;

/// An algorithm for strongly connected components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Two searches for a giant component, unless the graph is deep or small; then [`Tarjan`](Algorithm::Tarjan) for
    /// the other vertices or, with many workers, [`Color`](Algorithm::Color).
    #[default]
    Auto,
    /// The searches, trimming, and then coloring for all other vertices. Parallel on every graph, but it reads the
    /// arcs several times.
    Color,
    /// Tarjan's algorithm, serial: [`serial`](serial()).
    Tarjan,
}

cli_enum!(
    Algorithm, "algorithm for strongly connected components", ParseAlgorithmError:
    Auto = "auto", Color = "color", Tarjan = "tarjan",
);

/// A search for strongly connected components, as a builder.
#[derive(Clone, Copy)]
pub struct Scc<'w> {
    algorithm: Algorithm,
    watch: &'w dyn Watch,
}

impl Default for Scc<'_> {
    fn default() -> Self {
        Scc { algorithm: Algorithm::Auto, watch: &() }
    }
}

/// The strongly connected components of `graph`, by [`Scc::run`] with [`Algorithm::Auto`].
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::scc::scc;
///
/// let graph: Csr = Csr::builder(5).build(vec![(0, 3), (3, 1), (1, 3), (1, 4)])?;
/// let found = scc(&graph);
/// assert_eq!(found.labels(), [0, 1, 2, 1, 4]);
/// assert_eq!(found.count(), 4);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`Scc::run`] does.
pub fn scc<G: Graph>(graph: &G) -> StrongComponents<G::Vertex> {
    Scc::new().run(graph)
}

impl<'w> Scc<'w> {
    /// A search with [`Algorithm::Auto`].
    pub fn new() -> Self {
        Self::default()
    }

    /// How the components are found.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Scc { algorithm, ..self }
    }

    /// Reports progress to `watch`: one pass, which ends when all vertices have a label.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Scc { watch, ..self }
    }

    /// Finds the strongly connected components of `graph`. Those of a symmetric graph are its connected components,
    /// which [`components`](crate::components::components()) finds faster.
    ///
    /// Work: O(n + m) with [`Algorithm::Tarjan`], and with [`Algorithm::Auto`] on few workers; expected O((n + m) log
    /// n) rounds of propagation at most with [`Algorithm::Color`]. Memory: about three vertices and four bits for each
    /// vertex and, for the deepest path that Tarjan's algorithm follows, 32 bytes for each of its vertices; with
    /// coloring, four vertices and two words for each vertex.
    ///
    /// # Panics
    ///
    /// Panics if the graph has more than `V::MAX_COUNT` - 1 vertices, or if the global pool is needed and cannot be
    /// started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> StrongComponents<G::Vertex> {
        let Scc { algorithm, watch } = self;
        let n = graph.num_vertices();
        let advance = |count: usize| watch.advance(count);
        watch.begin(Pass::new("labeling", "vertices", n));
        let is_small = n + graph.num_arcs() < SMALL;
        let component = match algorithm {
            Algorithm::Tarjan => None,
            Algorithm::Auto if is_small => None,
            _ => start(graph, usize::min).and_then(|pivot| component(graph, pivot)),
        };
        let none = |_| G::Vertex::NONE;
        let labels = match &component {
            Some(component) => component.labels(none),
            None => tabulate(n, |v| <G::Vertex as Vertex>::Atomic::new(none(v))),
        };
        let count = |component: Bitmap| {
            (0..component.words().len()).map(|word| component.word(word).count_ones() as usize).sum()
        };
        let searched = component.map_or(0, count);
        let mut counts = Counts { searched, ..Counts::default() };
        advance(searched);
        let is_colored = match algorithm {
            Algorithm::Tarjan => false,
            Algorithm::Auto => !is_small && filch::num_workers() >= COLORED,
            Algorithm::Color => true,
        };
        if is_colored {
            let open = |labels: &[<G::Vertex as Vertex>::Atomic]| -> Vec<G::Vertex> {
                let open = (0..n).filter(|&v| labels[v].load() == G::Vertex::NONE);
                open.map(G::Vertex::new).collect()
            };
            counts.trimmed = trim::trim(graph, &labels, &open(&labels));
            advance(counts.trimmed);
            let left = open(&labels);
            counts.colored = left.len();
            counts.rounds = color::color(graph, &labels, left, advance);
            return StrongComponents { labels: AtomicVertex::into_vertices(labels), counts };
        }
        let mut labels = AtomicVertex::into_vertices(labels);
        counts.serial = n - searched;
        if counts.serial > 0 {
            tarjan::label(graph, &mut labels, advance);
        }
        StrongComponents { labels, counts }
    }
}

/// The component of `pivot`: the vertices that it reaches and that reach it. `None` if the graph is deep.
fn component<G: Graph>(graph: &G, pivot: usize) -> Option<Bitmap> {
    let n = graph.num_vertices();
    let forward = Reach::<G, true, false>::run(graph, pivot, Bitmap::new(n))?.reached;
    // Paths to the pivot from vertices that it reaches stay among these, so no other is searched.
    let outside = Bitmap::new(n);
    filch::for_each(0..forward.words().len(), |_, word| {
        outside.put_word(word, !forward.word(word) & outside.mask(word));
    });
    let backward = Reach::<G, false, true>::run(graph, pivot, outside)?.reached;
    filch::for_each(0..forward.words().len(), |_, word| {
        forward.put_word(word, forward.word(word) & backward.word(word));
    });
    Some(forward)
}

/// The strongly connected component of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrongComponents<V = u32> {
    labels: Vec<V>,
    counts: Counts,
}

/// How the vertices were labeled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of vertices in the component that was found by two searches, 0 if they were abandoned.
    pub searched: usize,
    /// The number of vertices that were trimmed.
    pub trimmed: usize,
    /// The number of vertices that were colored.
    pub colored: usize,
    /// The number of rounds of coloring.
    pub rounds: usize,
    /// The number of vertices that were left to Tarjan's algorithm.
    pub serial: usize,
}

impl<V: Vertex> StrongComponents<V> {
    /// For each vertex, the smallest vertex of its component.
    pub fn labels(&self) -> &[V] {
        &self.labels
    }

    /// Converts this into the vector of labels.
    pub fn into_labels(self) -> Vec<V> {
        self.labels
    }

    /// How the vertices were labeled. Unlike the labels, this depends on the schedule.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether there are paths in both directions between `u` and `v`.
    ///
    /// # Panics
    ///
    /// Panics if `u` or `v` is not a vertex of the graph.
    pub fn are_connected(&self, u: V, v: V) -> bool {
        self.labels[u.index()] == self.labels[v.index()]
    }

    /// The vertices of each component. Work: O(n), in parallel. Memory: three words for each vertex, one of which is
    /// kept with a vertex.
    ///
    /// ```
    /// use filch_graph::{Csr, scc::scc};
    ///
    /// let graph = Csr::builder(5).build([(0, 2), (2, 0), (0, 1), (3, 4), (4, 3)])?;
    /// let members = scc(&graph).members();
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
}
