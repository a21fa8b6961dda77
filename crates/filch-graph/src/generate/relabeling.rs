//! How the natural numbers of vertices become those of the graph.

use super::permutation::Permutation;

/// A bijection of `0..len`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Relabeling {
    /// Each vertex keeps its number.
    Keep,
    /// Backwards, with this many vertices.
    Reverse(usize),
    /// In random order.
    Shuffle(Permutation),
}

impl Relabeling {
    /// The new number of `v`.
    #[inline(always)]
    pub(super) fn apply(&self, v: usize) -> usize {
        match self {
            Relabeling::Keep => v,
            Relabeling::Reverse(len) => len - 1 - v,
            Relabeling::Shuffle(permutation) => permutation.apply(v),
        }
    }

    /// The natural number of the vertex with the new number `label`.
    #[inline(always)]
    pub(super) fn invert(&self, label: usize) -> usize {
        match self {
            Relabeling::Keep => label,
            Relabeling::Reverse(len) => len - 1 - label,
            Relabeling::Shuffle(permutation) => permutation.invert(label),
        }
    }
}
