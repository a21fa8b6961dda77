//! The convex hull of points in the plane: `convex-hull` of the suite.

use std::hint::black_box;

use filch_geometry::{Points, convex_hull};
use filch_kernels::{Domain, Instance, Mismatch, Program, Sizes};

use super::input::points;
use super::work::{OfLibrary, Work, on_a_line, orientation, wrong};

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
        input: Some(|path| points::of_file(path, BYTES, |points| Ok(instance(points)))),
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

    fn verify(&mut self) -> Result<(), Mismatch> {
        check(&self.points, &self.found.take().ok_or(Mismatch::Nothing)?)
    }
}

/// Every corner turns left, all corners go around once, and no point lies outside of the edge below or above it. Of
/// points on a line, the two ends are the corners.
fn check(points: &[[f64; 2]], found: &[u32]) -> Result<(), Mismatch> {
    let at = |&index: &u32| points.get(index as usize).copied();
    let Some(corners) = found.iter().map(at).collect::<Option<Vec<_>>>() else {
        return Err(wrong(format!("{found:?}"), format!("indices below {}", points.len())));
    };
    let by_place = |a: &&[f64; 2], b: &&[f64; 2]| a.partial_cmp(b).expect("finite coordinates");
    let (Some(&first), Some(&last)) = (points.iter().min_by(by_place), points.iter().max_by(by_place)) else {
        return if corners.is_empty() { Ok(()) } else { Err(wrong(format!("{corners:?}"), "no corners")) };
    };
    if on_a_line(points) {
        let ends = if first == last { vec![first] } else { vec![first, last] };
        return if corners == ends { Ok(()) } else { Err(wrong(format!("{corners:?}"), format!("{ends:?}"))) };
    }
    let count = corners.len();
    let corner = |place: usize| corners[place % count];
    if count < 3 || corner(0) != first {
        return Err(wrong(format!("{count} corners"), format!("three or more, {first:?} as the first of them")));
    }
    if let Some(place) = (0..count).find(|&p| orientation(corner(p), corner(p + 1), corner(p + 2)) <= 0.0) {
        return Err(wrong(format!("no left turn at corner {}", found[(place + 1) % count]), "a convex polygon"));
    }
    // The lower chain goes up from the first place to the last, and the upper one back.
    let Some(end) = corners.iter().position(|&corner| corner == last) else {
        return Err(wrong("a hull without it", format!("the corner {last:?}")));
    };
    let (lower, mut upper) = (&corners[..=end], corners[end..].to_vec());
    upper.push(first);
    upper.reverse();
    if !lower.is_sorted() || !upper.is_sorted() {
        return Err(wrong("corners that go around more than once", "a convex polygon"));
    }
    let is_inside = |point: [f64; 2], chain: &[[f64; 2]], side: f64| {
        let after = chain.partition_point(|corner| *corner < point).clamp(1, chain.len() - 1);
        orientation(chain[after - 1], chain[after], point) * side >= 0.0
    };
    match points.iter().position(|&point| !is_inside(point, lower, 1.0) || !is_inside(point, &upper, -1.0)) {
        Some(index) => Err(wrong(format!("point {index} outside of the hull"), "all of them in it")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_that_is_wrong_somewhere_is_found() {
        let points = points::in_circle(500);
        let right = convex_hull(Points::new(&points).unwrap());
        assert_eq!(check(&points, &right), Ok(()));
        for place in 0..right.len() {
            let mut fewer = right.clone();
            fewer.remove(place);
            check(&points, &fewer).unwrap_err();
            let mut swapped = right.clone();
            swapped.swap(place, (place + 1) % right.len());
            check(&points, &swapped).unwrap_err();
        }
        check(&points, &[]).unwrap_err();
        check(&points, &[right.clone(), right].concat()).unwrap_err();
        check(&points, &[0, 1, u32::MAX]).unwrap_err();
        // A corner on the left that is missing.
        let left = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 1.0], [0.0, 2.0]];
        check(&left, &[0, 1, 2, 3]).unwrap_err();
        assert_eq!(check(&left, &[0, 1, 2, 4]), Ok(()));
        check(&[[0.0, 0.0], [1.0, 1.0]], &[1]).unwrap_err();
    }

    #[test]
    fn points_on_a_line_and_in_one_place_have_their_ends_as_corners() {
        for points in [vec![], vec![[1.0, 2.0]; 3], vec![[3.0, 3.0], [1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]] {
            let mut work = ConvexHull { points, found: None };
            work.run();
            assert_eq!(work.verify(), Ok(()));
        }
    }
}
