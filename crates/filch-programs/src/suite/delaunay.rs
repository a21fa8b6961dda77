//! The Delaunay triangulation of points in the plane: `delaunay` of the suite.

use std::collections::HashMap;
use std::hint::black_box;

use delaunator::Point;
use filch_geometry::{Points, Triangulation, delaunay};
use robust::{Coord, incircle};

use super::input::points;
use super::work::{OfLibrary, Work, orientation, wrong};
use crate::answer::Mismatch;
use crate::kernel::Instance;
use crate::program::{Domain, Program, Sizes};

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
        input: Some(|path| points::of_file(path, BYTES, instance)),
        ..Program::new((name, about), sizes, domain, build)
    }
}

fn instance(points: Vec<[f64; 2]>) -> Box<dyn Instance> {
    Box::new(OfLibrary(Delaunay { points, found: None }))
}

struct Delaunay {
    points: Vec<[f64; 2]>,
    found: Option<Triangulation>,
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
        self.found = Some(Triangulation { triangles, duplicates: Vec::new() });
        true
    }

    /// All triangles turn left, two triangles that share an edge are Delaunay, the other edges bound a convex polygon,
    /// and there are as many triangles as Euler's formula says. From this follows the rest (Delaunay 1934).
    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        let at = |index: u32| self.points[index as usize];
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
        // The edges of the hull, from where they begin.
        let mut hull = HashMap::new();
        for (&(a, b), &c) in &opposite {
            match opposite.get(&(b, a)) {
                Some(&d) if incircle(coord(at(a)), coord(at(b)), coord(at(c)), coord(at(d))) > 0.0 => {
                    return Err(wrong(format!("point {d} in the circle of {:?}", [a, b, c]), "an empty circle"));
                }
                Some(_) => {}
                None => {
                    hull.insert(b, a);
                }
            }
        }
        // Counterclockwise seen from outside, so backwards.
        let bends = hull.iter().find(|&(&from, &to)| {
            let turns = |next: u32| orientation(at(from), at(to), at(next)) > 0.0;
            hull.get(&to).is_none_or(|&next| turns(next))
        });
        if let Some((from, to)) = bends {
            return Err(wrong(format!("a bend inwards after {from}, {to}"), "a convex polygon"));
        }
        let corners = self.points.len() - found.duplicates.len();
        let expected = (2 * corners).saturating_sub(2 + hull.len());
        // With fewer corners, or all of them on a line, there are none.
        if found.triangles.len() == expected || found.triangles.is_empty() && corners < 3 {
            Ok(())
        } else {
            Err(wrong(format!("{} triangles", found.triangles.len()), expected.to_string()))
        }
    }
}

fn coord([x, y]: [f64; 2]) -> Coord<f64> {
    Coord { x, y }
}
