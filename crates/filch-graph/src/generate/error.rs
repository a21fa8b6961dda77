//! Why a graph cannot be generated.

use super::shape::Shape;
use super::spec::GraphSpec;
use crate::build::BuildError;

/// Why a graph cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter of the shape is out of range.
    #[error("{shape}: {expected}")]
    OutOfRange {
        /// The shape.
        shape: Shape,
        /// What was expected.
        expected: &'static str,
    },
    /// The numbers of vertices or arcs do not fit in 64 bits.
    #[error("{shape} is too large: its vertices or edges cannot be counted in 64 bits")]
    TooLarge {
        /// The shape.
        shape: Shape,
    },
    /// The graph can be generated as a whole only.
    #[error("{spec}: expected a graph that can be generated in parts: not `geometric`, and not `twice`")]
    NotInParts {
        /// The graph.
        spec: GraphSpec,
    },
    /// A graph of this size cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
