//! Meshes, and rays through them.

use std::f64::consts::{PI, TAU};

use fastrand::Rng;
use filch_geometry::{Mesh, Ray, RayError};

/// How far the bumps of the sphere stand out, and how many there are around it.
const BUMP: f64 = 0.2;
const BUMPS: f64 = 9.0;

/// A sphere with bumps of about n triangles, at most n: circles of points around it, with triangles between them.
pub(in crate::suite) fn bumpy_sphere(n: u64) -> Mesh {
    // Two triangles between two neighbours on a circle and those on the next one, and twice as many on a circle as
    // there are circles.
    let circles = ((n as f64 / 4.0).sqrt() as u32).max(1);
    let around = 2 * circles;
    let point = |circle: u32, place: u32| {
        let (down, along) = (PI * f64::from(circle) / f64::from(circles), TAU * f64::from(place) / f64::from(around));
        let radius = 1.0 + BUMP * (BUMPS * down).sin() * (BUMPS * along).cos();
        [down.sin() * along.cos(), down.sin() * along.sin(), down.cos()].map(|x| radius * x)
    };
    let vertices = (0..=circles).flat_map(|circle| (0..around).map(move |place| point(circle, place)));
    let at = |circle: u32, place: u32| circle * around + place % around;
    let triangles = (0..circles).flat_map(|circle| {
        (0..around).flat_map(move |place| {
            let [a, b, c, d] =
                [at(circle, place), at(circle, place + 1), at(circle + 1, place), at(circle + 1, place + 1)];
            [[a, c, b], [b, c, d]]
        })
    });
    let triangles = triangles.take(n as usize).collect();
    Mesh::new(vertices.collect(), triangles).expect("finite vertices, and triangles between them")
}

/// A ray for each triangle: from a point of the lowest side of the box around the mesh to one of its uppermost side.
///
/// # Errors
///
/// If the box is so large that there is no such ray.
pub(in crate::suite) fn rays(mesh: &Mesh) -> Result<Vec<Ray>, RayError> {
    let mut random = Rng::with_seed(31);
    let bounds = mesh.bounds();
    let mut within = |axis: usize| bounds.low[axis] + random.f64() * (bounds.high[axis] - bounds.low[axis]);
    let mut ray = || {
        let from = [within(0), within(1), bounds.low[2]];
        let to = [within(0), within(1), bounds.high[2]];
        // A flat mesh has rays through its plane.
        let up = if bounds.high[2] > bounds.low[2] { to[2] - from[2] } else { 1.0 };
        Ray::new(from, [to[0] - from[0], to[1] - from[1], up])
    };
    mesh.triangles().iter().map(|_| ray()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_has_nearly_as_many_triangles_as_were_asked_for_and_lies_within_its_bumps() {
        for n in [1, 4, 1000, 100_000] {
            let mesh = bumpy_sphere(n);
            let found = mesh.triangles().len() as u64;
            assert!(found <= n && (found as f64) > n as f64 * (1.0 - 4.0 / (n as f64).sqrt()), "{found} of {n}");
            let radius = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(mesh.vertices().iter().map(radius).all(|r| (1.0 - BUMP..=1.0 + BUMP).contains(&r)));
        }
    }

    #[test]
    fn rays_lead_from_the_lowest_to_the_uppermost_side() {
        let mesh = bumpy_sphere(1000);
        let bounds = mesh.bounds();
        for ray in rays(&mesh).unwrap() {
            let end: [f64; 3] = std::array::from_fn(|axis| ray.origin()[axis] + ray.direction()[axis]);
            assert_eq!(ray.origin()[2], bounds.low[2]);
            assert!((end[2] - bounds.high[2]).abs() < 1e-12 && bounds.contains(ray.origin()));
        }
    }
}
