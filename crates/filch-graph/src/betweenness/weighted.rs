//! Betweenness in graphs whose weights are lengths.

use super::arcs::{Arcs, EdgeScores};
use super::dijkstra::Workspace;
use super::search::{Found, add_up};
use super::{Betweenness, BetweennessError, SEARCHES, Scores, checked};
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::watch::Pass;
use crate::weight::Weight;
use filch::PerWorker;
use filch_algorithms::tabulate;

impl Betweenness<'_> {
    /// The betweenness of each vertex of a graph whose weights are lengths, from all sources or those of the sample.
    /// The length of a path is a [`Distance`](crate::Distance). Whole numbers are exact below 2^53 or, with weights of
    /// whole types, 2^63; with other ones, paths of the same length may differ by rounding, and are then not all
    /// shortest ones. A path whose length is beyond what the type can count is none.
    ///
    /// Work: O((n + m) log m) for each source. Workers share the sources, each of which is searched by one worker.
    /// Span: the sources divided by the workers, times that. Memory: 33 bytes for each vertex and worker, up to 40 for
    /// each arc and worker, and 8 bytes and a vertex for each vertex and each of four searches for each worker. The
    /// scores are the same on any number of workers.
    ///
    /// ```
    /// use filch_graph::Csr;
    /// use filch_graph::betweenness::Betweenness;
    ///
    /// let roads: Csr<u32, u32> = Csr::builder(3).symmetrize(true).build_weighted([(0, 1, 2), (1, 2, 2), (0, 2, 5)])?;
    /// assert_eq!(Betweenness::new().weighted(&roads)?.scores, [0.0, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BetweennessError`]: a weight is not above 0, or there are too many paths.
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn weighted<G: WeightedGraph>(self, graph: &G) -> Result<Scores<G::Vertex>, BetweennessError> {
        self.weighted_from(graph, &self.sources(graph))
    }

    /// The betweenness of each vertex of a graph whose weights are lengths, from these sources: see
    /// [`run_from`](Self::run_from) and [`weighted`](Self::weighted).
    ///
    /// # Errors
    ///
    /// As for [`weighted`](Self::weighted).
    ///
    /// # Panics
    ///
    /// As [`run_from`](Self::run_from).
    pub fn weighted_from<G: WeightedGraph>(
        self,
        graph: &G,
        sources: &[G::Vertex],
    ) -> Result<Scores<G::Vertex>, BetweennessError> {
        let sources = checked(graph, sources);
        let scores = self.solve_weighted(graph, &sources, None)?;
        let factor = self.factor(graph, sources.len());
        Ok(Scores { scores: tabulate(scores.len(), |v| factor * scores[v]), sources, factor })
    }

    /// The betweenness of each edge of a graph whose weights are lengths: see [`edges`](Self::edges) and
    /// [`weighted`](Self::weighted). Arcs need 16 bytes each, or 40 in a symmetric graph, and 8 more for each of
    /// several workers.
    ///
    /// # Errors
    ///
    /// As for [`weighted`](Self::weighted).
    ///
    /// # Panics
    ///
    /// As [`run`](Self::run).
    pub fn weighted_edges<G: WeightedGraph>(self, graph: &G) -> Result<EdgeScores<G::Vertex>, BetweennessError> {
        let (sources, arcs) = (self.sources(graph), Arcs::new(graph));
        self.solve_weighted(graph, &sources, Some(&arcs))?;
        let factor = self.edge_factor(graph, sources.len());
        let ranked = |v| graph.arcs(v).map(|(w, weight)| (w, weight.canonical().rank()));
        Ok(arcs.scores(graph, ranked, sources, factor))
    }

    /// The sums of the dependencies on each vertex, and on the arcs if they are given.
    fn solve_weighted<G: WeightedGraph>(
        self,
        graph: &G,
        sources: &[G::Vertex],
        arcs: Option<&Arcs>,
    ) -> Result<Vec<f64>, BetweennessError> {
        let (n, workers) = (graph.num_vertices(), filch::num_workers());
        expect_positive(graph)?;
        self.watch.begin(Pass::new("searching", "vertices", sources.len()));
        let searches_each = if arcs.is_some() { 1 } else { SEARCHES };
        let at_a_time = if workers == 1 { 1 } else { (workers * searches_each).min(sources.len()) };
        let workspaces = PerWorker::new(|| Workspace::new(n));
        let mut searches: Vec<_> = (0..at_a_time).map(|_| Found::new(n)).collect();
        // Several searches add to the same arcs, in an order that must not depend on the schedule.
        let own: Vec<Arcs> = match arcs {
            Some(arcs) if at_a_time > 1 => (0..at_a_time).map(|_| arcs.zeros()).collect(),
            _ => Vec::new(),
        };
        let mut scores = tabulate(n, |_| 0.0);
        for round in sources.chunks(at_a_time.max(1)) {
            let searches = &mut searches[..round.len()];
            filch::for_each((0_usize.., round, &mut *searches), |_, (search, source, found)| {
                let arcs = own.get(search).or(arcs);
                workspaces.with(|workspace| workspace.run(graph, *source, found, arcs));
                self.watch.advance(1);
            });
            if let Some(at) = searches.iter().position(|found| found.has_overflowed) {
                return Err(BetweennessError::TooManyPaths { source_vertex: round[at].index() });
            }
            add_up(&mut scores, searches);
            if let Some(arcs) = arcs {
                arcs.take_from(&own);
            }
        }
        Ok(scores)
    }
}

/// Looks for weights that are no lengths.
fn expect_positive<G: WeightedGraph>(graph: &G) -> Result<(), BetweennessError> {
    let first = |from: usize| {
        let mut arcs = graph.arcs(G::Vertex::new(from));
        let (to, weight) = arcs.find(|(_, weight)| weight.rounded() <= 0.0)?;
        Some(BetweennessError::NotPositive { from, to: to.index(), weight: weight.rounded() })
    };
    let found = filch::map_reduce(0..graph.num_vertices(), || None, |_, from| first(from), |a, b| a.or(b));
    found.map_or(Ok(()), Err)
}
