//! Cholesky's factorisation of a sparse symmetric matrix, A = L·Lᵀ, on a quad tree (Frigo, Leiserson and Randall 1998,
//! figure 6).
//!
//! The matrix is divided into quadrants down to [blocks](quads::Block), and quadrants without elements are not there.
//! The program is that of [`cholesky`](crate::cholesky), which has all of its quadrants; where a product needs one that
//! is not there, it is made. So the fill-in is found while the numbers are computed.
//!
//! The serial program that it is measured against, its star in the figure, keeps the columns in linked lists
//! ([`lists`]), as the paper's does, and does less work.
//!
//! The paper's matrix, BCSSTK32, is the stiffness matrix of a car's chassis: 44,609 unknowns, 45 elements in a row. The
//! one here has as many of both at that size: a mesh as of a shell ([`mesh`]), numbered by nested dissection. A file of
//! BCSSTK32, or of another matrix, can be [read](mod@read) where there is one.
//!
//! A call starts with a copy of the matrix, which is part of the work and runs in parallel too.

pub mod lists;
pub mod mesh;
pub mod quads;
pub mod read;

use std::hint::black_box;
use std::path::Path;

use fastrand::Rng;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Domain, Extent, Input, InputError, Kernel, Mismatch, Program, Sizes};

use crate::residual::check_products;
use lists::Columns;
use mesh::Element;
use quads::{Tree, copy, factor, free};
use read::Matrix;

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program {
    bytes,
    input: Some(input),
    ..Program::new(
        ("sparse-cholesky", "the triangular factor of a sparse symmetric n × n matrix"),
        Sizes { small: 500, default: 10_000, paper: 44_609 },
        Domain { counts: "the number of rows", min: 1, max: 1 << 20, rule: None },
        |n| Box::new(SparseCholesky::new(n as usize, mesh::shell(n as usize))),
    )
};

/// The matrix in a file: see [`read`](mod@read).
fn input(path: &Path) -> Result<Input, InputError> {
    let matrix = Matrix::read(path)?;
    let count = matrix.elements_of_factor();
    let path = path.to_owned();
    Ok(Input {
        n: Extent::Number(matrix.side as u64),
        with: format!("a factor of {count} elements"),
        bytes: count * read::BYTES_OF_FACTOR,
        build: Box::new(move || {
            matrix.check(&path)?;
            Ok(Box::new(SparseCholesky::new(matrix.side, matrix.elements.clone())))
        }),
    })
}

/// By measurement (`the_memory_is_what_the_program_says`): the factor of a mesh of n nodes has O(n·log n) elements.
fn bytes(n: u64, _: u64) -> u64 {
    n * (1200 + 300 * u64::from(n.max(1).ilog2()))
}

/// A sparse symmetric matrix, and its factor after a call.
#[derive(Debug)]
pub struct SparseCholesky {
    side: usize,
    elements: Vec<Element>,
    matrix: Tree,
    factor: Factor,
    /// Draws the vectors of the checks.
    random: Rng,
}

/// What the last call has left.
#[derive(Debug)]
enum Factor {
    None,
    Quads(Tree),
    Lists(Columns),
}

impl SparseCholesky {
    /// A kernel for the matrix with these elements on and below its diagonal. All of the diagonal must be there, and
    /// the matrix must be positive definite.
    pub fn new(side: usize, elements: Vec<Element>) -> Self {
        let matrix = quads::tree(side, &elements);
        Self { side, elements, matrix, factor: Factor::None, random: Rng::with_seed(0) }
    }
}

impl Factor {
    /// Calls `visit` with each element on and below the diagonal of a matrix of this side.
    fn for_each(&self, side: usize, visit: &mut dyn FnMut(Element)) {
        match self {
            Factor::None => {}
            Factor::Quads(tree) => quads::for_each(side, tree, visit),
            Factor::Lists(columns) => columns.for_each(visit),
        }
    }
}

impl Kernel for SparseCholesky {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        // What an earlier call has left.
        if let Factor::Quads(tree) = std::mem::replace(&mut self.factor, Factor::None) {
            free(t.reborrow(), tree);
        }
        let mut tree = copy(t.reborrow(), black_box(&self.matrix));
        factor(t, &mut tree);
        self.factor = Factor::Quads(tree);
    }

    fn rival(&mut self) -> bool {
        self.factor = Factor::None;
        self.factor = Factor::Lists(Columns::factor(self.side, black_box(&self.elements)));
        true
    }

    /// L·(Lᵀ·r) equals A·r for random vectors r, except for rounding.
    fn verify(&mut self) -> Result<(), Mismatch> {
        let factor = std::mem::replace(&mut self.factor, Factor::None);
        if matches!(factor, Factor::None) {
            return Err(Mismatch::Nothing);
        }
        let (side, elements) = (self.side, &self.elements);
        // L·(Lᵀ·r), with a function of each element in its place.
        let product = |of: fn(f64) -> f64, r: &[f64]| {
            let mut columns = vec![0.0; side];
            factor.for_each(side, &mut |(row, column, l)| columns[column as usize] += of(l) * r[row as usize]);
            let mut rows = vec![0.0; side];
            factor.for_each(side, &mut |(row, column, l)| rows[row as usize] += of(l) * columns[column as usize]);
            rows
        };
        check_products(&mut self.random, side, "L·Lᵀ", |r| {
            let mut expected = vec![0.0; side];
            for &(row, column, a) in elements {
                expected[row as usize] += a * r[column as usize];
                if row != column {
                    expected[column as usize] += a * r[row as usize];
                }
            }
            let sizes: Vec<f64> = r.iter().map(|r| r.abs()).collect();
            [product(|l| l, r), expected, product(f64::abs, &sizes)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::Instance;
    use filch_kernels::runtime::Serial;
    use std::collections::BTreeMap;

    /// The elements of L.
    fn factor_of(program: &SparseCholesky) -> Vec<Element> {
        let mut elements = Vec::new();
        program.factor.for_each(program.side, &mut |element| elements.push(element));
        elements
    }

    /// L by the textbook, on a dense matrix.
    fn dense(side: usize, elements: &[Element]) -> Vec<Vec<f64>> {
        let mut l = vec![vec![0.0; side]; side];
        elements.iter().for_each(|&(row, column, a)| l[row as usize][column as usize] = a);
        for column in 0..side {
            for row in column..side {
                let sum: f64 = (0..column).map(|k| l[row][k] * l[column][k]).sum();
                let rest = l[row][column] - sum;
                l[row][column] = if row == column { rest.sqrt() } else { rest / l[column][column] };
            }
        }
        l
    }

    #[test]
    fn both_factors_are_those_of_the_textbook_at_any_size() {
        for side in [1, 2, 5, 7, 8, 9, 40, 123, 300] {
            let elements = mesh::shell(side);
            let expected = dense(side, &elements);
            let mut program = SparseCholesky::new(side, elements);
            let mut forms: [&mut dyn FnMut(&mut SparseCholesky); 2] =
                [&mut |program| program.serial(), &mut |program| assert!(Kernel::rival(program))];
            for form in &mut forms {
                form(&mut program);
                let factor = factor_of(&program);
                let found: BTreeMap<_, _> = factor.iter().map(|&(row, column, l)| ((row, column), l)).collect();
                assert_eq!(found.len(), factor.len(), "each element once");
                for (row, columns) in expected.iter().enumerate() {
                    for (column, l) in columns.iter().enumerate() {
                        let found = found.get(&(row as u32, column as u32)).copied().unwrap_or(0.0);
                        assert!((found - l).abs() <= 1e-12 * l.abs().max(1.0), "{side}: {row} {column}: {found} {l}");
                    }
                }
                assert_eq!(Kernel::verify(&mut program), Ok(()));
                assert_eq!(Kernel::verify(&mut program), Err(Mismatch::Nothing));
            }
        }
    }

    #[test]
    fn the_checker_rejects_one_wrong_element_of_either_factor() {
        let side = 60;
        let elements = mesh::shell(side);
        let mut program = SparseCholesky::new(side, elements);
        program.run(Serial::token());
        let right = factor_of(&program);
        for place in 0..right.len() {
            for wrong in [right[place].2 + 1e-6, f64::NAN] {
                let mut factor = right.clone();
                factor[place].2 = wrong;
                program.factor = Factor::Lists(Columns::of(side, &factor));
                assert!(Kernel::verify(&mut program).is_err(), "{:?}", right[place]);
            }
        }
        program.factor = Factor::Lists(Columns::of(side, &right));
        assert_eq!(Kernel::verify(&mut program), Ok(()));
    }

    #[test]
    fn the_paper_size_is_as_large_and_as_sparse_as_the_papers_matrix() {
        // BCSSTK32 has 1,029,655 elements on and below its diagonal.
        let elements = mesh::shell(PROGRAM.sizes.paper as usize).len();
        assert!((950_000..1_100_000).contains(&elements), "{elements}");
    }

    #[test]
    fn the_memory_is_what_the_program_says() {
        for side in [500, 5_000] {
            let mut program = SparseCholesky::new(side, mesh::shell(side));
            program.run(Serial::token());
            let Factor::Quads(factor) = &program.factor else { panic!("it has been called") };
            let used =
                quads::bytes(factor) + quads::bytes(&program.matrix) + program.elements.len() * size_of::<Element>();
            assert!(Kernel::rival(&mut program));
            let Factor::Lists(columns) = &program.factor else { panic!("there is a rival") };
            let lists = columns.bytes() + program.elements.len() * (size_of::<Element>() + 16);
            let used = used.max(lists + quads::bytes(&program.matrix));
            let said = bytes(side as u64, 1) as usize;
            assert!(used <= said && said <= 3 * used, "{side}: {used} bytes, and not {said}");
        }
    }
}
