//! The modularity of a partition.

use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::weight::Weight;
use filch_algorithms::tabulate;

/// The modularity of a partition of the vertices of a symmetric graph (Newman and Girvan 2004, "Finding and evaluating
/// community structure in networks"), with a resolution (Reichardt and Bornholdt 2006, "Statistical mechanics of
/// community detection"): the share of the weight of edges that is inside of communities, less `resolution` times the
/// sum, over all communities, of the squares of their shares of the degrees. Vertices with the same label are a
/// community. A self-loop counts twice in the degree of its vertex, and an arc without a weight weighs 1. Without edges
/// it is 0.
///
/// Work: O(n + m), in parallel over the vertices. Memory: three words for each vertex. The result is the same on any
/// number of workers, and not a number if the sum of the weights is beyond the largest `f64`.
///
/// ```
/// use filch_graph::{Csr, communities::modularity};
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build([(0, 1), (2, 3)])?;
/// assert_eq!(modularity(&graph, &[0, 0, 2, 2], 1.0), 0.5);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics if there is not one label for each vertex, if a label is not below the number of vertices, or if the global
/// pool is needed and cannot be started; see [`filch::run`].
pub fn modularity<G: WeightedGraph>(graph: &G, labels: &[G::Vertex], resolution: f64) -> f64 {
    let n = graph.num_vertices();
    assert_eq!(labels.len(), n, "one label for each vertex is expected");
    let weights: Vec<(f64, f64)> = tabulate(n, |v| {
        let (mut degree, mut inside) = (0.0, 0.0);
        for (u, weight) in graph.arcs(G::Vertex::new(v)) {
            let weight = if u.index() == v { 2.0 * weight.rounded() } else { weight.rounded() };
            degree += weight;
            inside += if labels[u.index()] == labels[v] { weight } else { 0.0 };
        }
        (degree, inside)
    });
    let (mut totals, mut total, mut inside) = (vec![0.0; n], 0.0, 0.0);
    for (label, weights) in labels.iter().zip(weights) {
        totals[label.index()] += weights.0;
        total += weights.0;
        inside += weights.1;
    }
    if total == 0.0 {
        return 0.0;
    }
    inside / total - resolution * totals.iter().map(|sum| (sum / total) * (sum / total)).sum::<f64>()
}
