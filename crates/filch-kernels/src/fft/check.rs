//! The checks of a transform.

use std::f64::consts::TAU;
use std::ops::Range;

use fastrand::Rng;

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

/// A check: the inverse gives back the input.
pub(super) fn check_inverse(input: &[Point], output: &[Point]) -> Result<(), Mismatch> {
    let n = input.len();
    let mut back = output.to_vec();
    inverse(&mut back);
    let error = norm(back.iter().zip(input).map(|(back, x)| back / n as f64 - x));
    let allowed = bound(n) * norm(input.iter().copied());
    if error.is_nan() || error > allowed {
        let expected = format!("the input within {allowed:e}");
        return Err(Mismatch::Wrong { found: format!("an inverse that is off by {error:e}"), expected });
    }
    Ok(())
}

/// The inverse without its factor 1/n: the iterative transform of (Cormen, Leiserson, Rivest and Stein 2022,
/// "Introduction to Algorithms", section 30.3), which shares no code with the program.
fn inverse(points: &mut [Point]) {
    let n = points.len();
    for i in 0..n {
        let reversed = i.reverse_bits().checked_shr(usize::BITS - n.ilog2()).unwrap_or(0);
        if i < reversed {
            points.swap(i, reversed);
        }
    }
    let powers: Vec<Point> = (0..n / 2).map(|k| Point::cis(TAU * (k as f64 / n as f64))).collect();
    for pairs in (0..n.ilog2()).map(|level| 1 << level) {
        for both in points.chunks_exact_mut(2 * pairs) {
            let (low, high) = both.split_at_mut(pairs);
            for ((a, b), power) in low.iter_mut().zip(high).zip(powers.iter().step_by(n / (2 * pairs))) {
                let turned = power * *b;
                (*a, *b) = (*a + turned, *a - turned);
            }
        }
    }
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
