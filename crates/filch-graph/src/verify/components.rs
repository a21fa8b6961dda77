//! Whether labels tell what is connected.

use super::arcs::for_each_arc;
use super::disjoint::Disjoint;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// What [`verify_components`] found besides that the labels are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentsSummary {
    /// How many components there are.
    pub components: usize,
    /// How many vertices the largest has; 0 if there is none.
    pub largest: usize,
}

/// Why labels do not tell what is connected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComponentsError {
    /// There is not one label for each vertex.
    #[error("{found} labels were found, expected one for each of {expected} vertices")]
    Length {
        /// How many labels there are.
        found: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// A label is none of the graph's vertices.
    #[error("the label of vertex {vertex} is {found}: expected a vertex below {vertices}")]
    NoVertex {
        /// The vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Two vertices that are joined have different labels.
    #[error("an edge joins {vertex} and {other}, but their labels are {found} and {other_found}: expected the same")]
    Split {
        /// A vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// A neighbour.
        other: usize,
        /// The neighbour's label.
        other_found: usize,
    },
    /// A label is a vertex of another component: if that has the same label, the two are taken for one.
    #[error("the label of vertex {vertex} is {found}, but the two are not connected: expected {expected}")]
    Foreign {
        /// The vertex.
        vertex: usize,
        /// Its label.
        found: usize,
        /// The smallest vertex of its component.
        expected: usize,
    },
    /// A label is in its component, but not its smallest vertex.
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

/// Whether each label is the smallest vertex that is connected with the labelled one, whatever the direction of the
/// arcs; so that labels are the same if and only if vertices are connected.
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
/// Time: O((n + m) α(n)), serial. Memory: a byte and two vertices for each vertex.
///
/// # Errors
///
/// The first thing that is wrong, with the vertex that shows it.
///
/// # Panics
///
/// If an arc of the graph leads to no vertex.
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
