//! Points.

use std::f64::consts::TAU;
use std::path::Path;

use fastrand::Rng;
use filch_kernels::{Built, Extent, Input, InputError};

/// The points of a file, for a program that needs so many bytes for each of them.
pub(in crate::suite) fn of_file<const D: usize>(
    path: &Path,
    bytes: u64,
    build: fn(Vec<[f64; D]>) -> Built,
) -> Result<Input, InputError> {
    let points = filch_geometry::read_points::<D>(path)?;
    let (n, path) = (points.len() as u64, path.display().to_string());
    Ok(Input {
        n: Extent::Number(n),
        with: format!("{n} points"),
        bytes: n * bytes,
        build: Box::new(move || build(points.clone()).map_err(|error| format!("{path}: {error}").into())),
    })
}

fn drawn<const D: usize>(n: u64, seed: u64, mut point: impl FnMut(&mut Rng) -> [f64; D]) -> Vec<[f64; D]> {
    let mut random = Rng::with_seed(seed);
    (0..n).map(|_| point(&mut random)).collect()
}

/// A number in (0, 1), which can be divided by.
fn share(random: &mut Rng) -> f64 {
    1.0 - random.f64() * (1.0 - f64::EPSILON)
}

/// In the square from -1 to 1.
pub(in crate::suite) fn in_square(n: u64) -> Vec<[f64; 2]> {
    drawn(n, 11, |random| [2.0 * random.f64() - 1.0, 2.0 * random.f64() - 1.0])
}

/// In the unit circle.
pub(in crate::suite) fn in_circle(n: u64) -> Vec<[f64; 2]> {
    drawn(n, 12, |random| {
        let (sine, cosine) = (TAU * random.f64()).sin_cos();
        let radius = random.f64().sqrt();
        [cosine, sine].map(|x| x * radius)
    })
}

/// On the unit circle, except for rounding.
pub(in crate::suite) fn on_circle(n: u64) -> Vec<[f64; 2]> {
    drawn(n, 13, |random| {
        let (sine, cosine) = (TAU * random.f64()).sin_cos();
        [cosine, sine]
    })
}

/// In Kuzmin's disc: the share s of the points is closer to the centre than sqrt(1 / (1 - s)^2 - 1).
pub(in crate::suite) fn kuzmin(n: u64) -> Vec<[f64; 2]> {
    drawn(n, 14, |random| {
        let (sine, cosine) = (TAU * random.f64()).sin_cos();
        let radius = (share(random).powi(-2) - 1.0).sqrt();
        [cosine, sine].map(|x| x * radius)
    })
}

/// In Plummer's cluster: the share s of the points is closer to the centre than 1 / sqrt(s^(-2/3) - 1).
pub(in crate::suite) fn plummer(n: u64) -> Vec<[f64; 3]> {
    drawn(n, 15, |random| {
        let (sine, cosine) = (TAU * random.f64()).sin_cos();
        let height = 2.0 * random.f64() - 1.0;
        let flat = (1.0 - height * height).sqrt();
        // At most a millionth away from 1, where the radius would be infinite.
        let radius = (share(random).min(1.0 - 1e-6).powf(-2.0 / 3.0) - 1.0).powf(-0.5);
        [flat * cosine, flat * sine, height].map(|x| x * radius)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u64 = 100_000;

    /// The share of points that are closer to the centre than `radius`.
    fn within<const D: usize>(points: &[[f64; D]], radius: f64) -> f64 {
        let is_within = |point: &&[f64; D]| point.iter().map(|x| x * x).sum::<f64>() < radius * radius;
        points.iter().filter(is_within).count() as f64 / points.len() as f64
    }

    fn assert_share(found: f64, expected: f64) {
        // Six standard deviations.
        assert!((found - expected).abs() < 6.0 * (0.25 / N as f64).sqrt(), "{found}, {expected} expected");
    }

    #[test]
    fn radii_have_the_distributions_of_their_models() {
        assert_share(within(&in_square(N), 1.0), std::f64::consts::FRAC_PI_4);
        for radius in [0.3, 0.7] {
            assert_share(within(&in_circle(N), radius), radius * radius);
        }
        assert!(on_circle(N).iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-12));
        for radius in [0.5, 1.0, 10.0_f64] {
            assert_share(within(&kuzmin(N), radius), 1.0 - 1.0 / (1.0 + radius * radius).sqrt());
            assert_share(within(&plummer(N), radius), (1.0 + radius.powi(-2)).powf(-1.5));
        }
    }

    #[test]
    fn directions_are_even() {
        for points in [in_square(N), in_circle(N), on_circle(N), kuzmin(N)] {
            assert_share(points.iter().filter(|[x, _]| *x > 0.0).count() as f64 / N as f64, 0.5);
            assert_share(points.iter().filter(|[x, y]| x > y).count() as f64 / N as f64, 0.5);
        }
        assert_share(plummer(N).iter().filter(|[.., z]| *z > 0.0).count() as f64 / N as f64, 0.5);
    }
}
