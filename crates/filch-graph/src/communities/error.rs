//! Why there are no communities.

/// Why there are no communities.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommunitiesError {
    /// The graph is directed.
    #[error("communities are those of undirected graphs, but this graph is directed: symmetrize it first")]
    Directed,
    /// A weight is negative.
    #[error("the arc from vertex {from} to {to} has the weight {weight}, but communities need weights of at least 0")]
    NegativeWeight {
        /// The source of the first arc with a negative weight.
        from: usize,
        /// Its target.
        to: usize,
        /// Its weight.
        weight: f64,
    },
    /// The sum of all weights is beyond the largest `f64`.
    #[error("the sum of all weights is beyond the largest f64: divide them by a common number")]
    TotalWeight,
    /// The sum of all weights is not 0, and its inverse is beyond the largest `f64`.
    #[error("the sum of all weights is {total}, too small to divide by: multiply them by a common number")]
    LightWeight {
        /// The sum.
        total: f64,
    },
}
