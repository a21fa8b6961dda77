//! Why a graph cannot be built.

/// Why a graph cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An edge names a vertex that is not there. Of several, the first one is named.
    #[error("edge {edge} (from 0) names vertex {vertex}, but there are {num_vertices} vertices")]
    VertexOutOfRange {
        /// Which edge, counted from 0.
        edge: usize,
        /// The vertex, in it.
        vertex: usize,
        /// How many there are.
        num_vertices: usize,
    },
    /// The type of vertices has too few numbers.
    #[error("a graph of {num_vertices} vertices needs a wider type for them: this one counts to {max}")]
    TooManyVertices {
        /// How many vertices were asked for.
        num_vertices: usize,
        /// How many the type can count.
        max: usize,
    },
    /// There is not enough memory.
    #[error("no memory for {num_items} items of {item_bytes} bytes")]
    OutOfMemory {
        /// How many items were to be stored.
        num_items: usize,
        /// How long each of them is, in bytes.
        item_bytes: usize,
    },
}
