//! Breadth-first search.
//!
//! The search is direction-optimizing (Beamer, Asanović and Patterson 2012, "Direction-optimizing breadth-first
//! search"). While the frontier is small, its arcs are followed (top-down). While it is large, each open vertex looks
//! for a neighbor in the frontier and stops at the first one (bottom-up). A level with few arcs, or with arcs that lead
//! to places near to each other, is searched by one worker with a plain queue.

// Modules, from the bottom up: `result`, `record` (what is written for each vertex), `goal`, `top_down`, `bottom_up`
// and `narrow` (how a level is searched), `search`; `serial` is independent. May import: `choose`, `Graph` and sets,
// not other algorithms, builders or readers.

mod bottom_up;
mod goal;
mod narrow;
mod record;
mod result;
mod search;
mod serial;
mod top_down;

pub use crate::choose::bfs::Reason;
pub use result::{BfsTree, Direction, Level, ParseDirectionError, UNREACHED};
pub use serial::serial;

use crate::graph::Graph;
use crate::vertex::{Vertex, expect_vertices};
use crate::watch::{Pass, Watch};
use goal::Goal;
use record::{Both, Parents};
use search::Search;

/// What to compute. Computing less is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// Both [`depths`](BfsTree::depths) and [`parents`](BfsTree::parents).
    #[default]
    Both,
    /// Only parents.
    Parents,
}

/// A breadth-first search along the arcs, as a builder.
#[derive(Clone, Copy)]
pub struct Bfs<'a, V = u32> {
    direction: Direction,
    output: Output,
    max_depth: u32,
    targets: &'a [V],
    watch: &'a dyn Watch,
}

impl<V> Default for Bfs<'_, V> {
    fn default() -> Self {
        let (direction, output) = (Direction::default(), Output::default());
        Bfs { direction, output, max_depth: u32::MAX, targets: &[], watch: &() }
    }
}

/// Searches `graph` from `root` with the default options, as [`Bfs::run`] does.
///
/// ```
/// use filch_graph::bfs::{UNREACHED, bfs};
/// use filch_graph::{Csr, Vertex};
///
/// let graph: Csr = Csr::builder(4).build(vec![(0, 1), (1, 2), (0, 1)])?;
/// let found = bfs(&graph, 0);
/// assert_eq!(found.depths, [0, 1, 2, UNREACHED]);
/// assert_eq!(found.parents, [0, 0, 1, u32::NONE]);
/// assert_eq!(found.num_reached(), 3);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics as [`Bfs::run`] does.
pub fn bfs<G: Graph>(graph: &G, root: G::Vertex) -> BfsTree<G::Vertex> {
    Bfs::new().run(graph, root)
}

impl<'a, V: Vertex> Bfs<'a, V> {
    /// A search for depths and parents, with [`Direction::Auto`].
    pub fn new() -> Self {
        Self::default()
    }

    /// How vertices are found.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Bfs { direction, ..self }
    }

    /// What is computed.
    #[must_use]
    pub fn output(self, output: Output) -> Self {
        Bfs { output, ..self }
    }

    /// Finds only vertices up to this depth. The others are unreached.
    #[must_use]
    pub fn max_depth(self, max_depth: u32) -> Self {
        Bfs { max_depth, ..self }
    }

    /// Ends with the level on which the last of these vertices is found. What is deeper is unreached. If one of them
    /// cannot be reached, this has no effect.
    ///
    /// ```
    /// use filch_graph::{Csr, bfs::Bfs};
    ///
    /// let path = Csr::builder(5).build([(0, 1), (1, 2), (2, 3), (3, 4)])?;
    /// let found = Bfs::new().targets(&[2]).run(&path, 0);
    /// assert_eq!((found.path_to(2), found.depth(3)), (Some(vec![0, 1, 2]), None));
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    #[must_use]
    pub fn targets(self, targets: &'a [V]) -> Self {
        Bfs { targets, ..self }
    }

    /// Reports progress to `watch`: one pass over the vertices, some levels at a time. At its end, those that were not
    /// reached count as well.
    #[must_use]
    pub fn watch(self, watch: &'a dyn Watch) -> Self {
        Bfs { watch, ..self }
    }

    /// Searches `graph` from `root`.
    ///
    /// Work: O(n + m) for n vertices and m arcs. [`Direction::TopDown`] follows each arc at most once.
    /// [`Direction::Auto`] reads at most about six times as many arcs and vertices, and usually fewer than the graph
    /// has. [`Direction::BottomUp`] reads all unreached vertices on each level: O((n + m) d) for d levels. Span: the
    /// number of levels times the length of the longest row. Memory: about 12 bytes for each vertex if a vertex has 32
    /// bits, most of which is the result.
    ///
    /// # Panics
    ///
    /// Panics if `root` or a target is not a vertex of the graph, if a depth does not fit in 32 bits, or if the global
    /// pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph<Vertex = V>>(self, graph: &G, root: V) -> BfsTree<V> {
        self.run_from(graph, &[root])
    }

    /// Searches `graph` from several sources at once. The depth of a vertex is that from the nearest of them.
    ///
    /// ```
    /// use filch_graph::{Csr, bfs::Bfs};
    ///
    /// let path = Csr::builder(5).symmetrize(true).build([(0, 1), (1, 2), (2, 3), (3, 4)])?;
    /// assert_eq!(Bfs::new().run_from(&path, &[0, 4]).depths, [0, 1, 2, 1, 0]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// Work, span and memory: as for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn run_from<G: Graph<Vertex = V>>(self, graph: &G, sources: &[V]) -> BfsTree<V> {
        expect_vertices("source", sources, graph.num_vertices());
        expect_vertices("target", self.targets, graph.num_vertices());
        let goal = Goal::new(self.max_depth, self.targets);
        self.watch.begin(Pass::new("reaching", "vertices", graph.num_vertices()));
        match self.output {
            Output::Both => Search::<_, Both<V>>::new(graph, self.direction, goal, self.watch).run(sources),
            Output::Parents => Search::<_, Parents<V>>::new(graph, self.direction, goal, self.watch).run(sources),
        }
    }
}
