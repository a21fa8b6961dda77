//! Gaussian elimination with partial pivoting: the solution of n linear equations (Chen, Huang, Guo and Zhou 2011,
//! table III, where it is called GE).
//!
//! Step by step, the row with the largest element in the next column becomes the pivot, and a multiple of it is
//! subtracted from every row below. The rows are divided in halves down to the cut-off. On the way back, each part
//! names its candidate for the next pivot, so no other pass over the column is necessary. At last the solution is
//! computed backwards, serially, in O(n²).
//!
//! The work is 2/3·n³ operations. Each of the n steps has a span of O(n + log n), so the span is O(n²). Every step
//! loads all that is left of the matrix, and unlike `lu` it does not reuse what is in a cache.
//!
//! A call starts with a copy of the equations, which is part of the work and runs in parallel too.

use std::hint::black_box;

use fastrand::Rng;
use filch_kernels::matrix::{random_element, times};
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Data, Domain, Grain, Kernel, Library, Mismatch, Program, Sizes};

use crate::residual::{check_factors, is_within, lower_and_upper, sizes};

/// Its entry in the list of programs. The matrix of the paper has 1024 × 1024 elements (section V-A).
pub const PROGRAM: Program = Program {
    name: "gauss",
    about: "n linear equations, solved by elimination with pivoting",
    sizes: Sizes { small: 48, default: 1024, paper: 1024 },
    domain: Domain { counts: "the number of equations", min: 1, max: MOST, rule: None },
    // At the default size a leaf takes a few microseconds at first, and a step has up to 64 leaves.
    grain: Some(Grain { counts: "the number of rows of a leaf", default: 16, max: MOST }),
    forks: None,
    loops: &[],
    bytes: |n, _| 2 * bytes(n),
    data: Some(Data::Streamed(bytes)),
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: None,
    build: |n| Box::new(Gauss::new(random_equations(n as usize), n as usize)),
};

const MOST: u64 = 1 << 14;

/// The bytes of n equations.
const fn bytes(n: u64) -> u64 {
    n * (n + 1) * size_of::<f64>() as u64
}

/// A row that may become the pivot.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    row: usize,
    /// The absolute value of its element in the next column.
    size: f64,
}

impl Candidate {
    /// Any other candidate is better.
    fn worst(row: usize) -> Self {
        Self { row, size: -1.0 }
    }

    /// The larger one; of equal ones, that further up.
    fn or(self, below: Self) -> Self {
        if below.size > self.size { below } else { self }
    }
}

/// A part of the equations: rows that lie one below the other.
struct Rows<'a> {
    /// The number of the first one.
    first: usize,
    elements: &'a mut [f64],
}

/// Copies rows, and returns the best candidate for the first pivot.
#[inline(never)]
fn copy<R: Runtime>(mut t: Token<R>, from: &[f64], to: Rows<'_>, width: usize, grain: usize) -> Candidate {
    let rows = to.elements.len() / width;
    if rows <= grain {
        t.touches([from], [to.elements]);
        to.elements.copy_from_slice(from);
        let size = |row: usize| Candidate { row: to.first + row, size: from[row * width].abs() };
        return (0..rows).map(size).fold(Candidate::worst(to.first), Candidate::or);
    }
    let (from_top, from_bottom) = from.split_at(rows / 2 * width);
    let (top, bottom) = halves(to, width);
    let (a, b) = t.join(|t| copy(t, from_top, top, width, grain), |t| copy(t, from_bottom, bottom, width, grain));
    a.or(b)
}

/// A step of the program: eliminates a column from rows below the pivot. The factors of the pivot take the place of
/// what is eliminated. Returns the best candidate for the pivot of the next column.
#[inline(never)]
fn eliminate<R: Runtime>(mut t: Token<R>, pivot: &[f64], rows: Rows<'_>, column: usize, grain: usize) -> Candidate {
    let width = pivot.len();
    if rows.elements.len() / width <= grain {
        t.touches([pivot], [rows.elements]);
        return eliminate_from_rows(pivot, rows, column);
    }
    let (top, bottom) = halves(rows, width);
    let (a, b) = t.join(|t| eliminate(t, pivot, top, column, grain), |t| eliminate(t, pivot, bottom, column, grain));
    a.or(b)
}

/// A leaf.
#[inline(never)]
fn eliminate_from_rows(pivot: &[f64], rows: Rows<'_>, column: usize) -> Candidate {
    let mut best = Candidate::worst(rows.first);
    let (pivot_element, pivot_rest) = (pivot[column], &pivot[column + 1..]);
    for (row, elements) in rows.elements.chunks_exact_mut(pivot.len()).enumerate() {
        let factor = elements[column] / pivot_element;
        elements[column] = factor;
        let rest = &mut elements[column + 1..];
        for (element, pivot) in rest.iter_mut().zip(pivot_rest) {
            *element -= factor * pivot;
        }
        best = best.or(Candidate { row: rows.first + row, size: rest[0].abs() });
    }
    best
}

fn halves(rows: Rows<'_>, width: usize) -> (Rows<'_>, Rows<'_>) {
    let Rows { first, elements } = rows;
    let half = elements.len() / width / 2;
    let (top, bottom) = elements.split_at_mut(half * width);
    (Rows { first, elements: top }, Rows { first: first + half, elements: bottom })
}

/// Exchanges two rows; `above` is the upper one, or the same.
fn swap_rows(elements: &mut [f64], width: usize, above: usize, below: usize) {
    if above != below {
        let (upper, lower) = elements.split_at_mut(below * width);
        upper[above * width..][..width].swap_with_slice(&mut lower[..width]);
    }
}

/// The solution of equations whose matrix is triangular.
fn substitute_backwards(elements: &[f64], width: usize, solution: &mut [f64]) {
    for (row, elements) in elements.chunks_exact(width).enumerate().rev() {
        let (known, right_side) = (&solution[row + 1..], elements[width - 1]);
        let sum: f64 = elements[row + 1..width - 1].iter().zip(known).map(|(element, x)| element * x).sum();
        solution[row] = (right_side - sum) / elements[row];
    }
}

/// Random numbers from −1 to 1, the same in every run, row by row; the right side is the last column.
fn random_equations(n: usize) -> Vec<f64> {
    let mut random = Rng::with_seed(n as u64);
    (0..n * (n + 1)).map(|_| random_element(&mut random)).collect()
}

struct Gauss {
    n: usize,
    /// Row by row, each with its right side.
    equations: Vec<f64>,
    /// U on and above the diagonal, L without its diagonal of ones below it, and the right side that belongs to U.
    factors: Vec<f64>,
    /// Which equation has become which row of the factors.
    order: Vec<usize>,
    solution: Vec<f64>,
    called: bool,
    /// Draws the vectors of the checks.
    random: Rng,
    grain: usize,
}

impl Gauss {
    fn new(equations: Vec<f64>, n: usize) -> Self {
        let grain = PROGRAM.grain.map_or(1, |grain| grain.default) as usize;
        let (factors, order, solution) = (equations.clone(), vec![0; n], vec![0.0; n]);
        let random = Rng::with_seed(0);
        let mut gauss = Self { n, equations, factors, order, solution, called: false, random, grain };
        gauss.forget();
        gauss
    }

    fn forget(&mut self) {
        self.called = false;
        self.factors.fill(f64::NAN);
        self.solution.fill(f64::NAN);
    }

    /// The checker. First, L·U is the matrix with its rows in the order of the pivots, except for rounding, and no
    /// factor exceeds 1, which is what pivoting is for. Then A·x is the right side, except for rounding: the solution
    /// is exact for a matrix that differs from A by at most 3·γ·|L|·|U| (Higham 2002, theorem 9.4), where γ is about
    /// n·ε/2, and computing A·x here adds γ·|L|·|U|·|x|. That is 2·n·ε·|L|·|U|·|x| in all, and 3·n·ε leaves room as
    /// above.
    fn check(&mut self) -> Result<(), Mismatch> {
        let (n, width) = (self.n, self.n + 1);
        let mut sorted = self.order.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..n) {
            let found = format!("rows in the order {:?}", self.order);
            return Err(Mismatch::Wrong { found, expected: format!("each of {n} once") });
        }
        let factor = |row: usize, column: usize| self.factors[row * width + column];
        for (row, column) in (0..n).flat_map(|row| (0..row).map(move |column| (row, column))) {
            if !is_within(1.0, factor(row, column), 0.0) {
                let found = format!("a factor of {} in row {row}, column {column}", factor(row, column));
                return Err(Mismatch::Wrong { found, expected: "at most 1".to_owned() });
            }
        }
        let (lower, upper) = lower_and_upper(factor);
        let in_order = |row: usize, column: usize| self.equations[self.order[row] * width + column];
        check_factors(&mut self.random, n, "L·U", (lower, upper), in_order)?;
        let found = times(in_order, &self.solution);
        for (row, size) in sizes(lower, upper, &self.solution).into_iter().enumerate() {
            let (found, expected) = (found[row], in_order(row, n));
            let bound = 3.0 * n as f64 * f64::EPSILON * size;
            if !is_within(bound, found, expected) {
                return Err(Mismatch::Wrong {
                    found: format!("{found} as the left side of equation {}", self.order[row]),
                    expected: format!("{expected}, give or take {bound:e}"),
                });
            }
        }
        Ok(())
    }
}

impl Kernel for Gauss {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        let Self { n, equations, factors, order, solution, grain, .. } = self;
        let (n, grain, width) = (*n, *grain, *n + 1);
        for (row, equation) in order.iter_mut().enumerate() {
            *equation = row;
        }
        let all = Rows { first: 0, elements: &mut *factors };
        let mut best = copy(t.reborrow(), black_box(equations), all, width, grain);
        for column in 0..n - 1 {
            swap_rows(factors, width, column, best.row);
            order.swap(column, best.row);
            let (done, below) = factors.split_at_mut((column + 1) * width);
            let rows = Rows { first: column + 1, elements: below };
            best = eliminate(t.reborrow(), &done[column * width..], rows, column, grain);
        }
        substitute_backwards(factors, width, solution);
        self.called = true;
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let checked = self.check();
        self.forget();
        checked
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = (grain as usize).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    fn called(equations: Vec<f64>, n: usize) -> Gauss {
        let mut gauss = Gauss::new(equations, n);
        gauss.run(Serial::token());
        gauss
    }

    #[test]
    fn random_equations_of_every_number_are_solved() {
        for n in 1..=40 {
            assert_eq!(called(random_equations(n), n).verify(), Ok(()), "{n}");
        }
    }

    #[test]
    fn equations_that_have_no_pivot_without_exchanges_are_solved_exactly() {
        // z = 3, 2·x = 2, y + z = 5
        let gauss = called(vec![0.0, 0.0, 1.0, 3.0, 2.0, 0.0, 0.0, 2.0, 0.0, 1.0, 1.0, 5.0], 3);
        assert_eq!(gauss.solution, [1.0, 2.0, 3.0]);
        assert_eq!(gauss.order, [1, 2, 0]);
    }

    #[test]
    fn the_solution_is_the_same_to_the_last_bit_at_every_cut_off() {
        let mut gauss = Gauss::new(random_equations(50), 50);
        let results = [1, 2, 3, 16, 100].map(|grain| {
            Kernel::set_grain(&mut gauss, grain);
            gauss.run(Serial::token());
            (gauss.factors.clone(), gauss.order.clone(), gauss.solution.clone())
        });
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn the_checker_rejects_one_wrong_number_anywhere() {
        let n = 12;
        let mut gauss = called(random_equations(n), n);
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let right = gauss.factors[row * (n + 1) + column];
            gauss.factors[row * (n + 1) + column] = right + 1e-9;
            assert!(gauss.check().is_err(), "row {row}, column {column}");
            gauss.factors[row * (n + 1) + column] = right;
        }
        for row in 0..n {
            let right = gauss.solution[row];
            for wrong in [right + 1e-9, f64::NAN] {
                gauss.solution[row] = wrong;
                assert!(gauss.check().is_err(), "solution {row}");
            }
            gauss.solution[row] = right;
        }
        assert_eq!(gauss.check(), Ok(()));
    }

    #[test]
    fn the_checker_rejects_an_elimination_without_pivoting_and_a_wrong_order() {
        // The first pivot is the smaller one: the factor is 2.
        let mut gauss = called(vec![1.0, 0.0, 1.0, 2.0, 1.0, 4.0], 2);
        (gauss.factors, gauss.order, gauss.solution) = (vec![1.0, 0.0, 1.0, 2.0, 1.0, 2.0], vec![0, 1], vec![1.0, 2.0]);
        let mismatch = gauss.check().unwrap_err().to_string();
        assert_eq!(mismatch, "found a factor of 2 in row 1, column 0, expected at most 1");
        gauss.order = vec![0, 0];
        assert!(gauss.check().unwrap_err().to_string().ends_with("expected each of 2 once"));
    }
}
