//! What can go wrong with graphs on several ranks.

use filch_cluster::ClusterError;
use filch_graph::GenerateError;
use thiserror::Error;

/// Why there is no graph, or no result. All ranks return the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The ranks cannot work together any more.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The graph cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A file cannot be read. The text names the file, and the line and column where there is one.
    #[error("{0}")]
    Input(String),
    /// A vertex is not one of the graph.
    #[error("vertex {vertex}: expected one below {num_vertices}")]
    NoVertex {
        /// The vertex.
        vertex: usize,
        /// The number of vertices.
        num_vertices: usize,
    },
}
