//! Checks communities.

use super::Wrong;
use crate::graph::WeightedGraph;
use crate::vertex::Vertex;
use crate::weight::Weight;

/// Properties of communities that [`verify_communities`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommunitiesSummary {
    /// The number of communities.
    pub communities: usize,
    /// The number of those that are not connected. The Leiden algorithm has none.
    pub disconnected: usize,
    /// The modularity, summed up over all pairs of vertices in a community.
    pub modularity: f64,
}

/// Checks whether the label of each vertex is the smallest vertex of its community, that is, of those with the same
/// label, and whether the communities have this modularity with this resolution, up to `tolerance`. Counts those that
/// are not connected, by searches inside of them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_communities;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build([(0, 1), (2, 3)])?;
/// assert_eq!(verify_communities(&graph, &[0, 0, 2, 2], 1.0, 0.5, 1e-9)?.communities, 2);
/// assert_eq!(verify_communities(&graph, &[0, 0, 0, 0], 1.0, 0.0, 1e-9)?.disconnected, 1);
/// assert!(verify_communities(&graph, &[0, 0, 2, 2], 1.0, 0.4, 1e-9).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O(n + m), serial. Memory: some 40 bytes for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_communities<G: WeightedGraph>(
    graph: &G,
    labels: &[G::Vertex],
    resolution: f64,
    modularity: f64,
    tolerance: f64,
) -> Result<CommunitiesSummary, Wrong> {
    let count = graph.num_vertices();
    if labels.len() != count {
        return Err(Wrong::length(labels.len(), "labels", count));
    }
    for (vertex, label) in labels.iter().map(|label| label.index()).enumerate() {
        if label >= count {
            return Err(Wrong::no_vertex("label", vertex, label, count));
        }
        if label > vertex || labels[label].index() != label {
            return Err(Wrong(format!(
                "the label of vertex {vertex} is {label}: expected the smallest vertex of its community"
            )));
        }
    }
    // The degree of a vertex has both ends of a loop, which is one arc.
    let arcs = |v: usize| graph.arcs(G::Vertex::new(v)).map(|(w, weight)| (w.index(), weight.rounded()));
    let mut degrees = vec![0.0; count];
    for (v, degree) in degrees.iter_mut().enumerate() {
        arcs(v).for_each(|(w, weight)| *degree += if w == v { weight + weight } else { weight });
    }
    let ends: f64 = degrees.iter().sum();
    let mut of_community = vec![0.0; count];
    (0..count).for_each(|v| of_community[labels[v].index()] += degrees[v]);
    // Over all ordered pairs in a community: the weight between them, less what is expected.
    let mut found = 0.0;
    for v in 0..count {
        let own = labels[v];
        let near = arcs(v).filter(|(w, _)| labels[*w] == own);
        let near: f64 = near.map(|(w, weight)| if w == v { weight + weight } else { weight }).sum();
        if ends > 0.0 {
            found += (near - resolution * degrees[v] * (of_community[own.index()] / ends)) / ends;
        }
    }
    let is_near = (found - modularity).abs() <= tolerance;
    if !is_near {
        return Err(Wrong(format!("the modularity is said to be {modularity}: expected {found}")));
    }
    let (mut is_reached, mut stack) = (vec![false; count], Vec::new());
    let mut pieces = vec![0_usize; count];
    for first in 0..count {
        if std::mem::replace(&mut is_reached[first], true) {
            continue;
        }
        pieces[labels[first].index()] += 1;
        stack.push(first);
        while let Some(v) = stack.pop() {
            for (w, _) in arcs(v) {
                if labels[w] == labels[v] && !std::mem::replace(&mut is_reached[w], true) {
                    stack.push(w);
                }
            }
        }
    }
    Ok(CommunitiesSummary {
        communities: pieces.iter().filter(|&&pieces| pieces > 0).count(),
        disconnected: pieces.iter().filter(|&&pieces| pieces > 1).count(),
        modularity: found,
    })
}
