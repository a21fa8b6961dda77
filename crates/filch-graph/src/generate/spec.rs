//! What graph to generate.

use super::shape::Shape;

/// What graph to generate: its shape, and how its vertices are numbered. From text, and to text:
///
/// ```
/// use filch_graph::{Csr, Graph, GraphSpec};
///
/// let spec: GraphSpec = "torus(100),shuffled".parse()?;
/// let graph: Csr = spec.generate(42)?;
/// assert_eq!((graph.num_vertices(), graph.num_edges()), (10_000, 20_000));
/// assert_eq!(spec.to_string(), "torus(100),shuffled");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphSpec {
    /// The shape.
    pub shape: Shape,
    /// The numbering.
    pub labels: Labels,
}

/// How vertices are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    /// In the order that the shape suggests, by rows or levels: close vertices have close numbers, and are close in
    /// memory. Of random graphs, whose vertices are all alike, as they come.
    #[default]
    RowOrder,
    /// In a random order, which depends on the seed.
    Shuffled,
}
