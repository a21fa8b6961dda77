//! Boxes whose sides are parallel to the axes.

/// The points between two corners, these included. It is empty if a coordinate of `low` is larger than that of `high`.
///
/// ```
/// use filch_geometry::Bounds;
///
/// let both = Bounds::of([0.0, 3.0]).union(Bounds::of([2.0, 1.0]));
/// assert_eq!((both.low, both.high), ([0.0, 1.0], [2.0, 3.0]));
/// assert!(both.contains([1.0, 1.0]) && !both.contains([1.0, 0.5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<const D: usize> {
    /// The smallest coordinates.
    pub low: [f64; D],
    /// The largest coordinates.
    pub high: [f64; D],
}

impl<const D: usize> Bounds<D> {
    /// No points.
    pub const EMPTY: Self = Bounds { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D] };

    /// A single point.
    #[must_use]
    pub fn of(point: [f64; D]) -> Self {
        Bounds { low: point, high: point }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Bounds {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    /// Whether a point is in it.
    #[must_use]
    pub fn contains(&self, point: [f64; D]) -> bool {
        (0..D).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }
}
