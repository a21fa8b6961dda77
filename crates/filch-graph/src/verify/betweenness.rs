//! Checks betweenness.

use super::Wrong;
use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of scores that [`verify_betweenness`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetweennessSummary {
    /// The number of pairs of a source and another vertex that it reaches.
    pub pairs: u64,
    /// The sum of the vertices between them on a shortest path: what the scores add up to, before they are scaled.
    pub between: f64,
    /// The largest difference between a score and what was expected, divided by the latter or, if that is larger, by
    /// the factor.
    pub error: f64,
}

/// Checks whether `scores` are `factor` times the sums of the dependencies of `sources`, up to `tolerance` times each
/// of them, or times `factor` if that is more. From each source, every vertex that is reached sends one unit back. A
/// vertex divides what it has among those before it, in proportion to their numbers of paths, and what comes through it
/// from others is the dependency.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_betweenness;
///
/// let graph: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
/// assert_eq!(verify_betweenness(&graph, &[0, 1, 2], 0.5, &[0.0, 1.0, 0.0], 1e-9)?.pairs, 6);
/// assert!(verify_betweenness(&graph, &[0, 1, 2], 1.0, &[0.0, 1.0, 0.0], 1e-9).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m) for each source, serial. Memory: two words for each arc, and some 60 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex, or if a source is none.
pub fn verify_betweenness<G: Graph>(
    graph: &G,
    sources: &[G::Vertex],
    factor: f64,
    scores: &[f64],
    tolerance: f64,
) -> Result<BetweennessSummary, Wrong> {
    let count = graph.num_vertices();
    if scores.len() != count {
        return Err(Wrong::length(scores.len(), "scores", count));
    }
    let mut tails = vec![Vec::new(); count];
    let mut heads = vec![Vec::new(); count];
    for_each_arc(graph, |u, w| {
        heads[u].push(w);
        tails[w].push(u);
    });
    let (mut expected, mut pairs, mut between) = (vec![0.0; count], 0, 0.0);
    for source in sources.iter().map(|source| source.index()) {
        let layers = layers(&heads, source);
        let mut depths = vec![usize::MAX; count];
        let mut paths = vec![0.0; count];
        paths[source] = 1.0;
        for (depth, layer) in layers.iter().enumerate() {
            layer.iter().for_each(|&v| depths[v] = depth);
            for &v in layer.iter().filter(|_| depth > 0) {
                paths[v] = tails[v].iter().filter(|&&u| depths[u] == depth - 1).map(|&u| paths[u]).sum();
                pairs += 1;
                between += (depth - 1) as f64;
            }
        }
        let mut through = vec![0.0; count];
        for (depth, layer) in layers.iter().enumerate().skip(1).rev() {
            for &v in layer {
                let sent = (through[v] + 1.0) / paths[v];
                for &u in tails[v].iter().filter(|&&u| depths[u] == depth - 1) {
                    through[u] += paths[u] * sent;
                }
                expected[v] += through[v];
            }
        }
    }
    let mut error: f64 = 0.0;
    for (vertex, (&found, sum)) in scores.iter().zip(&expected).enumerate() {
        let off = (found - factor * sum).abs() / (factor.abs() * sum.max(1.0));
        let is_near = off <= tolerance;
        if !is_near {
            return Err(Wrong(format!(
                "the betweenness of vertex {vertex} is {found:e}: expected {expected:e}",
                expected = factor * sum
            )));
        }
        error = error.max(off);
    }
    Ok(BetweennessSummary { pairs, between, error })
}

/// The vertices that are reached from `source`, by their distances.
fn layers(heads: &[Vec<usize>], source: usize) -> Vec<Vec<usize>> {
    let mut is_reached = vec![false; heads.len()];
    is_reached[source] = true;
    let mut layers = vec![vec![source]];
    loop {
        let mut next = Vec::new();
        for &w in layers.last().into_iter().flatten().flat_map(|&v| &heads[v]) {
            if !std::mem::replace(&mut is_reached[w], true) {
                next.push(w);
            }
        }
        if next.is_empty() {
            return layers;
        }
        layers.push(next);
    }
}
