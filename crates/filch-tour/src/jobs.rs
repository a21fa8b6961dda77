//! The jobs of the tour, which process the packages of Debian 12: sorting, a Fourier transform and a matrix product.
//!
//! Each job is a [`Program`] with a single size. It uses a kernel and a checker of `filch-kernels`.

use std::cmp::Reverse;
use std::collections::HashMap;

use fastrand::Rng;
use filch_bench::debian::{DEBIAN, Package};
use filch_kernels::cilksort::Cilksort;
use filch_kernels::fft::Fft;
use filch_kernels::matrix::Matrix;
use filch_kernels::notempmul::NoTempMul;
use filch_kernels::{Domain, Instance, Program, Sizes};
use num_complex::Complex;

/// All jobs, in the order of the tour.
pub static JOBS: [Program; 4] = [
    job("sort-names", "Debian's packages by name", 63_436, |_| Box::new(names())),
    job("sort-edges", "Debian's dependencies by what is depended on", 247_686, |_| Box::new(edges())),
    job("spectrum", "the Fourier transform of the packages' numbers of dependencies", POINTS, |_| spectrum().boxed()),
    job("chains", "how many ways lead from package to package in two steps", WANTED, |_| chains().boxed()),
];

/// The number of points of the transform, enough for a number per package.
const POINTS: u64 = 1 << 16;

/// The number of packages that are the rows and columns of the matrix: those on which most others depend.
pub const WANTED: u64 = 256;

const fn job(name: &'static str, about: &'static str, n: u64, build: fn(u64) -> Box<dyn Instance>) -> Program {
    let sizes = Sizes { small: n, default: n, paper: n };
    Program::new((name, about), sizes, Domain { counts: "what the data has", min: n, max: n, rule: None }, build)
}

/// The names in random order, to be sorted.
pub fn names() -> Cilksort<&'static str> {
    let mut names = DEBIAN.names.clone();
    Rng::with_seed(0).shuffle(&mut names);
    Cilksort::new(names)
}

/// The dependencies with the package that is depended on first. The data is sorted by the other package.
pub fn edges() -> Cilksort<(Package, Package)> {
    Cilksort::new(DEBIAN.dependencies.iter().map(|&(from, to)| (to, from)).collect())
}

/// The number of dependencies of each package, padded with zeros to a power of two.
pub fn spectrum() -> Fft {
    let numbers = DEBIAN.dependencies_by_package();
    let mut points: Vec<Complex<f64>> = numbers.into_iter().map(|number| f64::from(number).into()).collect();
    points.resize(POINTS as usize, Complex::ZERO);
    Fft::new(points).expect("a power of two")
}

/// The packages on which most others depend, in descending order.
pub fn most_wanted() -> Vec<Package> {
    let dependents = DEBIAN.dependents_by_package();
    let mut packages: Vec<Package> = (0..dependents.len() as Package).collect();
    packages.sort_by_key(|&package| Reverse(dependents[package as usize]));
    packages.truncate(WANTED as usize);
    packages
}

/// The square of the matrix that says which of the most wanted packages depend on which of them. Its elements count the
/// ways of two steps from one package to another.
pub fn chains() -> NoTempMul {
    let places: HashMap<Package, usize> = most_wanted().into_iter().zip(0..).collect();
    let side = WANTED as usize;
    let mut depends = vec![false; side * side];
    for (from, to) in &DEBIAN.dependencies {
        if let (Some(row), Some(column)) = (places.get(from), places.get(to)) {
            depends[row * side + column] = true;
        }
    }
    let matrix = || Matrix::from_fn(side, |row, column| if depends[row * side + column] { 1.0 } else { 0.0 });
    NoTempMul::new(matrix(), matrix())
}
