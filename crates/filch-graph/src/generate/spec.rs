//! Specifications of graphs.

use super::shape::Shape;

/// A specification of a graph: its shape, once or twice, and the numbering of its vertices. It can be parsed from text
/// and formatted as text:
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
    /// Whether there are two of it, joined by an edge between the last vertex of the first and the first vertex of the
    /// second one. Written `,twice`.
    pub is_twice: bool,
    /// The numbering of the vertices.
    pub labels: Labels,
}

/// The numbering of the vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    /// The natural order of the shape, by rows or levels: vertices that are close in the graph have close numbers and
    /// are close in memory. For random graphs, the order in which they are drawn.
    #[default]
    RowOrder,
    /// A random order, which depends on the seed. A single random graph keeps the order in which it is drawn, which is
    /// random already.
    Shuffled,
    /// The natural order backwards. A single random graph keeps the order in which it is drawn.
    Reversed,
}
