//! The convex hull of points in the plane: `convex-hull` of the suite.

use std::hint::black_box;

use filch_geometry::{Points, convex_hull};

use super::input::points;
use super::work::{OfLibrary, Work, orientation, wrong};
use crate::answer::Mismatch;
use crate::kernel::Instance;
use crate::program::{Domain, Program, Sizes};

/// The programs.
pub(super) const PROGRAMS: [Program; 3] = [
    program("convexhull-in-circle", "the convex hull of n points in a circle", |n| instance(points::in_circle(n))),
    program("convexhull-kuzmin", "the convex hull of n points of Kuzmin's disc", |n| instance(points::kuzmin(n))),
    program("convexhull-on-circle", "the convex hull of n points on a circle", |n| instance(points::on_circle(n))),
];

/// The bytes of a point, and of what is done with it.
const BYTES: u64 = 96;

const fn program(name: &'static str, about: &'static str, build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of points", min: 0, max: u32::MAX as u64, rule: None };
    let sizes = Sizes { small: 4_000, default: 2_000_000, paper: 100_000_000 };
    Program {
        bytes: |n, _| BYTES * n,
        libraries: &[],
        input: Some(|path| points::of_file(path, BYTES, instance)),
        ..Program::new((name, about), sizes, domain, build)
    }
}

fn instance(points: Vec<[f64; 2]>) -> Box<dyn Instance> {
    Box::new(OfLibrary(ConvexHull { points, found: None }))
}

struct ConvexHull {
    points: Vec<[f64; 2]>,
    found: Option<Vec<u32>>,
}

impl Work for ConvexHull {
    fn run(&mut self) {
        let points = Points::new(black_box(&self.points)).expect("finite points");
        self.found = Some(convex_hull(points));
    }

    /// Every corner turns left, all corners go around once, and no point lies outside of the edge below or above it.
    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        let corners: Vec<[f64; 2]> = found.iter().map(|&index| self.points[index as usize]).collect();
        let count = corners.len();
        if count < 3 {
            let fewer = self.points.len().min(2);
            return if count >= fewer.min(1) && self.points.len() < 3 {
                Ok(())
            } else {
                Err(wrong(format!("{count} corners"), "three or more"))
            };
        }
        let corner = |place: usize| corners[place % count];
        if let Some(place) = (0..count).find(|&p| orientation(corner(p), corner(p + 1), corner(p + 2)) <= 0.0) {
            return Err(wrong(format!("no left turn at corner {}", found[(place + 1) % count]), "a convex polygon"));
        }
        // From the first corner, which has the smallest x, the lower chain goes to the right and the upper one back.
        let right = (0..count).max_by(|&a, &b| corner(a)[0].total_cmp(&corner(b)[0])).unwrap_or(0);
        let (lower, mut upper) = (&corners[..=right], corners[right..].to_vec());
        upper.push(corner(0));
        upper.reverse();
        let is_chain = |chain: &[[f64; 2]]| chain.is_sorted_by(|a, b| a[0] <= b[0]);
        if !is_chain(lower) || !is_chain(&upper) {
            return Err(wrong("corners that go around more than once", "a convex polygon"));
        }
        let is_inside = |point: [f64; 2], chain: &[[f64; 2]], side: f64| {
            let after = chain.partition_point(|corner| corner[0] < point[0]).clamp(1, chain.len() - 1);
            orientation(chain[after - 1], chain[after], point) * side >= 0.0
        };
        let is_within = |point: &[f64; 2]| {
            (corner(0)[0]..=corner(right)[0]).contains(&point[0])
                && is_inside(*point, lower, 1.0)
                && is_inside(*point, &upper, -1.0)
        };
        match self.points.iter().position(|point| !is_within(point)) {
            Some(index) => Err(wrong(format!("point {index} outside of the hull"), "all of them in it")),
            None => Ok(()),
        }
    }
}
