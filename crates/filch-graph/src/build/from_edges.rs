//! Rows from edges: both steps.

use super::buckets;
use super::error::BuildError;
use super::rows;
use super::source::Source;
use crate::csr::Rows;
use crate::vertex::Vertex;
use crate::watch::Watch;
use crate::weight::Weight;

/// Which edges are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) remove_duplicates: bool,
    pub(crate) remove_self_loops: bool,
}

impl Rules {
    /// Neither duplicates nor self-loops.
    pub(crate) const SIMPLE: Rules = Rules { remove_duplicates: true, remove_self_loops: true };
    /// All edges are kept.
    pub(crate) const ALL: Rules = Rules { remove_duplicates: false, remove_self_loops: false };
}

/// The rows of `n` vertices with the edges of `source`, in both directions if `both_ways`. Each row is in ascending
/// order, equal targets from the lightest; of duplicates the lightest is kept.
pub(crate) fn rows_of<V: Vertex, W: Weight>(
    n: usize,
    source: &impl Source<V, W>,
    both_ways: bool,
    rules: Rules,
    watch: &dyn Watch,
) -> Result<Rows<V, W>, BuildError> {
    if n > V::MAX_COUNT {
        return Err(BuildError::TooManyVertices { num_vertices: n, max: V::MAX_COUNT });
    }
    // Allocate the offsets first: this fails if `n` is too large for the computations below.
    let offsets = rows::offsets_of(n)?;
    let buckets = buckets::fill(n, source, both_ways, rules.remove_self_loops, watch)?;
    rows::order(offsets, n, buckets, rules.remove_duplicates, watch)
}
