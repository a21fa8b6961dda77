//! Forests of graphs: `minimum spanning forest` and `spanning forest` of the suite.

use std::hint::black_box;

use filch_graph::forest::forest;
use filch_graph::msf::{self, MinimumForest, msf};
use filch_graph::verify::{verify_forest, verify_msf};
use filch_graph::{Csr, GraphSpec, Labels, Shape, WeightedCsr};
use filch_kernels::{Domain, Instance, Mismatch, Program, Rule, Sizes};

use super::work::{OfLibrary, Work, wrong};

/// The edges that are drawn of `rMat24` for each of its 2^24 vertices: so many that 119 million are left without
/// duplicates and loops.
const RMAT_DEGREE: f64 = 119.8e6 / (1_u64 << 24) as f64;

/// The programs.
pub(super) const PROGRAMS: [Program; 4] = [
    on_cube(("mst-cube", "a minimum spanning forest of a cube of n vertices"), MINIMUM, |n| minimum(cube(n))),
    on_rmat(("mst-rmat", "a minimum spanning forest of an rMat graph of n vertices"), MINIMUM, |n| minimum(rmat(n))),
    on_cube(("spanning-cube", "a spanning forest of a cube of n vertices"), SPANNING, |n| spanning(cube(n))),
    on_rmat(("spanning-rmat", "a spanning forest of an rMat graph of n vertices"), SPANNING, |n| spanning(rmat(n))),
];

type Build = fn(u64) -> Box<dyn Instance>;
type Bytes = fn(u64, u64) -> u64;

/// About 14 arcs a vertex, with what building the graph, the forest and the check need for each of them.
const SPANNING: Bytes = |n, _| n * 14 * 16;
const MINIMUM: Bytes = |n, _| n * 14 * 32;

const CUBE: Rule = Rule { words: "a cube", floor: |n| side(n).pow(3) };
const POWER: Rule = filch_kernels::POWER_OF_TWO;

/// The side of the largest cube of at most n vertices.
fn side(n: u64) -> u64 {
    let guess = (n as f64).cbrt() as u64;
    (guess.saturating_sub(1)..=guess + 1).rev().find(|side| side.pow(3) <= n).unwrap_or(0)
}

const fn on_cube(name: (&'static str, &'static str), bytes: Bytes, build: Build) -> Program {
    let sizes = Sizes { small: 9_u64.pow(3), default: 100_u64.pow(3), paper: 320_u64.pow(3) };
    let domain = Domain { counts: "the number of vertices", min: 1, max: 1 << 30, rule: Some(CUBE) };
    Program { bytes, libraries: &[], ..Program::new(name, sizes, domain, build) }
}

const fn on_rmat(name: (&'static str, &'static str), bytes: Bytes, build: Build) -> Program {
    let sizes = Sizes { small: 1 << 10, default: 1 << 20, paper: 1 << 24 };
    let domain = Domain { counts: "the number of vertices", min: 1, max: 1 << 30, rule: Some(POWER) };
    Program { bytes, libraries: &[], ..Program::new(name, sizes, domain, build) }
}

fn cube(n: u64) -> Csr {
    generate(Shape::Cube { side: side(n) as usize })
}

fn rmat(n: u64) -> Csr {
    generate(Shape::Rmat { scale: n.ilog2() as usize, edges: (n as f64 * RMAT_DEGREE) as usize })
}

fn generate(shape: Shape) -> Csr {
    GraphSpec { shape, is_twice: false, labels: Labels::RowOrder }
        .generate(1)
        .expect("a graph for which there is memory")
}

fn spanning(graph: Csr) -> Box<dyn Instance> {
    Box::new(OfLibrary(Spanning { graph, found: None }))
}

fn minimum(graph: Csr) -> Box<dyn Instance> {
    Box::new(OfLibrary(Minimum { graph: graph.with_uniform_weights(1..=1 << 24, 2), found: None }))
}

struct Spanning {
    graph: Csr,
    found: Option<Vec<u32>>,
}

impl Work for Spanning {
    fn run(&mut self) {
        self.found = Some(forest(black_box(&self.graph)).expect("the graph does not change").parents);
    }

    fn serial_rival(&mut self) -> bool {
        self.found = Some(filch_graph::forest::serial(black_box(&self.graph)));
        true
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        verify_forest(&self.graph, &found).map_or_else(|error| Err(wrong(error.to_string(), "a forest")), |_| Ok(()))
    }
}

struct Minimum {
    graph: WeightedCsr,
    found: Option<MinimumForest>,
}

impl Work for Minimum {
    fn run(&mut self) {
        self.found = Some(msf(black_box(&self.graph)));
    }

    fn serial_rival(&mut self) -> bool {
        self.found = Some(msf::serial(black_box(&self.graph)));
        true
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let found = self.found.take().ok_or(Mismatch::Nothing)?;
        let summary = verify_msf(&self.graph, &found.edges);
        summary.map_or_else(|error| Err(wrong(error.to_string(), "a minimum forest")), |_| Ok(()))
    }
}
