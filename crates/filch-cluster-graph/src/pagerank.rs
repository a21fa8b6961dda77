//! PageRank, as [`filch_graph::pagerank`] defines it, with synchronous updates: the scores after a given number of
//! iterations depend neither on the ranks nor on the schedule, except for the order of sums.
//!
//! In each iteration a rank gets the shares of its ghosts, in the order on which the ranks have agreed before.

use crate::error::GraphError;
use crate::ghosts::Ghosts;
use crate::graph::ClusterGraph;
use crate::wire::Wire;
use filch_algorithms::tabulate;
use filch_cluster::Cluster;
use filch_graph::Vertex;
use filch_graph::pagerank::PageRank;

/// The options of [`pagerank()`]. The defaults are those of [`PageRank`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRankOptions {
    /// The share of a score that follows the arcs, at least 0 and less than 1.
    pub damping: f64,
    /// Stop after an iteration that changes the scores by less than this in total.
    pub tolerance: f64,
    /// Stop after this number of iterations.
    pub max_iterations: usize,
}

impl Default for PageRankOptions {
    fn default() -> Self {
        PageRankOptions {
            damping: PageRank::DAMPING,
            tolerance: PageRank::TOLERANCE,
            max_iterations: PageRank::MAX_ITERATIONS,
        }
    }
}

/// The scores of the vertices of a rank, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct RanksHere {
    /// The score of each vertex of this rank.
    pub scores: Vec<f32>,
    /// The number of iterations.
    pub iterations: usize,
    /// The sum over all vertices of the graph of how much the last iteration changed the score.
    pub change: f64,
}

/// The PageRank of a graph. All ranks must call this, with the same options.
///
/// Memory of a rank, beside the graph: 8 bytes for each of its vertices, two bits for each vertex of the graph, and 4
/// bytes and a vertex for each ghost.
///
/// # Errors
///
/// If a rank is lost or fails.
pub fn pagerank<V: Vertex + Wire>(
    cluster: &Cluster,
    graph: &ClusterGraph<V>,
    options: &PageRankOptions,
) -> Result<RanksHere, GraphError> {
    let PageRankOptions { damping, tolerance, max_iterations } = *options;
    let (n, here) = (graph.num_vertices(), graph.here.len());
    let ghosts = Ghosts::new(cluster, graph, graph.into())?;
    let base = (1.0 - damping) / n as f64;
    let mut scores = vec![1.0 / n as f32; here];
    let (mut iterations, mut change) = (0, 0.0);
    while n > 0 && iterations < max_iterations {
        let share = |place: usize| scores[place] / graph.out.degree(place) as f32;
        let shares = cluster.pool().run(|_| tabulate(here, share));
        let foreign = ghosts.refresh(cluster, |place| shares[place])?;
        let score = |place: usize| {
            let [before, own, behind] = graph.split(graph.into().row(place));
            let ghost = |v: &V| f64::from(foreign[ghosts.place(v.index())]);
            let near = own.iter().map(|v| f64::from(shares[v.index() - graph.here.start])).sum::<f64>();
            let far = before.iter().map(ghost).sum::<f64>() + behind.iter().map(ghost).sum::<f64>();
            (base + damping * (near + far)) as f32
        };
        let next = cluster.pool().run(|_| tabulate(here, score));
        let changed = scores.iter().zip(&next).map(|(old, new)| f64::from((new - old).abs())).sum::<f64>();
        scores = next;
        iterations += 1;
        change = cluster.all_reduce(&changed, |a, b| a + b)?;
        if change < tolerance {
            break;
        }
    }
    Ok(RanksHere { scores, iterations, change })
}
