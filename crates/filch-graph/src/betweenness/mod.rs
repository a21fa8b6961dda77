//! Betweenness centrality: how many of all shortest paths lead through a vertex (Freeman 1977, "A set of measures of
//! centrality based on betweenness").
//!
//! The betweenness of v is the sum, over all pairs of other vertices s and t with a path from s to t, of the share of
//! the shortest paths between them that lead through v; that of an edge likewise (Girvan and Newman 2002, "Community
//! structure in social and biological networks"). Arcs have no lengths, or their weights are lengths. Parallel arcs are
//! different paths, and self-loops are on none.
//!
//! From each source, a search counts the shortest paths to all vertices, and then adds up, from the farthest vertices
//! backward, the *dependencies* of the source on each vertex (Brandes 2001, "A faster algorithm for betweenness
//! centrality"). A level of which many arcs lead on is found in the other direction, by the vertices that have not been
//! reached, as in direction-optimizing breadth-first search (Beamer, Asanović and Patterson 2012). Some sources, scaled
//! up, are an estimate (Brandes and Pich 2007, "Centrality estimation in large networks").
//!
//! The scores are the same to the last bit under every schedule, on any number of workers, and with either
//! [`Share`]: the head of `search.rs` says why.

// Modules, from the bottom up: `numbers`; `arcs`; `search` (one source) and `dijkstra` (one in a graph with weights);
// the builder; `edges` and `weighted`, which have more of its methods. `serial` is independent. May import: `Graph` and
// arrays, not other algorithms, builders or readers.

mod arcs;
mod dijkstra;
mod edges;
mod numbers;
mod search;
mod serial;
mod weighted;

pub use arcs::EdgeScores;
pub use serial::{serial, serial_edges, serial_weighted, serial_weighted_edges};

use crate::cli_enum::cli_enum;
use crate::graph::Graph;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch::PerWorker;
use filch_algorithms::tabulate;
use search::{Found, Search, Workspace, add_up};
use std::collections::HashSet;

/// Searches for each worker between two times when all workers wait for the last of them: more balance better, and take
/// more memory.
const SEARCHES: usize = 4;
/// The purpose of the random numbers that choose a sample.
const FOR_SOURCES: u64 = 0x6277_6e73;

/// What the workers share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Share {
    /// The sources if there are at least two for each worker, or else the levels.
    #[default]
    Auto,
    /// Each worker searches from a source of its own. Takes memory for each worker.
    Sources,
    /// All workers search from the same source, and share the vertices of wide levels.
    Levels,
}

cli_enum!(Share, "share", ParseShareError: Auto = "auto", Sources = "sources", Levels = "levels");

/// Why there is no betweenness.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BetweennessError {
    /// A number of paths is too large for double precision.
    #[error(
        "from vertex {source_vertex}, there are 2^1024 shortest paths or more to another one: \
         expected fewer, because they are counted in double precision"
    )]
    TooManyPaths {
        /// The number of the source.
        source_vertex: usize,
    },
    /// A weight is 0 or negative, so that there may be infinitely many shortest paths or none.
    #[error("the arc from vertex {from} to {to} has the weight {weight}, but lengths of paths need weights above 0")]
    NotPositive {
        /// The source of the first such arc, in the order of the vertices.
        from: usize,
        /// Its target.
        to: usize,
        /// Its weight.
        weight: f64,
    },
}

/// A computation of betweenness, as a builder. The defaults are those of networkx: all sources, normalized.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::betweenness::Betweenness;
///
/// // Between the two ends of a path of three vertices.
/// let graph: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(Betweenness::new().normalized(false).run(&graph)?.scores, [0.0, 1.0, 0.0]);
/// assert_eq!(Betweenness::new().normalized(false).run_from(&graph, &[2])?.scores, [0.0, 1.5, 0.0]);
/// assert_eq!(Betweenness::new().sample(2, 7).run(&graph)?.sources.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Betweenness<'w> {
    is_normalized: bool,
    /// The number of sources, and a seed.
    sample: Option<(usize, u64)>,
    share: Share,
    watch: &'w dyn Watch,
}

impl Default for Betweenness<'_> {
    fn default() -> Self {
        Betweenness { is_normalized: true, sample: None, share: Share::Auto, watch: &() }
    }
}

/// The betweenness of each vertex of `graph`, exact and normalized, as [`Betweenness::run`] computes it.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::betweenness::betweenness;
///
/// // Every path between two leaves of a star leads through its center.
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (0, 2), (0, 3)])?;
/// assert_eq!(betweenness(&graph)?.scores, [1.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`Betweenness::run`].
///
/// # Panics
///
/// Panics as [`Betweenness::run`] does.
pub fn betweenness<G: Graph>(graph: &G) -> Result<Scores<G::Vertex>, BetweennessError> {
    Betweenness::new().run(graph)
}

impl<'w> Betweenness<'w> {
    /// A computation with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the scores are shares of all pairs of other vertices: they are divided by (n - 1) (n - 2), or by half of
    /// that if the graph is symmetric, where a pair counts once. Otherwise they are numbers of pairs.
    #[must_use]
    pub fn normalized(self, is_normalized: bool) -> Self {
        Betweenness { is_normalized, ..self }
    }

    /// Only `count` different sources, chosen by this seed; all, if there are no more. The scores are multiplied by n /
    /// `count`, so that they are estimates.
    ///
    /// # Panics
    ///
    /// Panics if the count is 0.
    #[must_use]
    pub fn sample(self, count: usize, seed: u64) -> Self {
        assert!(count > 0, "the sample has 0 sources: expected at least 1");
        Betweenness { sample: Some((count, seed)), ..self }
    }

    /// What the workers share. The scores do not depend on it.
    #[must_use]
    pub fn share(self, share: Share) -> Self {
        Betweenness { share, ..self }
    }

    /// Reports progress to `watch`: one pass over the sources.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Betweenness { watch, ..self }
    }

    /// The betweenness of each vertex of `graph`, from all sources or those of the sample.
    ///
    /// Work: O(n + m) for each source; arcs to vertices that are not reached yet may be read in each wide level. Span
    /// with [`Share::Sources`]: the sources divided by the workers, times O(n + m); with [`Share::Levels`]: the sources
    /// times the levels and the longest row. Memory: a number of 8 bytes for each vertex. In addition, with
    /// [`Share::Levels`] or one worker, 24 bytes and a vertex for each vertex; else 16 bytes for each vertex and
    /// worker, and 8 bytes and a vertex for each vertex and each of four searches for each worker.
    ///
    /// # Errors
    ///
    /// [`BetweennessError`]: there are 2^1024 shortest paths or more between two vertices, as in a grid of 520 × 520
    /// vertices.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Result<Scores<G::Vertex>, BetweennessError> {
        self.solve(graph, self.sources(graph))
    }

    /// The betweenness of each vertex of `graph`, from these sources and not those of a sample. The scores are
    /// multiplied by n / k for k sources. One that is there several times counts as often.
    ///
    /// Costs and errors: as for [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    ///
    /// # Panics
    ///
    /// Panics if a source is not a vertex of the graph, or as [`run`](Self::run).
    pub fn run_from<G: Graph>(self, graph: &G, sources: &[G::Vertex]) -> Result<Scores<G::Vertex>, BetweennessError> {
        self.solve(graph, checked(graph, sources))
    }

    /// The sources from which [`run`](Self::run) searches: all vertices, or the sample. Work: O(n).
    pub fn sources<G: Graph>(&self, graph: &G) -> Vec<G::Vertex> {
        let n = graph.num_vertices();
        match self.sample {
            Some((count, seed)) if count < n => sample(n, count, seed),
            _ => tabulate(n, G::Vertex::new),
        }
    }

    fn solve<G: Graph>(self, graph: &G, sources: Vec<G::Vertex>) -> Result<Scores<G::Vertex>, BetweennessError> {
        let (n, workers) = (graph.num_vertices(), filch::num_workers());
        let is_shared = workers > 1
            && match self.share {
                Share::Auto => sources.len() < 2 * workers,
                Share::Sources => false,
                Share::Levels => true,
            };
        let at_a_time = if workers == 1 || is_shared { 1 } else { (workers * SEARCHES).min(sources.len()) };
        self.watch.begin(Pass::new("searching", "vertices", sources.len()));
        let workspaces = PerWorker::new(|| Workspace::new(n));
        let search = |source: G::Vertex, found: &mut Found<G::Vertex>| {
            workspaces.with(|workspace| Search { graph, workspace, is_shared, arcs: None }.run(source, found));
            self.watch.advance(1);
        };
        let mut scores = tabulate(n, |_| 0.0);
        let mut searches: Vec<_> = (0..at_a_time).map(|_| Found::new(n)).collect();
        for round in sources.chunks(at_a_time.max(1)) {
            let searches = &mut searches[..round.len()];
            if let ([source], [found]) = (round, &mut *searches) {
                search(*source, found);
            } else {
                filch::for_each((round, &mut *searches), |_, (source, found)| search(*source, found));
            }
            if let Some(at) = searches.iter().position(|found| found.has_overflowed) {
                return Err(BetweennessError::TooManyPaths { source_vertex: round[at].index() });
            }
            add_up(&mut scores, searches);
        }
        let factor = self.factor(graph, sources.len());
        filch::for_each(&mut scores[..], |_, score| *score *= factor);
        Ok(Scores { scores, sources, factor })
    }

    /// What the sums of the dependencies of so many sources are multiplied by.
    pub fn factor<G: Graph>(self, graph: &G, num_sources: usize) -> f64 {
        let (num_vertices, is_symmetric) = (graph.num_vertices(), graph.is_symmetric());
        // Otherwise all sums are 0.
        if num_vertices < 3 || num_sources == 0 {
            return 1.0;
        }
        let n = num_vertices as f64;
        let pairs = match (self.is_normalized, is_symmetric) {
            (true, _) => (n - 1.0) * (n - 2.0),
            (false, true) => 2.0,
            (false, false) => 1.0,
        };
        n / num_sources as f64 / pairs
    }
}

/// A copy of the sources, all of which must be vertices.
fn checked<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Vec<G::Vertex> {
    let n = graph.num_vertices();
    if let Some(source) = sources.iter().find(|source| source.index() >= n) {
        panic!("the source {source} is not a vertex: expected a number below {n}");
    }
    sources.to_vec()
}

/// Different vertices in ascending order (Floyd's algorithm in Bentley 1987, "Programming pearls: a sample of
/// brilliance").
fn sample<V: Vertex>(num_vertices: usize, count: usize, seed: u64) -> Vec<V> {
    let draws = SplitMix::new(seed, FOR_SOURCES);
    let mut chosen = HashSet::with_capacity(count);
    for last in num_vertices - count..num_vertices {
        let any = draws.below(last + 1, last as u64);
        chosen.insert(if chosen.contains(&any) { last } else { any });
    }
    let mut vertices: Vec<V> = chosen.into_iter().map(V::new).collect();
    vertices.sort_unstable();
    vertices
}

/// The betweenness of all vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores<V> {
    /// The betweenness of each vertex.
    pub scores: Vec<f64>,
    /// The sources.
    pub sources: Vec<V>,
    /// What the sum of the dependencies of the sources on a vertex was multiplied by.
    pub factor: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_different_vertices_each_as_often_as_another() {
        let mut counts = [0; 10];
        for seed in 0..5000 {
            let found: Vec<u32> = sample(10, 4, seed);
            assert!(found.len() == 4 && found.is_sorted_by(|a, b| a < b));
            found.iter().for_each(|&v| counts[v as usize] += 1);
        }
        // Within six standard deviations.
        assert!(counts.iter().all(|count| (1790..2210).contains(count)), "{counts:?}");
        assert_eq!(sample::<u32>(3, 3, 1), [0, 1, 2]);
    }
}
