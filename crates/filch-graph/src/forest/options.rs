//! Options for building a forest.

use super::algorithm::Algorithm;

/// How a worker claims a vertex that other workers may claim at the same time (Yasugi, Hiraishi, Umatani and Yuasa
/// 2012, figure 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claims {
    /// By a load and a store. A memory barrier at the beginning of each batch prevents cycles. A vertex may be visited
    /// twice.
    #[default]
    Store,
    /// By a load and a compare-exchange. Each vertex is visited once.
    Exchange,
}

/// Options for building a forest. The default allows any forest and is fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<V = u32> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// A vertex that will be the root of its tree. The roots of the other trees are arbitrary.
    pub root: Option<V>,
    /// How vertices are claimed by [`Algorithm::PseudoDfs`] and [`Algorithm::PhasedBfs`], and by other algorithms when
    /// they fall back to a worklist.
    pub claims: Claims,
}

impl<V> Default for Options<V> {
    fn default() -> Self {
        Options { algorithm: Algorithm::Auto, root: None, claims: Claims::Store }
    }
}
