//! Points that have been checked.

use crate::bounds::Bounds;
use std::ops::Deref;

/// Points with `D` coordinates, all of them finite numbers; at most 2^32 - 1 points, so that a `u32` can name one.
///
/// ```
/// use filch_geometry::Points;
///
/// let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
/// assert_eq!(Points::new(&corners).unwrap().len(), 3);
/// let error = Points::new(&[[0.0, 0.0], [0.0, f64::NAN]]).unwrap_err();
/// assert_eq!(error.to_string(), "point 1: expected finite coordinates, found [0.0, NaN]");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, const D: usize>(&'a [[f64; D]]);

/// Why these are not [`Points`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PointsError {
    /// A coordinate is infinite or not a number.
    #[error("point {index}: expected finite coordinates, found {found:?}")]
    NotFinite {
        /// The index of the first such point.
        index: usize,
        /// Its coordinates.
        found: Vec<f64>,
    },
    /// There are too many of them.
    #[error("expected at most {} points, found {found}", u32::MAX)]
    TooMany {
        /// How many there are.
        found: usize,
    },
}

impl<'a, const D: usize> Points<'a, D> {
    /// Checks them.
    ///
    /// Work: O(n). Span: as [`find_first`](filch_algorithms::find_first).
    ///
    /// # Errors
    ///
    /// The first point that has a coordinate that is not finite, or the number of points if it is too large.
    pub fn new(points: &'a [[f64; D]]) -> Result<Self, PointsError> {
        if u32::try_from(points.len()).is_err() {
            return Err(PointsError::TooMany { found: points.len() });
        }
        match filch_algorithms::find_first(points, |point| !point.iter().all(|x| x.is_finite())) {
            Some(index) => Err(PointsError::NotFinite { index, found: points[index].to_vec() }),
            None => Ok(Points(points)),
        }
    }

    /// The smallest box around them; empty if there are none.
    ///
    /// Work: O(n). Span: as [`reduce`](filch_algorithms::reduce).
    #[must_use]
    pub fn bounds(self) -> Bounds<D> {
        filch_algorithms::reduce(self.0, || Bounds::EMPTY, |&point| Bounds::of(point), Bounds::union)
    }

    /// The point with this index.
    #[inline]
    pub(crate) fn at(self, index: u32) -> [f64; D] {
        self.0[index as usize]
    }
}

impl<const D: usize> Deref for Points<'_, D> {
    type Target = [[f64; D]];

    fn deref(&self) -> &[[f64; D]] {
        self.0
    }
}
