//! Bodies, and how they pull each other.

use fastrand::Rng;

/// Distances count as at least this. Plummer's model has a radius of 1.
const SOFTENING: f64 = 0.025;

pub(super) type Vector = [f64; 3];

/// A body that moves.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Where it is.
    pub position: Vector,
    /// What it weighs.
    pub mass: f64,
}

#[inline(always)]
pub(super) fn each(left: Vector, right: Vector, f: impl Fn(f64, f64) -> f64) -> Vector {
    [0, 1, 2].map(|axis| f(left[axis], right[axis]))
}

/// The distance of two points, squared.
#[inline(always)]
pub(super) fn distance(a: Vector, b: Vector) -> f64 {
    each(a, b, |a, b| (a - b) * (a - b)).iter().sum()
}

/// Adds the pull of a mass. A body does not pull itself: the distance is zero in all directions.
#[inline(always)]
pub(super) fn add_pull(sum: &mut Vector, at: Vector, mass: f64, from: Vector) {
    let square = distance(at, from) + SOFTENING * SOFTENING;
    let scale = mass / (square * square.sqrt());
    for axis in 0..3 {
        sum[axis] += scale * (from[axis] - at[axis]);
    }
}

/// Bodies of equal mass, in all 1, as in Plummer's model of a cluster of stars (Aarseth, Hénon and Wielen 1974); the
/// same in every run.
pub(super) fn plummer(count: u64) -> Vec<Body> {
    let mut random = Rng::with_seed(count);
    let mut body = || {
        // The share of the mass that is closer to the centre. The last thousandth would be anywhere.
        let share = 0.001 + 0.998 * random.f64();
        let radius = (share.powf(-2.0 / 3.0) - 1.0).powf(-0.5);
        let height = 2.0 * random.f64() - 1.0;
        let (sine, cosine) = (std::f64::consts::TAU * random.f64()).sin_cos();
        let flat = (1.0 - height * height).sqrt();
        Body { position: [flat * cosine, flat * sine, height].map(|x| radius * x), mass: 1.0 / count as f64 }
    };
    (0..count).map(|_| body()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_plummers_mass_is_within_one_and_a_third_radii() {
        // The mass within r is r³·(1 + r²)^(−3/2), which is 1/2 at 1.305.
        let bodies = plummer(10_000);
        let within = bodies.iter().filter(|body| distance(body.position, [0.0; 3]) < 1.305 * 1.305).count();
        assert!((4_800..5_200).contains(&within), "{within}");
        assert!((bodies.iter().map(|body| body.mass).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
