//! Predicates on points, exact for all finite coordinates (Shewchuk 1997).
//!
//! Exact, that is, unless products of coordinates overflow or underflow.

use robust::Coord;

fn coord([x, y]: [f64; 2]) -> Coord<f64> {
    Coord { x, y }
}

/// Twice the area of the triangle: positive if `c` lies to the left of the line from `a` to `b`, negative if it lies to
/// the right, zero if it lies on it. The sign is exact.
#[inline]
pub(crate) fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    robust::orient2d(coord(a), coord(b), coord(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_of_an_orientation_is_exact_next_to_a_line() {
        let (a, b) = ([0.1, 0.1], [0.7, 0.7]);
        for step in -8_i32..8 {
            let y = f64::from_bits(0.3_f64.to_bits().wrapping_add_signed(i64::from(step)));
            let sign = orientation(a, b, [0.3, y]);
            assert_eq!(sign > 0.0, y > 0.3, "{step}");
            assert_eq!(sign < 0.0, y < 0.3, "{step}");
        }
    }
}
