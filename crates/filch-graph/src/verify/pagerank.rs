//! Checks PageRank scores.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of scores that [`verify_pagerank`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRankSummary {
    /// How much one more iteration would change the scores, as the sum over all vertices.
    pub residual: f64,
    /// The sum of all scores: 1, unless arcs leave only some of the vertices.
    pub sum: f64,
}

/// Checks whether `scores` solve the equation of PageRank with the given damping factor up to `tolerance`: one
/// iteration in the other direction, in which each vertex pushes its score along its arcs, must change the scores by
/// at most `tolerance` in total. The L1 distance to the exact solution is then at most `tolerance / (1 - damping)`.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_pagerank;
///
/// let graph: Csr = Csr::builder(2).build(vec![(0, 1), (1, 0)])?;
/// let summary = verify_pagerank(&graph, &[0.5, 0.5], 0.85, 1e-6)?;
/// assert!((summary.sum - 1.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: a double-precision number for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with a vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_pagerank<G: Graph>(
    graph: &G,
    scores: &[f32],
    damping: f64,
    tolerance: f64,
) -> Result<PageRankSummary, Wrong> {
    let count = graph.num_vertices();
    if scores.len() != count {
        return Err(Wrong::length(scores.len(), "scores", count));
    }
    if let Some(vertex) = scores.iter().position(|score| !(0.0..=1.0).contains(score)) {
        return Err(Wrong(format!(
            "the score of vertex {vertex} is {found}: \
             expected a number from 0 to 1",
            found = f64::from(scores[vertex])
        )));
    }
    let mut next = vec![(1.0 - damping) / count as f64; count];
    for_each_arc(graph, |u, w| {
        next[w] += damping * f64::from(scores[u]) / graph.degree(G::Vertex::new(u)) as f64;
    });
    let (mut residual, mut worst, mut vertex) = (0.0, -1.0, 0);
    for v in 0..count {
        let change = (next[v] - f64::from(scores[v])).abs();
        residual += change;
        if change > worst {
            (worst, vertex) = (change, v);
        }
    }
    if residual > tolerance {
        let (score, next) = (f64::from(scores[vertex]), next[vertex]);
        return Err(Wrong(format!(
            "one more iteration changes the scores by {residual:e} in total: expected at most {tolerance:e}; \
             that of vertex {vertex} changes most, from {score:e} to {next:e}"
        )));
    }
    Ok(PageRankSummary { residual, sum: scores.iter().copied().map(f64::from).sum() })
}
