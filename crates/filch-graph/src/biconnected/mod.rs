//! Biconnected components, articulation points and bridges.
//!
//! Two edges are in the same biconnected component if a cycle that visits no vertex twice has both. A vertex is an
//! articulation point if it is in several components: without it, the graph would fall apart there. An edge is a bridge
//! if it is a component by itself.
//!
//! The components are found as in FAST-BCC (Dong, Wang, Gu and Sun 2023, "Provably fast and space-efficient parallel
//! biconnectivity"), a form of the algorithm of Tarjan and Vishkin (1985) that needs one more graph only in thought,
//! the *skeleton*. Take a spanning forest, and number the vertices such that those of each subtree are a range. The
//! edge from a vertex to its parent is a *fence* if no edge leads from the subtree of the vertex out of that of the
//! parent. The skeleton has all edges but the fences, and but those that lead from a vertex to an ancestor otherwise. A
//! connected component of the skeleton, with the parent of its topmost vertices as its *head*, is a biconnected
//! component of the graph, except that a root has no head.
//!
//! The forest is that of a breadth-first search here, in which no edge but that to the parent leads to an ancestor.
//! Sizes of subtrees, and where their edges lead, are added up level by level. Each component has a single head, the
//! vertex that is nearest to the root, and the label of a component is its smallest vertex other than the head. So
//! labels, heads, articulation points and bridges are the same on any number of workers, although the forest is not.

// Modules: `result`, and above it `tree` (subtrees as ranges, and fences) and `serial`, none of which imports the
// other. May import: searches, components, `Graph` and arrays, not builders or readers.

mod result;
mod serial;
mod tree;

pub use result::BiconnectedComponents;
pub use serial::serial;

use crate::choose::tuning::SWEEP_WORTH;
use crate::components::components;
use crate::graph::{DirectedError, Graph};
use crate::rooted;
use crate::sets::Bitmap;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};

/// A search for biconnected components, as a builder.
#[derive(Clone, Copy)]
pub struct Biconnected<'w> {
    watch: &'w dyn Watch,
}

impl Default for Biconnected<'_> {
    fn default() -> Self {
        Biconnected { watch: &() }
    }
}

/// The biconnected components of `graph`, as [`Biconnected::run`] finds them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::biconnected::biconnected;
///
/// // Two triangles that share vertex 2, and an edge from it.
/// let edges = vec![(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (2, 5)];
/// let graph: Csr = Csr::builder(6).symmetrize(true).build(edges)?;
/// let found = biconnected(&graph)?;
/// assert_eq!(found.count(), 3);
/// assert_eq!(found.articulation_points(), [2]);
/// assert!(found.bridges().eq([(2, 5)]));
/// assert!(found.label_of(0, 1) == found.label_of(2, 0) && found.label_of(0, 1) != found.label_of(2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Biconnected::run`].
///
/// # Panics
///
/// Panics as [`Biconnected::run`] does.
pub fn biconnected<G: Graph>(graph: &G) -> Result<BiconnectedComponents<G::Vertex>, DirectedError> {
    Biconnected::new().run(graph)
}

impl<'w> Biconnected<'w> {
    /// A search without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: two passes over the vertices, which number subtrees and find the fences, or one, by
    /// the serial algorithm.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Biconnected { watch }
    }

    /// The biconnected components of `graph`. Self-loops do not count. An edge that has a parallel one is no bridge.
    ///
    /// If arcs times workers are at most eight for each vertex, the [`serial()`] algorithm takes less time and is run.
    ///
    /// Work: O(n + m), where components are found twice and every row is read three times. Span: as of a breadth-first
    /// search, the number of levels times the length of the longest row. Memory: some 40 bytes and five vertices for
    /// each vertex, two of which are the result.
    ///
    /// # Errors
    ///
    /// [`DirectedError`] if the graph is directed.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<BiconnectedComponents<G::Vertex>, DirectedError> {
        DirectedError::check(graph)?;
        let n = graph.num_vertices();
        // Such graphs are deep, as meshes and trees are, and each of several passes goes level by level.
        if graph.num_arcs().saturating_mul(filch::num_workers()) <= n.saturating_mul(SWEEP_WORTH) {
            self.watch.begin(Pass::new("searching", "vertices", n));
            let found = serial(graph);
            self.watch.advance(n);
            return Ok(found);
        }
        let search = rooted::search(graph);
        let is_fence = tree::fences(graph, &search, self.watch);
        let skeleton = Skeleton { graph, parents: &search.parents, is_fence: &is_fence };
        let labels = components(&skeleton).into_labels();
        Ok(BiconnectedComponents::of_parents(graph, labels, &search.parents))
    }
}

/// A graph without the edges from vertices to their parents that are fences.
struct Skeleton<'g, G: Graph> {
    graph: &'g G,
    parents: &'g [G::Vertex],
    is_fence: &'g Bitmap,
}

impl<G: Graph> Skeleton<'_, G> {
    /// Whether `above` is the parent of `v`, and the edge to it is a fence.
    #[inline(always)]
    fn is_fenced(&self, v: G::Vertex, above: G::Vertex) -> bool {
        self.is_fence.get(v.index()) && self.parents[v.index()] == above
    }
}

/// Degrees and numbers of arcs are those of the whole graph: they are used to estimate work only.
impl<G: Graph> Graph for Skeleton<'_, G> {
    type Vertex = G::Vertex;

    fn num_vertices(&self) -> usize {
        self.graph.num_vertices()
    }

    fn num_arcs(&self) -> usize {
        self.graph.num_arcs()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn degree(&self, v: Self::Vertex) -> usize {
        self.graph.degree(v)
    }

    fn neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_ {
        self.graph.neighbors(v).filter(move |&u| !self.is_fenced(v, u) && !self.is_fenced(u, v))
    }

    fn in_neighbors(&self, v: Self::Vertex) -> impl Iterator<Item = Self::Vertex> + '_ {
        self.neighbors(v)
    }

    fn prefetch(&self, v: Self::Vertex) {
        self.graph.prefetch(v);
    }

    fn prefetch_neighbors(&self, v: Self::Vertex) {
        self.graph.prefetch_neighbors(v);
    }
}
