//! The Fourier transform of complex numbers, in the manner of Cilk's fft (Frigo, Leiserson and Randall 1998, section
//! 6).
//!
//! The points are dealt out to four transforms of a quarter of them (decimation in time). The results are combined with
//! twiddle factors and butterflies. Dealing out and combining divide their range in halves; the four transforms are a
//! pair of pairs. Two buffers take turns: what lies in one is dealt out into the other.
//!
//! Below the cut-off, a transform is Stockham's, which needs no dealing out (Van Loan 1992, "Computational Frameworks
//! for the Fast Fourier Transform", section 1.7).
//!
//! - `transform`: the program; `stockham`: its leaves; `points`: what both work on
//! - `check`: the checks

mod check;
mod points;
mod stockham;
mod transform;

use std::hint::black_box;

use fastrand::Rng;

use check::{check_inverse, check_places};
pub use points::Point;
use points::{Twiddles, twiddles};
pub use transform::transform;

use crate::answer::Mismatch;
use crate::kernel::Kernel;
use crate::program::{Data, Domain, Grain, Library, POWER_OF_TWO, Program, Sizes};
use crate::runtime::{Runtime, Token};

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
    // The input, two buffers, the twiddle factors, and the checker's inverse with twiddle factors of its own.
    bytes: |n, _| 6 * n * size_of::<Point>() as u64,
    data: Some(Data::Reused(|n| n * size_of::<Point>() as u64)),
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: None,
    build: |n| Fft::of(random_points(0, n as usize)).boxed(),
};

/// A thousand points take some microseconds. They fit into the first-level cache with their buffer and twiddle factors.
const DEFAULT_GRAIN: usize = 1 << 10;

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

    /// As an object. Whoever makes one elsewhere compiles all forms once more.
    #[inline(never)]
    pub fn boxed(self) -> Box<dyn crate::Instance> {
        Box::new(self)
    }

    /// The transform, X_k = Σ_j x_j e^(−2πijk/n), as the last call left it. Before the first call, and after each
    /// check, it is not a number.
    pub fn output(&self) -> &[Point] {
        &self.output
    }
}

/// The content of a buffer before anything has been computed.
const POISON: Point = Point::new(f64::NAN, f64::NAN);

impl Kernel for Fft {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        transform(t, black_box(&self.input), &mut self.output, &mut self.buffer, &self.twiddles, self.grain);
        self.called = true;
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !std::mem::take(&mut self.called) {
            return Err(Mismatch::Nothing);
        }
        let result = check_inverse(&self.input, &self.output)
            .and_then(|()| check_places(&self.input, &self.output, &mut self.random));
        self.output.fill(POISON);
        self.buffer.fill(POISON);
        result
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = grain as usize;
    }
}

/// Pseudo-random points, the same in every run.
fn random_points(seed: u64, n: usize) -> Vec<Point> {
    let mut random = Rng::with_seed(seed);
    let mut fraction = || random.f64() - 0.5;
    (0..n).map(|_| Point::new(fraction(), fraction())).collect()
}

#[cfg(test)]
mod tests {
    use super::check::bound;
    use super::*;
    use crate::runtime::Serial;
    use std::f64::consts::TAU;

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
        assert!(check_places(&fft.input, &fft.output, &mut fft.random).is_err());
    }

    #[test]
    fn the_definition_rejects_the_inverse_transform() {
        for n in [16, 1024] {
            let mut fft = after_a_call(n, 1);
            fft.output[1..].reverse();
            assert!(check_places(&fft.input, &fft.output, &mut fft.random).is_err(), "{n} points");
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
