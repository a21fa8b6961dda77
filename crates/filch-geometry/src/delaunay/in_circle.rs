//! The predicate of Delaunay triangulations (Shewchuk 1997).

use robust::Coord;

/// Coordinates that are zero or between these in magnitude make no product of four of their differences, nor its
/// rounding errors, overflow or underflow: a difference is a multiple of 2^-252, 1e-60 being more than 2^-200, and less
/// than 2^234.
pub(super) const MAGNITUDES: std::ops::Range<f64> = 1e-60..1e70;

/// How far the determinant may be off, as a part of its permanent (Shewchuk 1997, section 4.3).
const ERROR: f64 = (10.0 + 96.0 * ROUNDING) * ROUNDING;

/// The largest relative error of a rounded result.
const ROUNDING: f64 = f64::EPSILON / 2.0;

/// Whether `d` lies inside the circle through `a`, `b` and `c`, which is a counterclockwise triangle. Exact.
#[inline(always)]
pub(super) fn in_circle(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let from_d = |[x, y]: [f64; 2]| (x - d[0], y - d[1]);
    let ((ax, ay), (bx, by), (cx, cy)) = (from_d(a), from_d(b), from_d(c));
    let lift = |x: f64, y: f64| x * x + y * y;
    let (lift_a, lift_b, lift_c) = (lift(ax, ay), lift(bx, by), lift(cx, cy));
    let (bc, cb) = (bx * cy, cx * by);
    let (ca, ac) = (cx * ay, ax * cy);
    let (ab, ba) = (ax * by, bx * ay);
    let determinant = lift_a * (bc - cb) + lift_b * (ca - ac) + lift_c * (ab - ba);
    let permanent = (bc.abs() + cb.abs()) * lift_a + (ca.abs() + ac.abs()) * lift_b + (ab.abs() + ba.abs()) * lift_c;
    if determinant.abs() > ERROR * permanent { determinant > 0.0 } else { exactly_in_circle(a, b, c, d) }
}

#[cold]
fn exactly_in_circle(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    robust::incircle(coord(a), coord(b), coord(c), coord(d)) > 0.0
}
