//! The checks of a transform.

use std::f64::consts::TAU;
use std::ops::Range;

use fastrand::Rng;
use rustfft::FftPlanner;

use super::points::Point;
use crate::answer::Mismatch;

/// Up to this many points, the checker computes all of them by the definition.
const FEW: usize = 64;

/// Of more points, it computes this many, drawn anew for each check.
const DRAWN: usize = 4;

/// The largest relative error of a transform of n points, in the Euclidean norm.
///
/// A transform by butterflies has an error of at most η·log2 n (Higham 2002, "Accuracy and Stability of Numerical
/// Algorithms", theorem 24.2). Here η is below 8 ε: 3 ε from a butterfly, and 4 ε from the rounded angles of twiddle
/// factors, which go up to 3/4 of a turn. The inverse may add as much.
pub(super) fn bound(n: usize) -> f64 {
    const FACTOR: f64 = 16.0;
    FACTOR * f64::EPSILON * f64::from(n.ilog2().max(1))
}

fn norm(points: impl Iterator<Item = Point>) -> f64 {
    points.map(|point| point.norm_sqr()).sum::<f64>().sqrt()
}

/// A check: the inverse by another library gives back the input.
pub(super) fn check_inverse(input: &[Point], output: &[Point]) -> Result<(), Mismatch> {
    let n = input.len();
    let mut back = output.to_vec();
    FftPlanner::new().plan_fft_inverse(n).process(&mut back);
    let error = norm(back.iter().zip(input).map(|(back, x)| back / n as f64 - x));
    let allowed = bound(n) * norm(input.iter().copied());
    if error.is_nan() || error > allowed {
        let expected = format!("the input within {allowed:e}");
        return Err(Mismatch::Wrong { found: format!("an inverse that is off by {error:e}"), expected });
    }
    Ok(())
}

/// A check: some points agree with the definition of the transform.
pub(super) fn check_places(input: &[Point], output: &[Point], random: &mut Rng) -> Result<(), Mismatch> {
    let n = input.len();
    let draws = if n <= FEW { n } else { DRAWN };
    // No point can be further off than all points together, whose norm is √n times that of the input.
    let allowed = bound(n) * (n as f64).sqrt() * norm(input.iter().copied());
    for draw in 0..draws {
        let k = if n <= FEW { draw } else { random.usize(..n) };
        let expected = by_definition(input, k, 0..n);
        let found = output[k];
        let error = (found - expected).norm();
        if error.is_nan() || error > allowed {
            return Err(Mismatch::Wrong { found: format!("X_{k} = {found}"), expected: format!("{expected}") });
        }
    }
    Ok(())
}

/// The terms `range` of X_k, added pairwise, so that rounding errors do not accumulate.
fn by_definition(input: &[Point], k: usize, range: Range<usize>) -> Point {
    let n = input.len();
    if range.len() == 1 {
        let j = range.start;
        let turns = (j * k % n) as f64 / n as f64;
        return input[j] * Point::cis(-TAU * turns);
    }
    let middle = range.start.midpoint(range.end);
    by_definition(input, k, range.start..middle) + by_definition(input, k, middle..range.end)
}
