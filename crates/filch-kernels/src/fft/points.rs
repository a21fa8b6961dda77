//! Points, quarters of them, twiddle factors and butterflies.

use std::f64::consts::TAU;

use num_complex::Complex;

/// A point.
pub type Point = Complex<f64>;

/// The twiddle factors of a butterfly: w, w² and w³.
pub(super) type Twiddles = [Point; 3];

/// The twiddle factors of the n/4 butterflies: for number k, the powers of w = e^(−2πik/n). Each of them has a sine and
/// a cosine of its own, because errors of repeated multiplication would grow with k.
pub(super) fn twiddles(n: usize) -> Vec<Twiddles> {
    let power = |k: usize| Point::cis(-TAU * (k as f64 / n as f64));
    (0..n / 4).map(|k| [power(k), power(2 * k), power(3 * k)]).collect()
}

/// The four quarters of a slice, or the same range of each of them.
pub(super) type Quarters<'a> = [&'a mut [Point]; 4];

pub(super) fn quarters(points: &mut [Point]) -> Quarters<'_> {
    let (low, high) = points.split_at_mut(points.len() / 2);
    let (a, b) = low.split_at_mut(low.len() / 2);
    let (c, d) = high.split_at_mut(high.len() / 2);
    [a, b, c, d]
}

/// The points of each quarter before and from `middle`.
pub(super) fn halves([a, b, c, d]: Quarters<'_>, middle: usize) -> (Quarters<'_>, Quarters<'_>) {
    let (a, e) = a.split_at_mut(middle);
    let (b, f) = b.split_at_mut(middle);
    let (c, g) = c.split_at_mut(middle);
    let (d, h) = d.split_at_mut(middle);
    ([a, b, c, d], [e, f, g, h])
}

/// The transform of four points.
#[inline(always)]
pub(super) fn butterfly([a, b, c, d]: [Point; 4]) -> [Point; 4] {
    let (even_sum, even_difference) = (a + c, a - c);
    let (odd_sum, odd_difference) = (b + d, b - d);
    let turned = Point::new(odd_difference.im, -odd_difference.re);
    [even_sum + odd_sum, even_difference + turned, even_sum - odd_sum, even_difference - turned]
}
