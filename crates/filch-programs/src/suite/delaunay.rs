//! The Delaunay triangulation of points in the plane: `delaunay` of the suite.

use std::collections::HashMap;
use std::hint::black_box;

use delaunator::Point;
use filch_geometry::{Points, Triangulation, delaunay};
use filch_kernels::{Built, Domain, Instance, Mismatch, Program, Sizes};
use robust::{Coord, incircle};

use super::input::points;
use super::work::{OfLibrary, Work, on_a_line, orientation, wrong};

/// The programs.
pub(super) const PROGRAMS: [Program; 2] = [
    program("delaunay-in-square", "the Delaunay triangulation of n points in a square", |n| {
        instance(points::in_square(n))
    }),
    program("delaunay-kuzmin", "the Delaunay triangulation of n points of Kuzmin's disc", |n| {
        instance(points::kuzmin(n))
    }),
];

/// The bytes of a point, and of what is done with it: most of them are for the check.
const BYTES: u64 = 320;

const fn program(name: &'static str, about: &'static str, build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of points", min: 0, max: 1 << 28, rule: None };
    let sizes = Sizes { small: 1_000, default: 1_000_000, paper: 10_000_000 };
    Program {
        bytes: |n, _| BYTES * n,
        libraries: &[],
        input: Some(|path| points::of_file(path, BYTES, checked)),
        ..Program::new((name, about), sizes, domain, build)
    }
}

/// An instance for points of a file, if they can be triangulated.
fn checked(points: Vec<[f64; 2]>) -> Built {
    delaunay(Points::new(&points)?)?;
    Ok(instance(points))
}

fn instance(points: Vec<[f64; 2]>) -> Box<dyn Instance> {
    let duplicates = duplicates(&points);
    Box::new(OfLibrary(Delaunay { points, duplicates, found: None }))
}

struct Delaunay {
    points: Vec<[f64; 2]>,
    /// Those that the rival leaves out.
    duplicates: Vec<[u32; 2]>,
    found: Option<Triangulation>,
}

/// The points in the place of an earlier one, and that one.
fn duplicates(points: &[[f64; 2]]) -> Vec<[u32; 2]> {
    let mut first = HashMap::with_capacity(points.len());
    let place = |&[x, y]: &[f64; 2]| [x + 0.0, y + 0.0].map(f64::to_bits);
    let indexed = (0_u32..).zip(points);
    let other = indexed.filter_map(|(index, point)| {
        let earlier = *first.entry(place(point)).or_insert(index);
        (earlier != index).then_some([index, earlier])
    });
    other.collect()
}

impl Work for Delaunay {
    fn run(&mut self) {
        let points = Points::new(black_box(&self.points)).expect("finite points");
        self.found = Some(delaunay(points).expect("few points, none of which is close to another"));
    }

    fn serial_rival(&mut self) -> bool {
        let points: Vec<Point> = self.points.iter().map(|&[x, y]| Point { x, y }).collect();
        let found = delaunator::triangulate(black_box(&points)).triangles;
        // They turn right there.
        let (triangles, _) = found.as_chunks();
        let triangles = triangles.iter().map(|&[a, b, c]| [c as u32, b as u32, a as u32]).collect();
        self.found = Some(Triangulation { triangles, duplicates: self.duplicates.clone() });
        true
    }

    /// All triangles turn left, two triangles that share an edge are Delaunay, the other edges bound a convex polygon,
    /// there are as many triangles as Euler's formula says, and each place is a corner. From this follows the rest
    /// (Delaunay 1934).
    fn verify(&mut self) -> Result<(), Mismatch> {
        check(&self.points, &self.found.take().ok_or(Mismatch::Nothing)?)
    }
}

fn check(points: &[[f64; 2]], found: &Triangulation) -> Result<(), Mismatch> {
    let at = |index: u32| points[index as usize];
    let corners = corners(points, found)?;
    if found.triangles.is_empty() {
        return if on_a_line(points) {
            Ok(())
        } else {
            Err(wrong("no triangles", "some: not all points lie on a line"))
        };
    }
    // The corner opposite of each edge, on its left.
    let mut opposite = HashMap::with_capacity(3 * found.triangles.len());
    for &[a, b, c] in &found.triangles {
        if orientation(at(a), at(b), at(c)) <= 0.0 {
            return Err(wrong(format!("triangle {:?}", [a, b, c]), "a left turn"));
        }
        for (edge, corner) in [((a, b), c), ((b, c), a), ((c, a), b)] {
            if opposite.insert(edge, corner).is_some() {
                return Err(wrong(format!("edge {edge:?} of two triangles on one side"), "one triangle"));
            }
        }
    }
    // The edges of the hull: clockwise, seen from its inside.
    let mut hull = HashMap::new();
    for (&(a, b), &c) in &opposite {
        match opposite.get(&(b, a)) {
            Some(&d) if incircle(coord(at(a)), coord(at(b)), coord(at(c)), coord(at(d))) > 0.0 => {
                return Err(wrong(format!("point {d} in the circle of {:?}", [a, b, c]), "an empty circle"));
            }
            Some(_) => {}
            None if hull.insert(b, a).is_none() => {}
            None => return Err(wrong(format!("two edges of the hull at point {b}"), "one")),
        }
    }
    let bends = hull.iter().find(|&(&from, &to)| {
        let turns = |next: u32| orientation(at(from), at(to), at(next)) > 0.0;
        hull.get(&to).is_none_or(|&next| turns(next))
    });
    if let Some((from, to)) = bends {
        return Err(wrong(format!("a bend inwards after {from}, {to}"), "a convex polygon"));
    }
    let expected = (2 * corners).saturating_sub(2 + hull.len());
    if found.triangles.len() != expected {
        return Err(wrong(format!("{} triangles", found.triangles.len()), expected.to_string()));
    }
    Ok(())
}

/// The number of points that must be corners: all but the duplicates, each of which is named once, with the first point
/// in its place. If there are triangles, these points are their corners.
fn corners(points: &[[f64; 2]], found: &Triangulation) -> Result<usize, Mismatch> {
    let mut is_corner = vec![true; points.len()];
    for &[index, first] in &found.duplicates {
        let is_duplicate = first < index && points.get(index as usize) == Some(&points[first as usize]);
        if !is_duplicate || !std::mem::take(&mut is_corner[index as usize]) {
            return Err(wrong(format!("{index} as a duplicate of {first}"), "each duplicate once"));
        }
    }
    let count = is_corner.iter().filter(|&&is_corner| is_corner).count();
    if !found.triangles.is_empty() {
        for &index in found.triangles.iter().flatten() {
            let Some(is_corner) = is_corner.get_mut(index as usize) else {
                return Err(wrong(format!("corner {index}"), format!("an index below {}", points.len())));
            };
            *is_corner = false;
        }
        if let Some(index) = is_corner.iter().position(|&is_corner| is_corner) {
            return Err(wrong(format!("point {index} at no corner"), "each point"));
        }
    }
    Ok(count)
}

fn coord([x, y]: [f64; 2]) -> Coord<f64> {
    Coord { x, y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangulation_that_is_wrong_somewhere_is_found() {
        let points = points::in_square(200);
        let right = delaunay(Points::new(&points).unwrap()).unwrap();
        assert_eq!(check(&points, &right), Ok(()));
        let wrong = |change: &dyn Fn(&mut Triangulation)| {
            let mut changed = right.clone();
            change(&mut changed);
            check(&points, &changed).unwrap_err();
        };
        wrong(&|found| found.triangles.clear());
        wrong(&|found| _ = found.triangles.pop());
        wrong(&|found| found.triangles[0].swap(0, 1));
        wrong(&|found| found.triangles[7] = [0, 1, u32::MAX]);
        wrong(&|found| found.duplicates.push([5, 2]));
        let half = delaunay(Points::new(&points[..100]).unwrap()).unwrap();
        wrong(&|found| *found = half.clone());
        wrong(&|found| *found = Triangulation { duplicates: (100..200).map(|i| [i, 0]).collect(), ..half.clone() });
        wrong(&|found| *found = Triangulation { triangles: vec![], duplicates: (1..200).map(|i| [i, 0]).collect() });
    }

    #[test]
    fn points_on_a_line_and_in_one_place_have_no_triangles() {
        for points in [vec![], vec![[1.0, 2.0]], vec![[1.0, 2.0]; 3], vec![[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]] {
            let mut work = Delaunay { duplicates: duplicates(&points), points, found: None };
            work.run();
            assert_eq!(work.verify(), Ok(()));
        }
    }
}
