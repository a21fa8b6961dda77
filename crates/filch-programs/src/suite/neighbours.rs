//! The nearest neighbours of all points: `nearest-neighbors` of the suite.

use std::hint::black_box;

use filch_geometry::{Points, nearest_neighbors};
use filch_kernels::{Domain, Instance, Mismatch, Program, ReadInput, Sizes};

use super::input::points;
use super::work::{OfLibrary, Work, wrong};

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    program(
        ("neighbours-kuzmin", "the nearest of each of n points of Kuzmin's disc"),
        |path| points::of_file(path, BYTES, |points| Ok(instance::<2, 1>(points))),
        |n| instance::<2, 1>(points::kuzmin(n)),
    ),
    program(
        ("neighbours-plummer", "the nearest of each of n points of Plummer's"),
        |path| points::of_file(path, BYTES, |points| Ok(instance::<3, 1>(points))),
        |n| instance::<3, 1>(points::plummer(n)),
    ),
    program(
        ("neighbours-10-kuzmin", "the ten nearest of each of n points of Kuzmin's disc"),
        |path| points::of_file(path, BYTES, |points| Ok(instance::<2, 10>(points))),
        |n| instance::<2, 10>(points::kuzmin(n)),
    ),
    program(
        ("neighbours-10-plummer", "the ten nearest of each of n points of Plummer's"),
        |path| points::of_file(path, BYTES, |points| Ok(instance::<3, 10>(points))),
        |n| instance::<3, 10>(points::plummer(n)),
    ),
];

/// The bytes of a point, and of what is done with it.
const BYTES: u64 = 192;

/// The points that are checked: each against all others.
const CHECKED: usize = 32;

const fn program(name: (&'static str, &'static str), input: ReadInput, build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of points", min: 0, max: u32::MAX as u64, rule: None };
    let sizes = Sizes { small: 2_000, default: 2_000_000, paper: 100_000_000 };
    Program { bytes: |n, _| BYTES * n, libraries: &[], input: Some(input), ..Program::new(name, sizes, domain, build) }
}

fn instance<const D: usize, const K: usize>(points: Vec<[f64; D]>) -> Box<dyn Instance> {
    Box::new(OfLibrary(Neighbours { points, k: K, found: None }))
}

struct Neighbours<const D: usize> {
    points: Vec<[f64; D]>,
    k: usize,
    found: Option<Vec<u32>>,
}

impl<const D: usize> Work for Neighbours<D> {
    fn run(&mut self) {
        let points = Points::new(black_box(&self.points)).expect("finite points");
        self.found = Some(nearest_neighbors(points, self.k));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        check(&self.points, self.k, &self.found.take().ok_or(Mismatch::Nothing)?)
    }
}

/// Each point has as many others as it should, in the order of their distances, and no other point has it among its own
/// that is nearer than the last of these. Some points are compared with all others.
fn check<const D: usize>(points: &[[f64; D]], k: usize, found: &[u32]) -> Result<(), Mismatch> {
    let each = k.min(points.len().saturating_sub(1));
    if found.len() != points.len() * each {
        return Err(wrong(format!("{} neighbours", found.len()), format!("{}", points.len() * each)));
    }
    if each == 0 {
        return Ok(());
    }
    let of = |index: usize| &found[index * each..(index + 1) * each];
    for index in 0..points.len() {
        let neighbours = of(index);
        let is_other = |(place, &other): (usize, &u32)| {
            other as usize != index && (other as usize) < points.len() && !neighbours[..place].contains(&other)
        };
        let distance = |&other: &u32| squared(points[index], points[other as usize]);
        if !neighbours.iter().enumerate().all(is_other) || !neighbours.is_sorted_by_key(distance) {
            return Err(wrong(format!("{neighbours:?} of point {index}"), "others, the nearest first"));
        }
    }
    for index in 0..points.len() {
        for &other in of(index) {
            let (there, distance) = (of(other as usize), squared(points[index], points[other as usize]));
            let furthest = squared(points[other as usize], points[there[each - 1] as usize]);
            if distance < furthest && !there.contains(&(index as u32)) {
                return Err(wrong(format!("{there:?} of point {other}"), format!("{index}, which is nearer")));
            }
        }
    }
    for index in (0..points.len()).step_by(points.len().div_ceil(CHECKED)) {
        let distance = |other: usize| squared(points[index], points[other]);
        let mut all: Vec<f64> = (0..points.len()).filter(|&other| other != index).map(distance).collect();
        all.select_nth_unstable_by(each - 1, f64::total_cmp);
        let furthest = distance(of(index)[each - 1] as usize);
        if furthest != all[each - 1] {
            return Err(wrong(format!("{:?} of point {index}", of(index)), format!("others up to {}", all[each - 1])));
        }
    }
    Ok(())
}

/// The square of their distance.
fn squared<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_are_wrong_somewhere_are_found() {
        let points = points::kuzmin(2000);
        let right = nearest_neighbors(Points::new(&points).unwrap(), 10);
        assert_eq!(check(&points, 10, &right), Ok(()));
        let wrong = |change: &dyn Fn(&mut Vec<u32>)| {
            let mut changed = right.clone();
            change(&mut changed);
            check(&points, 10, &changed).unwrap_err();
        };
        wrong(&|found| found.truncate(19_990));
        wrong(&|found| found[777] = u32::MAX);
        wrong(&|found| found[777] = 77);
        wrong(&|found| found[777] = found[776]);
        wrong(&|found| found.swap(770, 779));
        // The eleventh in the place of the first.
        wrong(&|found| {
            let more = nearest_neighbors(Points::new(&points).unwrap(), 11);
            found[5_000..5_010].copy_from_slice(&more[5_501..5_511]);
        });
    }
}
