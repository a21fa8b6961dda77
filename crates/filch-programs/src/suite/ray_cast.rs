//! The first triangles that rays hit: `ray-cast` of the suite.

use std::hint::black_box;
use std::path::Path;

use filch_geometry::{Hit, Mesh, Ray, RayError, cast_rays};
use filch_kernels::{Domain, Extent, Input, InputError, Instance, Mismatch, Program, Sizes};

use super::input::meshes;
use super::work::{OfLibrary, Work, wrong};

/// The bytes of a triangle and its ray, and of what is done with them.
const BYTES: u64 = 512;

/// The rays that are checked: each against all triangles.
const CHECKED: usize = 64;

/// How much distances may differ by rounding, in lengths of rays.
const ROUNDING: f64 = 1e-12;

/// The program. Scanned meshes come from files.
pub(super) const PROGRAMS: [Program; 1] = [Program {
    bytes: |n, _| BYTES * n,
    libraries: &[],
    input: Some(input),
    ..Program::new(
        ("raycast", "the first of some n triangles that each of as many rays hits"),
        Sizes { small: 1_000, default: 500_000, paper: 1_087_716 },
        Domain { counts: "the number of triangles", min: 1, max: 1 << 28, rule: None },
        |n| instance(meshes::bumpy_sphere(n)).expect("rays through a small box"),
    )
}];

/// The mesh of a file.
fn input(path: &Path) -> Result<Input, InputError> {
    let mesh = filch_geometry::read_mesh(path)?;
    let (n, path) = (mesh.triangles().len() as u64, path.display().to_string());
    Ok(Input {
        n: Extent::Number(n),
        with: format!("{n} triangles"),
        bytes: n * BYTES,
        build: Box::new(move || instance(mesh.clone()).map_err(|error| format!("{path}: {error}").into())),
    })
}

fn instance(mesh: Mesh) -> Result<Box<dyn Instance>, RayError> {
    let rays = meshes::rays(&mesh)?;
    Ok(Box::new(OfLibrary(RayCast { mesh, rays, found: None })))
}

struct RayCast {
    mesh: Mesh,
    rays: Vec<Ray>,
    found: Option<Vec<Option<Hit>>>,
}

impl RayCast {
    /// How far along a ray its triangles are, and how clearly each of them is hit: below 0 if it is missed.
    fn hits(&self, ray: &Ray) -> impl Iterator<Item = (f64, f64)> {
        (0..self.mesh.triangles().len() as u32).filter_map(|triangle| intersection(self.mesh.corners(triangle), ray))
    }

    /// Whether the triangle is hit there.
    fn is_hit(&self, number: usize, hit: Hit) -> bool {
        (hit.triangle as usize) < self.mesh.triangles().len()
            && intersection(self.mesh.corners(hit.triangle), &self.rays[number])
                .is_some_and(|(distance, clarity)| clarity > -ROUNDING && (distance - hit.distance).abs() < ROUNDING)
    }

    fn check(&self, found: &[Option<Hit>]) -> Result<(), Mismatch> {
        if found.len() != self.rays.len() {
            return Err(wrong(format!("{} results", found.len()), format!("{}", self.rays.len())));
        }
        let is_wrong = |&(number, hit): &(usize, &Option<Hit>)| hit.is_some_and(|hit| !self.is_hit(number, hit));
        if let Some((number, hit)) = found.iter().enumerate().find(is_wrong) {
            return Err(wrong(format!("{hit:?} by ray {number}"), "a triangle that it hits"));
        }
        for (number, hit) in found.iter().enumerate().step_by(found.len().div_ceil(CHECKED).max(1)) {
            let hits = self.hits(&self.rays[number]);
            let clear = hits.filter(|&(distance, clarity)| clarity > ROUNDING && distance >= 0.0);
            let nearest = clear.map(|(distance, _)| distance).fold(f64::INFINITY, f64::min);
            if hit.map_or(f64::INFINITY, |hit| hit.distance - ROUNDING) > nearest {
                return Err(wrong(format!("{hit:?} by ray {number}"), format!("a triangle at {nearest}")));
            }
        }
        Ok(())
    }
}

impl Work for RayCast {
    fn run(&mut self) {
        self.found = Some(cast_rays(black_box(&self.mesh), &self.rays));
    }

    /// All hits are hits, and some are compared with those of all triangles.
    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        self.check(&found)
    }
}

/// How far along the ray the plane of the triangle is, and the smallest of the three weights of its corners there
/// (Möller and Trumbore 1997); nothing if they are parallel.
fn intersection([a, b, c]: [[f64; 3]; 3], ray: &Ray) -> Option<(f64, f64)> {
    let (ab, ac, from) = (less(b, a), less(c, a), less(ray.origin(), a));
    let normal = cross(ray.direction(), ac);
    let volume = dot(ab, normal);
    if volume == 0.0 {
        return None;
    }
    let across = cross(from, ab);
    let [of_b, of_c, distance] = [dot(from, normal), dot(ray.direction(), across), dot(ac, across)].map(|x| x / volume);
    Some((distance, of_b.min(of_c).min(1.0 - of_b - of_c)))
}

fn less(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_that_are_wrong_are_found() {
        let mesh = meshes::bumpy_sphere(1000);
        let mut work = RayCast { rays: meshes::rays(&mesh).unwrap(), mesh, found: None };
        work.run();
        let right = work.found.take().unwrap();
        assert_eq!(work.check(&right), Ok(()));
        let hit = right.iter().position(Option::is_some).unwrap();
        let wrong = |change: &dyn Fn(&mut Vec<Option<Hit>>)| {
            let mut changed = right.clone();
            change(&mut changed);
            work.check(&changed).unwrap_err();
        };
        wrong(&|found| _ = found.pop());
        wrong(&|found| found.fill(None));
        wrong(&|found| found[hit].as_mut().unwrap().distance += 0.1);
        wrong(&|found| found[hit].as_mut().unwrap().triangle = u32::MAX);
    }
}
