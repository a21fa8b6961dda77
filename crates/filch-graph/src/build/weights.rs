//! Adding weights to a graph, and removing them.

use crate::csr::{Csr, Rows, WeightedCsr};
use crate::graph::Graph;
use crate::splitmix;
use crate::vertex::Vertex;
use crate::weight::Weight;
use std::ops::RangeInclusive;

/// The number of arcs whose weights a worker computes at a time.
const BLOCK_ARCS: usize = 1 << 14;

impl<V: Vertex, W: Weight> Csr<V, W> {
    /// The same graph without weights.
    pub fn without_weights(self) -> Csr<V> {
        let plain = |Rows { offsets, targets, weights }: Rows<V, W>| Rows {
            offsets,
            weights: vec![(); weights.len()],
            targets,
        };
        let (out, into) = self.into_rows();
        Csr::from_rows(plain(out), into.map(plain))
    }

    /// The same graph with weights that `weight` computes from the source and the target of each arc. In a symmetric
    /// graph, `weight` gets the lower vertex first, so that an arc and its reverse have the same weight.
    ///
    /// Work: O(n + m), in parallel over the arcs, if `weight` takes constant time.
    ///
    /// ```
    /// use filch_graph::Csr;
    ///
    /// let path: Csr = Csr::builder(3).symmetrize(true).build(vec![(0, 1), (1, 2)])?;
    /// let path = path.with_weights(|u, v| (u + v) as f32);
    /// assert_eq!(path.weights(1), [1.0, 3.0]);
    /// # Ok::<(), filch_graph::BuildError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a weight is infinite or not a number, or if `weight` panics.
    pub fn with_weights<X: Weight>(self, weight: impl Fn(usize, usize) -> X + Send + Sync) -> Csr<V, X> {
        let is_symmetric = self.is_symmetric();
        let checked = |u: usize, v: usize| {
            let weight = weight(u, v);
            assert!(weight.is_finite(), "the weight of the arc from {u} to {v} must be finite, found {weight:?}");
            weight.canonical()
        };
        let of_arc = |u: usize, v: usize| if is_symmetric { checked(u.min(v), u.max(v)) } else { checked(u, v) };
        let (out, into) = self.into_rows();
        let into = into.map(|into| weighted(into, |v, u| of_arc(u, v)));
        Csr::from_rows(weighted(out, of_arc), into)
    }

    /// The same graph with whole weights drawn uniformly from `range`. The weight of an arc depends on its ends and the
    /// seed alone. The GAP Benchmark Suite draws from 1 to 255 for graphs that have no weights.
    ///
    /// Work: O(n + m), in parallel over the arcs.
    ///
    /// # Panics
    ///
    /// Panics if `range` is empty, or if its ends are beyond 2^24 in either direction.
    pub fn with_uniform_weights(self, range: RangeInclusive<i32>, seed: u64) -> WeightedCsr<V> {
        let limit = 1 << f32::MANTISSA_DIGITS;
        let (first, last) = range.into_inner();
        assert!(first <= last && first >= -limit && last <= limit, "no weights can be drawn from {first} to {last}");
        let count = u64::from(last.abs_diff(first)) + 1;
        let mix = |word: u64| splitmix::mix(word.wrapping_add(splitmix::STEP));
        self.with_weights(move |u, v| {
            let drawn = mix(mix(mix(seed) ^ u as u64) ^ v as u64);
            let above = (u128::from(drawn) * u128::from(count)) >> 64;
            (i64::from(first) + above as i64) as f32
        })
    }
}

/// Rows with weights by the vertex of the row and the other one.
fn weighted<V: Vertex, W: Weight, X: Weight>(
    rows: Rows<V, W>,
    of_arc: impl Fn(usize, usize) -> X + Send + Sync,
) -> Rows<V, X> {
    let Rows { offsets, targets, .. } = rows;
    let mut weights = vec![X::ONE; targets.len()];
    filch::for_each((0_usize.., filch::chunks_mut(&mut weights, BLOCK_ARCS)), |_, (block, weights)| {
        let first = block * BLOCK_ARCS;
        // The last row that begins at or before the first arc. Empty rows may begin at the same offset.
        let mut u = offsets.partition_point(|&offset| offset <= first) - 1;
        for (arc, weight) in (first..).zip(weights) {
            while offsets[u + 1] <= arc {
                u += 1;
            }
            *weight = of_arc(u, targets[arc].index());
        }
    });
    Rows { offsets, targets, weights }
}
