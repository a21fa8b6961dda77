//! Checks labels of connected components.

use super::Wrong;
use super::arcs::for_each_arc;
use super::disjoint::Disjoint;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Properties of labels that [`verify_components`] has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentsSummary {
    /// The number of components.
    pub components: usize,
    /// The number of vertices in the largest component, 0 for an empty graph.
    pub largest: usize,
}

/// Checks whether the label of each vertex is the smallest vertex of its component. Directions of arcs do not matter.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::verify::verify_components;
///
/// let graph: Csr = Csr::builder(4).build(vec![(2, 1), (3, 2)])?;
/// let summary = verify_components(&graph, &[0, 1, 1, 1])?;
/// assert_eq!((summary.components, summary.largest), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time: O((n + m) α(n)), serial. Memory: a byte and three vertices for each vertex.
///
/// # Errors
///
/// Returns the first error that is found, with the vertex that shows it.
///
/// # Panics
///
/// Panics if an arc of the graph leads to a number that is not a vertex.
pub fn verify_components<G: Graph>(graph: &G, labels: &[G::Vertex]) -> Result<ComponentsSummary, Wrong> {
    let count = graph.num_vertices();
    if labels.len() != count {
        return Err(Wrong::length(labels.len(), "labels", count));
    }
    if let Some(vertex) = labels.iter().position(|label| label.index() >= count) {
        return Err(Wrong::no_vertex("label", vertex, labels[vertex].index(), count));
    }
    let mut split = None;
    for_each_arc(graph, |u, w| {
        if labels[u] != labels[w] {
            split.get_or_insert((u, w));
        }
    });
    if let Some((vertex, other)) = split {
        let [found, other_found] = [vertex, other].map(|v| labels[v].index());
        return Err(Wrong(format!(
            "an edge joins {vertex} and {other}, \
             but their labels are {found} and {other_found}: expected the same"
        )));
    }

    let smallest = Disjoint::of_graph(graph).smallest_members();
    let mut sizes = vec![0_usize; count];
    for vertex in 0..count {
        let (found, expected) = (labels[vertex].index(), smallest[vertex].index());
        if found != expected {
            return Err(if smallest[found].index() == expected {
                Wrong(format!(
                    "the label of vertex {vertex} is {found}: \
                     expected {expected}, the smallest vertex of its component"
                ))
            } else {
                Wrong(format!(
                    "the label of vertex {vertex} is {found}, \
                     but the two are not connected: expected {expected}"
                ))
            });
        }
        sizes[found] += 1;
    }
    Ok(ComponentsSummary {
        components: sizes.iter().filter(|&&size| size > 0).count(),
        largest: sizes.into_iter().max().unwrap_or(0),
    })
}
