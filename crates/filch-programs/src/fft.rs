//! The Fourier transform of complex numbers, in the manner of Cilk's fft (Frigo, Leiserson and Randall 1998, section
//! 6).
//!
//! The points are dealt out to four transforms of a quarter of them (decimation in time). The results are combined with
//! twiddle factors and butterflies. Dealing out and combining divide their range in halves; the four transforms are a
//! pair of pairs. Two buffers take turns: what lies in one is dealt out into the other.
//!
//! Below the cut-off, a transform is Stockham's, which needs no dealing out (Van Loan 1992, "Computational Frameworks
//! for the Fast Fourier Transform", section 1.7).

use std::f64::consts::TAU;
use std::hint::black_box;
use std::ops::Range;

use fastrand::Rng;
use num_complex::Complex;
use rustfft::FftPlanner;

use crate::runtime::{Runtime, Token};
use crate::{Domain, Grain, Kernel, Mismatch, POWER_OF_TWO, Program, Sizes};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    name: "fft",
    about: "the Fourier transform of n complex numbers",
    sizes: Sizes { small: 1 << 10, default: 1 << 20, paper: 1 << 20 },
    domain: Domain { counts: "the number of points", min: 1, max: 1 << 26, rule: Some(POWER_OF_TWO) },
    grain: Some(Grain {
        counts: "the number of points that are transformed, or combined, serially",
        default: DEFAULT_GRAIN as u64,
        max: 1 << 26,
    }),
    forks: None,
    loops: &[],
    // The input, two buffers, the twiddle factors, and the checker's inverse with a buffer and twiddle factors of its
    // own.
    bytes: |n, _| 7 * n * size_of::<Point>() as u64,
    build: |n| Box::new(Fft::of(random_points(0, n as usize))),
};

/// A thousand points take some microseconds. They fit into the first-level cache with their buffer and twiddle factors.
const DEFAULT_GRAIN: usize = 1 << 10;

type Point = Complex<f64>;

/// The twiddle factors of a butterfly: w, w² and w³.
type Twiddles = [Point; 3];

/// A number of points that is not a power of two.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a transform of {0} points: their number must be a power of two")]
pub struct LengthError(usize);

/// A transform of some input.
#[derive(Debug)]
pub struct Fft {
    input: Vec<Point>,
    output: Vec<Point>,
    buffer: Vec<Point>,
    /// The twiddle factors for all n points, then for a quarter of them, and so on: see [`twiddles`].
    twiddles: Vec<Vec<Twiddles>>,
    grain: usize,
    called: bool,
    /// Draws the points that the checker computes.
    random: Rng,
}

impl Fft {
    /// A transform of this input. Computes the twiddle factors, which takes longer than the transform.
    pub fn new(input: Vec<Point>) -> Result<Self, LengthError> {
        if input.len().is_power_of_two() { Ok(Self::of(input)) } else { Err(LengthError(input.len())) }
    }

    fn of(input: Vec<Point>) -> Self {
        let n = input.len();
        let sizes = (1..=n.ilog2()).rev().step_by(2).map(|log| 1 << log);
        let twiddles = sizes.map(twiddles).collect();
        let (output, buffer) = (vec![POISON; n], vec![POISON; n]);
        Self { input, output, buffer, twiddles, grain: DEFAULT_GRAIN, called: false, random: Rng::with_seed(0) }
    }

    /// The transform, X_k = Σ_j x_j e^(−2πijk/n), as the last call left it. Before the first call, and after each
    /// check, it is not a number.
    pub fn output(&self) -> &[Point] {
        &self.output
    }
}

/// The content of a buffer before anything has been computed.
const POISON: Point = Point::new(f64::NAN, f64::NAN);

/// The twiddle factors of the n/4 butterflies: for number k, the powers of w = e^(−2πik/n). Each of them has a sine and
/// a cosine of its own, because errors of repeated multiplication would grow with k.
fn twiddles(n: usize) -> Vec<Twiddles> {
    let power = |k: usize| Point::cis(-TAU * (k as f64 / n as f64));
    (0..n / 4).map(|k| [power(k), power(2 * k), power(3 * k)]).collect()
}

/// The four quarters of a slice, or the same range of each of them.
type Quarters<'a> = [&'a mut [Point]; 4];

fn quarters(points: &mut [Point]) -> Quarters<'_> {
    let (low, high) = points.split_at_mut(points.len() / 2);
    let (a, b) = low.split_at_mut(low.len() / 2);
    let (c, d) = high.split_at_mut(high.len() / 2);
    [a, b, c, d]
}

fn halves([a, b, c, d]: Quarters<'_>, middle: usize) -> (Quarters<'_>, Quarters<'_>) {
    let (a, e) = a.split_at_mut(middle);
    let (b, f) = b.split_at_mut(middle);
    let (c, g) = c.split_at_mut(middle);
    let (d, h) = d.split_at_mut(middle);
    ([a, b, c, d], [e, f, g, h])
}

/// The program: the transform of `input`.
#[inline(never)]
pub fn transform<R: Runtime>(
    mut t: Token<R>,
    input: &[Point],
    output: &mut [Point],
    buffer: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    if is_leaf(input.len(), grain) {
        output.copy_from_slice(input);
        return stockham(output, buffer, twiddles);
    }
    deal(t.reborrow(), input, buffer, grain);
    of_quarters(t, buffer, output, twiddles, grain);
}

/// Below four points there is no butterfly of four, and nothing to fork.
fn is_leaf(points: usize, grain: usize) -> bool {
    points <= grain || points < 4
}

/// The transform of the points that have been dealt out into the quarters of `dealt`.
#[inline(never)]
fn of_quarters<R: Runtime>(
    mut t: Token<R>,
    dealt: &mut [Point],
    output: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    let below = &twiddles[1..];
    let ([a, b, c, d], [e, f, g, h]) = (quarters(dealt), quarters(output));
    t.join4(
        |t| in_place(t, a, e, below, grain),
        |t| in_place(t, b, f, below, grain),
        |t| in_place(t, c, g, below, grain),
        |t| in_place(t, d, h, below, grain),
    );
    combine(t, dealt, output, &twiddles[0], grain);
}

/// The transform of `points`, in place.
#[inline(never)]
fn in_place<R: Runtime>(
    mut t: Token<R>,
    points: &mut [Point],
    buffer: &mut [Point],
    twiddles: &[Vec<Twiddles>],
    grain: usize,
) {
    if is_leaf(points.len(), grain) {
        return stockham(points, buffer, twiddles);
    }
    deal(t.reborrow(), points, buffer, grain);
    of_quarters(t, buffer, points, twiddles, grain);
}

/// A loop over the points of all quarters at once, which forks down to leaves of `longest` points of each quarter. A
/// leaf is told where its points start within the quarters.
#[inline(never)]
fn by_ranges<R, L>(mut t: Token<R>, begin: usize, to: Quarters<'_>, longest: usize, leaf: &L)
where
    R: Runtime,
    L: Fn(usize, Quarters<'_>) + Sync,
{
    let length = to[0].len();
    if length <= longest {
        return leaf(begin, to);
    }
    let middle = length / 2;
    let (low, high) = halves(to, middle);
    t.join(|t| by_ranges(t, begin, low, longest, leaf), |t| by_ranges(t, begin + middle, high, longest, leaf));
}

/// Deals out points: the first of every four into the first quarter, and so on.
fn deal<R: Runtime>(t: Token<R>, points: &[Point], to: &mut [Point], grain: usize) {
    by_ranges(t, 0, quarters(to), longest(grain), &|begin, to| deal_serially(points, begin, to));
}

/// Combines the transforms of the quarters by the butterflies with these twiddle factors.
fn combine<R: Runtime>(t: Token<R>, from: &[Point], to: &mut [Point], twiddles: &[Twiddles], grain: usize) {
    by_ranges(t, 0, quarters(to), longest(grain), &|begin, to| combine_serially(from, begin, to, twiddles));
}

fn longest(grain: usize) -> usize {
    (grain / 4).max(1)
}

/// A leaf.
#[inline(never)]
fn deal_serially(points: &[Point], begin: usize, [a, b, c, d]: Quarters<'_>) {
    let to = a.iter_mut().zip(b).zip(c).zip(d);
    for (four, (((a, b), c), d)) in points[4 * begin..].chunks_exact(4).zip(to) {
        (*a, *b, *c, *d) = (four[0], four[1], four[2], four[3]);
    }
}

/// A leaf.
#[inline(never)]
fn combine_serially(from: &[Point], begin: usize, [a, b, c, d]: Quarters<'_>, twiddles: &[Twiddles]) {
    let (length, quarter) = (a.len(), from.len() / 4);
    let [e, f, g, h] = [0, 1, 2, 3].map(|part| &from[part * quarter + begin..][..length]);
    let (b, c, d) = (&mut b[..length], &mut c[..length], &mut d[..length]);
    for (k, [w1, w2, w3]) in twiddles[begin..][..length].iter().enumerate() {
        [a[k], b[k], c[k], d[k]] = butterfly([e[k], w1 * f[k], w2 * g[k], w3 * h[k]]);
    }
}

/// The transform of four points.
#[inline(always)]
fn butterfly([a, b, c, d]: [Point; 4]) -> [Point; 4] {
    let (even_sum, even_difference) = (a + c, a - c);
    let (odd_sum, odd_difference) = (b + d, b - d);
    let turned = Point::new(odd_difference.im, -odd_difference.re);
    [even_sum + odd_sum, even_difference + turned, even_sum - odd_sum, even_difference - turned]
}

/// A leaf: Stockham's transform, whose passes go from one buffer to the other. After p passes there are 4^p transforms
/// of n/4^p points left to do, and point j of each transform stands next to point j of the others.
#[inline(never)]
fn stockham(points: &mut [Point], buffer: &mut [Point], twiddles: &[Vec<Twiddles>]) {
    let (mut from, mut to) = (points, buffer);
    let mut swapped = false;
    let mut transforms = 1;
    while from.len() / transforms >= 2 {
        let twiddles = &twiddles[transforms.ilog2() as usize / 2];
        match from.len() / transforms {
            2 => last_of_two(from, to),
            // With a constant, the compiler removes the inner loop.
            _ if transforms == 1 => pass(from, to, twiddles, 1),
            _ => pass(from, to, twiddles, transforms),
        }
        (from, to) = (to, from);
        swapped = !swapped;
        transforms *= 4;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

#[inline(always)]
fn pass(from: &[Point], to: &mut [Point], twiddles: &[Twiddles], transforms: usize) {
    let quarter = from.len() / 4;
    let [a, b, c, d] = [0, 1, 2, 3].map(|part| from[part * quarter..][..quarter].chunks_exact(transforms));
    let from = a.zip(b).zip(c).zip(d);
    for ((to, (((a, b), c), d)), [w1, w2, w3]) in to.chunks_exact_mut(4 * transforms).zip(from).zip(twiddles) {
        let [e, f, g, h] = quarters(to);
        let (e, f, g, h) = (&mut e[..transforms], &mut f[..transforms], &mut g[..transforms], &mut h[..transforms]);
        for j in 0..transforms {
            let [p, q, r, s] = butterfly([a[j], b[j], c[j], d[j]]);
            (e[j], f[j], g[j], h[j]) = (p, w1 * q, w2 * r, w3 * s);
        }
    }
}

/// The last pass if n is not a power of four: transforms of two points.
fn last_of_two(from: &[Point], to: &mut [Point]) {
    let half = from.len() / 2;
    let ((a, b), (c, d)) = (from.split_at(half), to.split_at_mut(half));
    for j in 0..half {
        (c[j], d[j]) = (a[j] + b[j], a[j] - b[j]);
    }
}

impl Kernel for Fft {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        transform(t, black_box(&self.input), &mut self.output, &mut self.buffer, &self.twiddles, self.grain);
        self.called = true;
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !std::mem::take(&mut self.called) {
            return Err(Mismatch::Nothing);
        }
        let result = check_inverse(&self.input, &self.output).and_then(|()| self.check_places());
        self.output.fill(POISON);
        self.buffer.fill(POISON);
        result
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = grain as usize;
    }
}

/// Up to this many points, the checker computes all of them by the definition.
const FEW: usize = 64;

/// Of more points, it computes this many, drawn anew for each check.
const DRAWN: usize = 4;

/// The largest relative error of a transform of n points, in the Euclidean norm.
///
/// A transform by butterflies has an error of at most η·log2 n (Higham 2002, "Accuracy and Stability of Numerical
/// Algorithms", theorem 24.2). Here η is below 8 ε: 3 ε from a butterfly, and 4 ε from the rounded angles of twiddle
/// factors, which go up to 3/4 of a turn. The inverse may add as much.
fn bound(n: usize) -> f64 {
    const FACTOR: f64 = 16.0;
    FACTOR * f64::EPSILON * f64::from(n.ilog2().max(1))
}

fn norm(points: impl Iterator<Item = Point>) -> f64 {
    points.map(|point| point.norm_sqr()).sum::<f64>().sqrt()
}

/// A check: the inverse by another library gives back the input.
fn check_inverse(input: &[Point], output: &[Point]) -> Result<(), Mismatch> {
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

impl Fft {
    /// A check: some points agree with the definition of the transform.
    fn check_places(&mut self) -> Result<(), Mismatch> {
        let n = self.input.len();
        let draws = if n <= FEW { n } else { DRAWN };
        // No point can be further off than all points together, whose norm is √n times that of the input.
        let allowed = bound(n) * (n as f64).sqrt() * norm(self.input.iter().copied());
        for draw in 0..draws {
            let k = if n <= FEW { draw } else { self.random.usize(..n) };
            let expected = by_definition(&self.input, k, 0..n);
            let found = self.output[k];
            let error = (found - expected).norm();
            if error.is_nan() || error > allowed {
                return Err(Mismatch::Wrong { found: format!("X_{k} = {found}"), expected: format!("{expected}") });
            }
        }
        Ok(())
    }
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

/// Pseudo-random points, the same in every run.
fn random_points(seed: u64, n: usize) -> Vec<Point> {
    let mut random = Rng::with_seed(seed);
    let mut fraction = || random.f64() - 0.5;
    (0..n).map(|_| Point::new(fraction(), fraction())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::Serial;

    fn after_a_call(n: usize, grain: u64) -> Fft {
        let mut fft = Fft::new(random_points(1, n)).unwrap();
        Kernel::set_grain(&mut fft, grain);
        fft.run(Serial::token());
        fft
    }

    #[test]
    fn every_cut_off_gives_the_transform_of_every_power_of_two() {
        for n in (0..=10).map(|log| 1 << log) {
            for grain in [1, 2, 3, 8, 16, 100, 1 << 20] {
                assert_eq!(Kernel::verify(&mut after_a_call(n, grain)), Ok(()), "{n} points, grain {grain}");
            }
        }
    }

    #[test]
    fn a_wave_becomes_a_single_point() {
        let (n, frequency) = (256, 37);
        let wave = |j: usize| Point::cis(TAU * ((j * frequency % n) as f64 / n as f64));
        let mut fft = Fft::new((0..n).map(wave).collect()).unwrap();
        fft.run(Serial::token());
        for (k, point) in fft.output().iter().enumerate() {
            let expected = if k == frequency { n as f64 } else { 0.0 };
            assert!((point - expected).norm() < bound(n) * n as f64, "X_{k} = {point}");
        }
    }

    #[test]
    fn the_checker_rejects_a_point_that_is_off_a_little() {
        for n in [16, 1024] {
            let mut fft = after_a_call(n, 1);
            fft.output[3] += 1e-9;
            assert!(Kernel::verify(&mut fft).is_err(), "{n} points");
        }
    }

    #[test]
    fn the_checker_rejects_what_is_not_a_number() {
        let mut fft = after_a_call(16, 1);
        fft.output[3].im = f64::NAN;
        assert!(check_inverse(&fft.input, &fft.output).is_err());
        assert!(fft.check_places().is_err());
    }

    #[test]
    fn the_definition_rejects_the_inverse_transform() {
        for n in [16, 1024] {
            let mut fft = after_a_call(n, 1);
            fft.output[1..].reverse();
            assert!(fft.check_places().is_err(), "{n} points");
        }
    }

    #[test]
    fn a_length_that_is_no_power_of_two_is_refused() {
        for n in [0, 3, 1000] {
            let error = Fft::new(vec![POISON; n]).unwrap_err();
            assert_eq!(error.to_string(), format!("a transform of {n} points: their number must be a power of two"));
        }
    }
}
