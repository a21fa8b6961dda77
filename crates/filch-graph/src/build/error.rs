//! Why a graph cannot be built.

use filch_algorithms::memory;

/// Why a graph cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An edge has a vertex that the graph does not have. If there are several such edges, the first one is reported.
    #[error("edge {edge} (counted from 0) has vertex {vertex}, but there are {num_vertices} vertices")]
    VertexOutOfRange {
        /// The position of the edge, counted from 0.
        edge: usize,
        /// The vertex that is out of range.
        vertex: usize,
        /// The number of vertices of the graph.
        num_vertices: usize,
    },
    /// The graph has more vertices than the vertex type can number.
    #[error("{num_vertices} vertices are too many for this vertex type, which can number at most {max}")]
    TooManyVertices {
        /// The number of vertices that was requested.
        num_vertices: usize,
        /// The largest number of vertices for this type.
        max: usize,
    },
    /// There is not enough memory.
    #[error("no memory for {num_items} items of {item_bytes} bytes")]
    OutOfMemory {
        /// The number of items to store.
        num_items: usize,
        /// The size of each item in bytes.
        item_bytes: usize,
    },
}

/// An empty vector with room for exactly `len` items.
pub(crate) fn with_room<T>(len: usize) -> Result<Vec<T>, BuildError> {
    let too_many = |_| BuildError::OutOfMemory { num_items: len, item_bytes: size_of::<T>() };
    memory::with_room(len).map_err(too_many)
}
