//! Betweenness of edges, and numbers for each arc.

use super::search::{Found, Numbers, Search, Workspace};
use super::{Betweenness, BetweennessError, checked};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::Pass;
use filch_algorithms::{flatten, tabulate};
use std::ops::Range;

impl Betweenness<'_> {
    /// The betweenness of each edge, from all sources or those of the sample. The workers share the levels of each
    /// search. Normalized, the scores are shares of all ordered pairs of vertices, as in networkx: they are divided by
    /// n (n - 1).
    ///
    /// Work: O(n + m) for each source, and sorting the rows of a symmetric graph. Span: the sources times the levels
    /// and the longest row. Memory: 16 bytes for each arc, which is twice the result, in a symmetric graph 24 more, and
    /// some 30 for each vertex. The scores are the same on any number of workers.
    ///
    /// ```
    /// use filch_graph::Csr;
    /// use filch_graph::betweenness::Betweenness;
    ///
    /// let path: Csr = Csr::builder(3).symmetrize(true).build([(0, 1), (1, 2)])?;
    /// let found = Betweenness::new().normalized(false).edges(&path)?;
    /// assert_eq!(found.of(1), [2.0, 2.0]); // to each end, one path ends and one leads on
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn edges<G: Graph>(self, graph: &G) -> Result<EdgeScores<G::Vertex>, BetweennessError> {
        self.solve_edges(graph, self.sources(graph))
    }

    /// The betweenness of each edge, from these sources: see [`run_from`](Self::run_from) and [`edges`](Self::edges).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// As [`run_from`](Self::run_from).
    pub fn edges_from<G: Graph>(
        self,
        graph: &G,
        sources: &[G::Vertex],
    ) -> Result<EdgeScores<G::Vertex>, BetweennessError> {
        self.solve_edges(graph, checked(graph, sources))
    }

    fn solve_edges<G: Graph>(
        self,
        graph: &G,
        sources: Vec<G::Vertex>,
    ) -> Result<EdgeScores<G::Vertex>, BetweennessError> {
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("searching", "vertices", sources.len()));
        let (arcs, workspace, mut found) = (Arcs::new(graph), Workspace::new(n), Found::new(n));
        let is_shared = filch::num_workers() > 1;
        for &source in &sources {
            Search { graph, workspace: &workspace, is_shared, arcs: Some(&arcs) }.run(source, &mut found);
            if found.has_overflowed {
                return Err(BetweennessError::TooManyPaths { source_vertex: source.index() });
            }
            found.clear();
            self.watch.advance(1);
        }
        let factor = self.edge_factor(graph, sources.len());
        Ok(arcs.scores(graph, sources, factor))
    }

    /// What the sums of the dependencies on edges are multiplied by.
    pub(super) fn edge_factor<G: Graph>(self, graph: &G, num_sources: usize) -> f64 {
        if graph.num_vertices() < 2 || num_sources == 0 {
            return 1.0;
        }
        let n = graph.num_vertices() as f64;
        let pairs = match (self.is_normalized, graph.is_symmetric()) {
            (true, _) => n * (n - 1.0),
            (false, true) => 2.0,
            (false, false) => 1.0,
        };
        n / num_sources as f64 / pairs
    }
}

/// A sum for each arc, in the order of the rows.
///
/// In a loop, one worker adds to the arcs of a vertex. Sums are relaxed, and the end of the loop orders them.
pub(super) struct Arcs {
    offsets: Vec<usize>,
    sums: Numbers,
}

impl Arcs {
    pub(super) fn new<G: Graph>(graph: &G) -> Self {
        let mut offsets = Vec::with_capacity(graph.num_vertices() + 1);
        offsets.push(0);
        let degrees = tabulate(graph.num_vertices(), |v| graph.degree(G::Vertex::new(v)));
        offsets.extend(degrees.iter().scan(0, |end, degree| {
            *end += degree;
            Some(*end)
        }));
        let sums = Numbers::new(offsets[offsets.len() - 1]);
        Arcs { offsets, sums }
    }

    /// Sums of 0 for the same arcs.
    pub(super) fn zeros(&self) -> Self {
        Arcs { offsets: self.offsets.clone(), sums: Numbers::new(self.offsets[self.offsets.len() - 1]) }
    }

    fn row(&self, v: usize) -> Range<usize> {
        self.offsets[v]..self.offsets[v + 1]
    }

    /// Adds to the sum of an arc of `v`.
    ///
    /// # Panics
    ///
    /// Panics if the row is longer than the degree was.
    #[inline(always)]
    pub(super) fn add(&self, v: impl Vertex, at: usize, more: f64) {
        let row = self.row(v.index());
        assert!(at < row.len(), "vertex {v} has more neighbors than its degree of {}", row.len());
        self.sums.add(row.start + at, more, false);
    }

    /// Adds other sums of the same arcs, and makes those 0. In parallel.
    pub(super) fn take_from(&self, other: &Arcs) {
        filch::for_each(0..self.offsets[self.offsets.len() - 1], |_, arc| {
            self.sums.add(arc, other.sums.get(arc), false);
            other.sums.set(arc, 0.0);
        });
    }

    /// The sums times `factor`. In a symmetric graph, those of an arc and its reverse are added up.
    pub(super) fn scores<G: Graph>(self, graph: &G, sources: Vec<G::Vertex>, factor: f64) -> EdgeScores<G::Vertex> {
        let n = graph.num_vertices();
        let arcs =
            |v: usize| graph.neighbors(G::Vertex::new(v)).zip(self.row(v)).map(|(w, arc)| (w, self.sums.get(arc)));
        let rows: Vec<Vec<f64>> = if graph.is_symmetric() {
            // Parallel arcs have the same sums.
            let sorted: Vec<Vec<(G::Vertex, f64)>> = tabulate(n, |v| {
                let mut row: Vec<_> = arcs(v).collect();
                row.sort_unstable_by_key(|arc| arc.0);
                row
            });
            let back = |w: G::Vertex, v: usize| {
                let row = &sorted[w.index()];
                let at = row.partition_point(|arc| arc.0.index() < v);
                row.get(at).filter(|arc| arc.0.index() == v).map_or(0.0, |arc| arc.1)
            };
            tabulate(n, |v| arcs(v).map(|(w, sum)| factor * (sum + back(w, v))).collect())
        } else {
            tabulate(n, |v| arcs(v).map(|(_, sum)| factor * sum).collect())
        };
        EdgeScores { scores: flatten(rows), offsets: self.offsets, sources, factor }
    }
}

/// The betweenness of all edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeScores<V> {
    /// The betweenness of each arc, in the order of the vertices that they leave and of the neighbors of these. In a
    /// symmetric graph, both arcs of an edge have that of the edge.
    pub scores: Vec<f64>,
    offsets: Vec<usize>,
    /// The sources.
    pub sources: Vec<V>,
    /// What the sum of the dependencies of the sources on an edge was multiplied by.
    pub factor: f64,
}

impl<V: Vertex> EdgeScores<V> {
    /// The betweenness of the arcs that leave `v`, in the order of its neighbors.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn of(&self, v: V) -> &[f64] {
        &self.scores[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }
}
