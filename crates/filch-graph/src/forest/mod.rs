//! Spanning forests: a tree for each component.
//!
//! A spanning forest allows more freedom than a breadth-first search. [`Algorithm::Auto`] uses this freedom: it chooses
//! among four algorithms for four kinds of graphs, by a sample of the vertices and by a first tree:
//!
//! | graph | algorithm | saves |
//! |---|---|---|
//! | numbered by rows or levels | [descending](Algorithm::Descend): to neighbors before | claims and most arcs |
//! | of few arcs, in order, or of many components | [sweeping](Algorithm::Sweep): the same by one worker | claims |
//! | shallow | [pulling](Algorithm::Pull): from neighbors in the tree | most arcs; rows are read in order |
//! | deep and unordered | [pseudo-depth-first search](Algorithm::PseudoDfs) that looks ahead | waiting for memory |
//!
//! The command `cargo bench -p filch-graph --bench forest` compares all algorithms with the serial traversal.

// Modules, from the bottom up: `algorithm`, `result`; `worklist`; `sweep` (with descending), `pull`; `serial` is
// independent. May import: `choose`, `Graph` and what is below them.

mod algorithm;
mod pull;
mod result;
mod serial;
mod sweep;
mod worklist;

pub use algorithm::{Algorithm, ParseAlgorithmError};
pub use result::{Claims, Counts, ForestError, SpanningForest};
pub use serial::serial;

use crate::choose::forest::{Next, Plan, grows_another, next, plan};
use crate::choose::tuning::PIECE;
use crate::choose::{Choice, Facts, REQUESTED, hub, sample};
use crate::graph::Graph;
use crate::parallel_vec::repeated;
use crate::vertex::{AtomicVertex, Vertex};
use crate::watch::{Pass, Watch};
use filch::Batches;
use pull::First;
use worklist::{Cells, Manner, Parents, traverse};

/// A builder of spanning forests. The default allows any forest and is fast.
#[derive(Clone, Copy)]
pub struct Forest<'w, V = u32> {
    algorithm: Algorithm,
    root: Option<V>,
    claims: Claims,
    watch: &'w dyn Watch,
}

impl<V> Default for Forest<'_, V> {
    fn default() -> Self {
        Forest { algorithm: Algorithm::Auto, root: None, claims: Claims::Store, watch: &() }
    }
}

/// Builds a spanning forest of `graph`, which must be symmetric, with the default options.
///
/// ```
/// use filch_graph::{Csr, forest::forest};
///
/// let graph: Csr = Csr::builder(5).symmetrize(true).build(vec![(0, 1), (1, 2), (2, 0), (3, 4)])?;
/// assert_eq!(forest(&graph)?.num_trees(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Forest::run`].
///
/// # Panics
///
/// Panics as [`Forest::run`] does.
pub fn forest<G: Graph>(graph: &G) -> Result<SpanningForest<G::Vertex>, ForestError> {
    Forest::new().run(graph)
}

impl<'w, V: Vertex> Forest<'w, V> {
    /// A builder of any forest, by [`Algorithm::Auto`].
    pub fn new() -> Self {
        Self::default()
    }

    /// How it is built.
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Forest { algorithm, ..self }
    }

    /// A vertex that will be the root of its tree. The roots of the other trees are arbitrary.
    #[must_use]
    pub fn root(self, root: V) -> Self {
        Forest { root: Some(root), ..self }
    }

    /// How vertices are claimed by [`Algorithm::PseudoDfs`] and [`Algorithm::PhasedBfs`], and by other algorithms when
    /// they fall back to a worklist.
    #[must_use]
    pub fn claims(self, claims: Claims) -> Self {
        Forest { claims, ..self }
    }

    /// Reports progress to `watch`: one pass over the vertices, of which those of the first tree are reported when it
    /// has been found, and the others at the end.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Forest { watch, ..self }
    }

    /// Builds a spanning forest of `graph`, which must be symmetric.
    ///
    /// ```
    /// use filch_graph::{Csr, forest::Forest};
    ///
    /// let graph: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
    /// assert_eq!(Forest::new().root(1).run(&graph)?.parents, [1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Work: O(n + m) for n vertices and m edges; [`Algorithm::Sweep`] takes up to a factor of log k more if it joins k
    /// trees. Span: the longest path that is followed, times the length of a row; a sweep is serial. Memory: the
    /// result, a bit for each vertex, and the worklists; for a sweep one more vertex for each vertex, and some eight
    /// for each tree.
    ///
    /// If [`is_symmetric`](Graph::is_symmetric) returns true for a graph that is not symmetric, this function may
    /// return parents that are not a forest, or panic.
    ///
    /// # Errors
    ///
    /// [`ForestError`]: the graph is directed, or there is no such root.
    ///
    /// # Panics
    ///
    /// Panics if the graph has a neighbor that is not a vertex, or if the global pool is needed and cannot be started;
    /// see [`filch::run`].
    pub fn run<G: Graph<Vertex = V>>(self, graph: &G) -> Result<SpanningForest<V>, ForestError> {
        let num_vertices = graph.num_vertices();
        if !graph.is_symmetric() {
            return Err(ForestError::Directed);
        }
        if let Some(root) = self.root.filter(|root| root.index() >= num_vertices) {
            return Err(ForestError::NoSuchRoot { root: root.index() as u64, num_vertices });
        }
        self.watch.begin(Pass::new("growing", "vertices", num_vertices));
        let facts = Facts::with_descends(graph);
        let mut run = Run { graph, facts, options: self, counts: Counts::default(), reported: 0 };
        let (parents, algorithm, reason) = match self.algorithm {
            Algorithm::Auto => run.by_plan(plan(&facts)),
            algorithm => {
                let (parents, algorithm) = run.by_request(algorithm);
                (parents, algorithm, REQUESTED)
            }
        };
        if let Some(root) = self.root {
            sweep::hang(&parents, root, root);
        }
        self.watch.advance(num_vertices - run.reported);
        let parents = AtomicVertex::into_vertices(parents);
        Ok(SpanningForest { parents, algorithm, reason, facts, counts: run.counts })
    }
}

/// Carries a plan out.
struct Run<'g, G: Graph> {
    graph: &'g G,
    facts: Facts,
    options: Forest<'g, G::Vertex>,
    counts: Counts,
    /// The number of vertices that the watch knows of.
    reported: usize,
}

impl<'g, G: Graph> Run<'g, G> {
    fn by_plan(&mut self, choice: Choice<Plan>) -> (Parents<G>, Algorithm, &'static str) {
        let (parents, algorithm) = match choice.plan {
            Plan::Serial => self.serial(),
            Plan::Descend => self.descend(),
            Plan::Sweep => self.sweep(),
            Plan::Grow => return self.by_first_tree(),
        };
        (parents, algorithm, choice.reason)
    }

    fn by_first_tree(&mut self) -> (Parents<G>, Algorithm, &'static str) {
        let Some(first) = self.first() else {
            return (Vec::new(), Algorithm::Serial, "there are no vertices");
        };
        self.reported = first.facts().vertices.min(self.facts.vertices);
        self.options.watch.advance(self.reported);
        let Choice { plan, reason } = next(&self.facts, first.facts(), || first.percent_next_to_it());
        let (parents, algorithm) = match plan {
            Next::Done => (first.parents, Algorithm::Pull),
            Next::Sweep => {
                drop(first);
                self.sweep()
            }
            Next::Pull => self.pull(first),
            Next::PseudoDfs => {
                let parents = first.traverse(self.manner(), &mut self.counts);
                self.finish(&parents);
                (parents, Algorithm::PseudoDfs(Batches::Adaptive))
            }
        };
        (parents, algorithm, reason)
    }

    /// A first tree, from the root that was requested unless its component is small, and otherwise from a vertex of
    /// high degree.
    fn first(&self) -> Option<First<'g, G>> {
        let from_root = self.options.root.map(|root| First::grow(self.graph, root));
        from_root.filter(First::is_large).or_else(|| Some(First::grow(self.graph, hub(self.graph)?)))
    }

    fn by_request(&mut self, algorithm: Algorithm) -> (Parents<G>, Algorithm) {
        let looks_ahead = !self.facts.is_in_order;
        match algorithm {
            Algorithm::Auto | Algorithm::Serial => self.serial(),
            Algorithm::Descend => (self.descend().0, algorithm),
            Algorithm::Sweep => self.sweep(),
            Algorithm::Pull => match self.first() {
                Some(first) => self.pull(first),
                None => (Vec::new(), algorithm),
            },
            Algorithm::PseudoDfs(batches) => {
                (self.by_worklist(Manner { batches, looks_ahead, ..self.manner() }), algorithm)
            }
            Algorithm::PhasedBfs(batches) => {
                (self.by_worklist(Manner { batches, looks_ahead, is_phased: true, ..self.manner() }), algorithm)
            }
        }
    }

    fn manner(&self) -> Manner {
        Manner { batches: Batches::Adaptive, claims: self.options.claims, is_phased: false, looks_ahead: true }
    }

    fn serial(&self) -> (Parents<G>, Algorithm) {
        let parents = serial::serial_from(self.graph, self.options.root);
        (parents.into_iter().map(AtomicVertex::new).collect(), Algorithm::Serial)
    }

    fn descend(&mut self) -> (Parents<G>, Algorithm) {
        let descend = if self.facts.is_reversed { sweep::descend::<_, true> } else { sweep::descend::<_, false> };
        match descend(self.graph) {
            Some(parents) => (parents, Algorithm::Descend),
            None => self.sweep(),
        }
    }

    fn sweep(&mut self) -> (Parents<G>, Algorithm) {
        let parents = repeated(self.facts.vertices, || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
        self.sweep_among(&parents, 0..self.facts.vertices);
        (parents, Algorithm::Sweep)
    }

    fn sweep_among(&mut self, parents: &Cells<G::Vertex>, vertices: impl DoubleEndedIterator<Item = usize>) {
        sweep::sweep(self.graph, parents, vertices, self.facts.is_reversed, &mut self.counts);
    }

    fn pull(&mut self, first: First<'g, G>) -> (Parents<G>, Algorithm) {
        let parents = first.pull(self.manner(), &mut self.counts);
        self.finish(&parents);
        (parents, Algorithm::Pull)
    }

    fn by_worklist(&mut self, manner: Manner) -> Parents<G> {
        let parents = repeated(self.facts.vertices, || <G::Vertex as Vertex>::Atomic::new(G::Vertex::NONE));
        if let Some(root) = self.options.root.or_else(|| hub(self.graph)) {
            parents[root.index()].store(root);
            self.counts.traversal += traverse(self.graph, &parents, vec![root], manner);
        }
        self.finish_by(&parents, manner);
        parents
    }

    fn finish(&mut self, parents: &Cells<G::Vertex>) {
        self.finish_by(parents, self.manner());
    }

    /// Builds trees of all vertices without a parent. None of them may have a neighbor with a parent.
    fn finish_by(&mut self, parents: &Cells<G::Vertex>, manner: Manner) {
        let graph = self.graph;
        let is_open = |v: &G::Vertex| parents[v.index()].load() == G::Vertex::NONE;
        let mut left = self.collect(|v, list: &mut Vec<G::Vertex>| {
            // In most graphs, most components have a single vertex.
            if is_open(&v) {
                if graph.degree(v) == 0 { parents[v.index()].store(v) } else { list.push(v) }
            }
        });
        let mut taken = self.facts.vertices - left.len();
        let num_arcs = |left: &[G::Vertex]| left.iter().map(|&v| graph.degree(v)).sum();
        while grows_another(&self.facts, left.len(), || num_arcs(&left), taken) {
            let hub = sample::<G::Vertex>(left.len()).map(|i| left[i.index()]).max_by_key(|&v| graph.degree(v));
            let hub = hub.expect("some are left, and all samples are among them");
            parents[hub.index()].store(hub);
            self.counts.traversal += traverse(graph, parents, vec![hub], manner);
            let before = left.len();
            left.retain(is_open);
            taken = before - left.len();
        }
        if !left.is_empty() {
            self.sweep_among(parents, left.into_iter().map(Vertex::index));
        }
    }

    /// The vertices that `body` appends, in ascending order.
    fn collect(&self, body: impl Fn(G::Vertex, &mut Vec<G::Vertex>) + Send + Sync) -> Vec<G::Vertex> {
        let n = self.facts.vertices;
        filch::map_reduce(
            0..n.div_ceil(PIECE),
            Vec::new,
            |_, piece| {
                let mut list = Vec::new();
                (piece * PIECE..n.min((piece + 1) * PIECE)).for_each(|v| body(G::Vertex::new(v), &mut list));
                list
            },
            |mut a, mut b| {
                a.append(&mut b);
                a
            },
        )
    }
}
