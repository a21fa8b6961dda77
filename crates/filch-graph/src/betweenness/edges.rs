//! Betweenness of edges.

use super::arcs::{Arcs, EdgeScores};
use super::search::{Found, Search, Workspace};
use super::{Betweenness, BetweennessError, checked};
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::Pass;

impl Betweenness<'_> {
    /// The betweenness of each edge, from all sources or those of the sample. The workers share the levels of each
    /// search. Normalized, the scores are shares of all ordered pairs of vertices, as in networkx: they are divided by
    /// n (n - 1).
    ///
    /// Work: O(n + m) for each source, and sorting the rows of a symmetric graph that are not in order. Span: the
    /// sources times the levels and the longest row. Memory: 16 bytes for each arc, which is twice the result, or 24 in
    /// a symmetric graph, and some 30 for each vertex. The scores are the same on any number of workers.
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
        Ok(arcs.scores(graph, |v| graph.neighbors(v).map(|w| (w, ())), sources, factor))
    }

    /// What the sums of the dependencies of so many sources on edges are multiplied by.
    pub fn edge_factor<G: Graph>(self, graph: &G, num_sources: usize) -> f64 {
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
