//! What a user can choose.

use super::algorithm::Algorithm;

/// How a worker claims a vertex, where others may be at it: tascell-graphs.txt, figure 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claims {
    /// By a load and a store. A barrier at the beginning of each batch keeps this from making cycles; a vertex may be
    /// visited twice.
    #[default]
    Store,
    /// By a load and a compare-exchange. Each vertex is visited once.
    Exchange,
}

/// What a forest shall be; by default, anything that is quick to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<V = u32> {
    /// How it is built.
    pub algorithm: Algorithm,
    /// A vertex that shall be the root of its tree. The roots of all other trees, or all if there is none, are any
    /// vertices.
    pub root: Option<V>,
    /// How vertices are claimed by [`Algorithm::PseudoDfs`] and [`Algorithm::PhasedBfs`], and where others end with
    /// the first.
    pub claims: Claims,
}

impl<V> Default for Options<V> {
    fn default() -> Self {
        Options { algorithm: Algorithm::Auto, root: None, claims: Claims::Store }
    }
}
