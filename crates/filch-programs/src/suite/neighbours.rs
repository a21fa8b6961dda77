//! The nearest neighbours of all points: `nearest-neighbors` of the suite.

use std::hint::black_box;

use filch_geometry::{Points, nearest_neighbors};

use super::input::points;
use super::work::{OfLibrary, Work, wrong};
use crate::answer::Mismatch;
use crate::kernel::Instance;
use crate::program::{Domain, Program, ReadInput, Sizes};

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    program(
        ("neighbours-kuzmin", "the nearest neighbour of each of n points of Kuzmin's disc"),
        |path| points::of_file(path, BYTES, instance::<2, 1>),
        |n| instance::<2, 1>(points::kuzmin(n)),
    ),
    program(
        ("neighbours-plummer", "the nearest neighbour of each of n points of Plummer's cluster"),
        |path| points::of_file(path, BYTES, instance::<3, 1>),
        |n| instance::<3, 1>(points::plummer(n)),
    ),
    program(
        ("neighbours-10-kuzmin", "the ten nearest neighbours of each of n points of Kuzmin's disc"),
        |path| points::of_file(path, BYTES, instance::<2, 10>),
        |n| instance::<2, 10>(points::kuzmin(n)),
    ),
    program(
        ("neighbours-10-plummer", "the ten nearest neighbours of each of n points of Plummer's cluster"),
        |path| points::of_file(path, BYTES, instance::<3, 10>),
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

    /// Each point has as many others as it should; of some, they are as near as the nearest are.
    fn verify(&mut self) -> Result<(), Mismatch> {
        let (found, count) = (self.found.take().ok_or(Mismatch::Nothing)?, self.points.len());
        let each = self.k.min(count.saturating_sub(1));
        if found.len() != count * each {
            return Err(wrong(format!("{} neighbours", found.len()), format!("{}", count * each)));
        }
        let step = count.div_ceil(CHECKED).max(1);
        for index in (0..count).step_by(step) {
            let distance = |other: usize| squared(self.points[index], self.points[other]);
            let mut all: Vec<f64> = (0..count).filter(|&other| other != index).map(distance).collect();
            let neighbours = &found[index * each..(index + 1) * each];
            let own: Vec<f64> = neighbours.iter().map(|&other| distance(other as usize)).collect();
            if each > 0 {
                all.select_nth_unstable_by(each - 1, f64::total_cmp);
            }
            all.truncate(each);
            all.sort_by(f64::total_cmp);
            let is_distinct = neighbours
                .iter()
                .enumerate()
                .all(|(place, other)| *other as usize != index && !neighbours[..place].contains(other));
            if own != all || !is_distinct {
                return Err(wrong(format!("{neighbours:?} of point {index} at {own:?}"), format!("others at {all:?}")));
            }
        }
        Ok(())
    }
}

/// The square of their distance.
fn squared<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum()
}
