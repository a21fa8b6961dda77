//! Sorting by comparisons: `sample-sort` of the suite.

use std::hint::black_box;

use filch_algorithms::sort_unstable_by;
use filch_kernels::{Domain, Instance, Mismatch, Program, Sizes};
use rayon::slice::ParallelSliceMut;

use super::input::numbers;
use super::sorted::{Sorted, bytes};
use super::work::{ON_RAYON, OfLibrary, Work};

/// The pairs that change places in the almost sorted input.
const SWAPS: u64 = 10_000;

/// The programs.
pub(super) const PROGRAMS: [Program; 3] = [
    program("samplesort-random", "n numbers from 0 to 1, sorted", |n| instance(numbers::fractions(n))),
    program("samplesort-exponential", "n exponential numbers, sorted", |n| {
        instance(numbers::exponential(n).into_iter().map(f64::from).collect())
    }),
    program("samplesort-almost", "n numbers, 10,000 pairs of them swapped, sorted", |n| {
        instance(numbers::almost_sorted(n, SWAPS))
    }),
];

const fn program(name: &'static str, about: &'static str, build: fn(u64) -> Box<dyn Instance>) -> Program {
    let domain = Domain { counts: "the number of numbers", min: 0, max: 1 << 30, rule: None };
    let sizes = Sizes { small: 4_000, default: 10_000_000, paper: 100_000_000 };
    Program { bytes: |n, _| bytes::<f64>(n), libraries: ON_RAYON, ..Program::new((name, about), sizes, domain, build) }
}

fn instance(input: Vec<f64>) -> Box<dyn Instance> {
    Box::new(OfLibrary(SampleSort(Sorted::new(input))))
}

struct SampleSort(Sorted<f64>);

impl Work for SampleSort {
    fn run(&mut self) {
        self.0.sort(|items| sort_unstable_by(black_box(items), f64::total_cmp));
    }

    fn serial_rival(&mut self) -> bool {
        self.0.sort(|items| black_box(items).sort_unstable_by(f64::total_cmp));
        true
    }

    fn rayon_rival(&mut self) {
        self.0.sort(|items| black_box(items).par_sort_unstable_by(f64::total_cmp));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.0.verify(|items| items.sort_by(f64::total_cmp))
    }
}
