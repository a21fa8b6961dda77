//! Checks labels of connected components.

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

/// Why labels do not describe the connected components.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComponentsError {
    /// There is not one label for each vertex.
    #[error("{found} labels were found, expected one for each of {expected} vertices")]
    Length {
        /// The number of labels.
        found: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// A label is not a vertex of the graph.
    #[error("the label of vertex {vertex} is {found}: expected a vertex below {vertices}")]
    NoVertex {
        /// The vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// Two adjacent vertices have different labels.
    #[error("an edge joins {vertex} and {other}, but their labels are {found} and {other_found}: expected the same")]
    Split {
        /// A vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// A neighbor.
        other: usize,
        /// The label of the neighbor.
        other_found: usize,
    },
    /// A label is a vertex of another component, so that the two components may seem to be one.
    #[error("the label of vertex {vertex} is {found}, but the two are not connected: expected {expected}")]
    Foreign {
        /// The vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// The smallest vertex of its component.
        expected: usize,
    },
    /// A label is in the right component, but is not its smallest vertex.
    #[error("the label of vertex {vertex} is {found}: expected {expected}, the smallest vertex of its component")]
    NotSmallest {
        /// The vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// The smallest vertex of its component.
        expected: usize,
    },
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
pub fn verify_components<G: Graph>(graph: &G, labels: &[G::Vertex]) -> Result<ComponentsSummary, ComponentsError> {
    let count = graph.num_vertices();
    if labels.len() != count {
        return Err(ComponentsError::Length { found: labels.len(), expected: count });
    }
    if let Some(vertex) = labels.iter().position(|label| label.index() >= count) {
        return Err(ComponentsError::NoVertex { vertex, found: labels[vertex].index(), vertices: count });
    }
    let mut split = None;
    for_each_arc(graph, |u, w| {
        if labels[u] != labels[w] {
            split.get_or_insert((u, w));
        }
    });
    if let Some((vertex, other)) = split {
        let [found, other_found] = [vertex, other].map(|v| labels[v].index());
        return Err(ComponentsError::Split { vertex, found, other, other_found });
    }

    let smallest = Disjoint::of_graph(graph).smallest_members();
    let mut sizes = vec![0_usize; count];
    for vertex in 0..count {
        let (found, expected) = (labels[vertex].index(), smallest[vertex].index());
        if found != expected {
            return Err(if smallest[found].index() == expected {
                ComponentsError::NotSmallest { vertex, found, expected }
            } else {
                ComponentsError::Foreign { vertex, found, expected }
            });
        }
        sizes[found] += 1;
    }
    Ok(ComponentsSummary {
        components: sizes.iter().filter(|&&size| size > 0).count(),
        largest: sizes.into_iter().max().unwrap_or(0),
    })
}
