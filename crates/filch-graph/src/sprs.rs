//! Sparse matrices of the crate sprs as borrowed rows.

use crate::csr::{Index, RowsError, RowsView};
use crate::vertex::Vertex;
use crate::weight::Weight;
use sprs::{CsMatViewI, SpIndex};

/// The arcs of a square matrix, borrowed: a nonzero at row u and column v of a CSR matrix is an arc from u to v, and of
/// a CSC matrix one from v to u.
///
/// ```
/// use filch_graph::{CsrView, RowsView, sssp::sssp};
/// use sprs::{CsMat, TriMat};
///
/// let mut roads = TriMat::new((3, 3));
/// for (u, v, length) in [(0, 1, 2.5), (1, 2, 7.0)] {
///     roads.add_triplet(u, v, length);
///     roads.add_triplet(v, u, length);
/// }
/// let roads: CsMat<f64> = roads.to_csr();
/// let graph = CsrView::symmetric(RowsView::try_from(roads.view())?);
/// assert_eq!(sssp(&graph, 0)?.distances, [0.0, 2.5, 9.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// As for [`RowsView::new`] and [`RowsView::with_weights`]: if the matrix is a slice of a larger one, if an arc leads
/// to what is not a vertex since the matrix is not square, or if a weight is not finite.
impl<'a, W, I, P> TryFrom<CsMatViewI<'a, W, I, P>> for RowsView<'a, I::Unsigned, W, P::Unsigned>
where
    W: Weight,
    I: SpIndex + Index<Unsigned: Vertex>,
    P: SpIndex + Index,
{
    type Error = RowsError;

    fn try_from(matrix: CsMatViewI<'a, W, I, P>) -> Result<Self, RowsError> {
        let (offsets, targets, weights) = matrix.into_raw_storage();
        RowsView::new(offsets, targets)?.with_weights(weights)
    }
}
