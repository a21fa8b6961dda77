//! Red-black successive over-relaxation on a grid (Chen, Huang, Guo and Zhou 2011, table III). The cells are coloured
//! like the squares of a chessboard. Each iteration moves every red cell beyond the mean of its four neighbours, all of
//! which are black, and then every black cell likewise. Around the cells is a frame that does not change.
//!
//! Cells of one colour do not depend on each other, so the result does not depend on their order. Each colour is stored
//! by itself: a sweep writes the rows of one colour and reads rows of the other, and it divides the rows in halves down
//! to the cut-off. As in `heat`, there is little work per cell, so the grid is loaded from memory, or from a shared
//! cache, twice per iteration. The work of a sweep over r rows of c cells is O(r·c), and its span O(c + log r).
//!
//! A call starts with a copy of the initial grid, which is part of the work and runs in parallel too.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Data, Domain, Grain, Kernel, Library, Mismatch, Program, Shape, Sizes};

use crate::grid::{self, FRAME, compare_row};

/// Its entry in the list of programs. The paper has 512 × 512 to 4096 × 8192 cells, mostly 1024 × 1024 (sections V-A
/// and V-B).
pub const PROGRAM: Program = Program {
    name: "sor",
    about: "100 iterations of red-black over-relaxation on n × n cells",
    sizes: Sizes { small: 48, default: 1024, paper: 1024 },
    domain: Domain { counts: "the number of rows and columns", min: 1, max: grid::LONGEST, rule: None },
    // At the default size a leaf takes a few microseconds, and a sweep has 128 leaves.
    grain: Some(Grain { counts: "the number of rows of a leaf", default: 8, max: grid::LONGEST }),
    forks: None,
    loops: &[],
    bytes: |n, _| bytes(n, n),
    data: Some(Data::Streamed(|n| grid::bytes(n, n))),
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: Some(Shape {
        longest: grid::LONGEST,
        bytes,
        data: grid::bytes,
        build: |rows, columns| Box::new(Sor::new(grid::initial(rows as usize, columns as usize), columns as usize)),
    }),
    build: |n| Box::new(Sor::new(grid::initial(n as usize, n as usize), n as usize)),
};

/// The initial grid as such and by colours, the colours that change, and the checker's grid.
fn bytes(rows: u64, columns: u64) -> u64 {
    4 * grid::bytes_with_frame(rows, columns)
}

/// The number of iterations per call.
const ITERATIONS: usize = 100;

/// How far a cell moves, relative to the mean of its neighbours. The iteration converges for factors between 0 and 2.
const FACTOR: f64 = 1.5;

/// The cells of one colour. The cell in row y and column x is red if x + y is even, and black otherwise. It is number
/// x/2 of its colour in that row. Rows have the same length; a cell at the end of a row may be unused.
type Cells = Vec<f64>;

/// Which columns a colour has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    Even,
    Odd,
}

impl Columns {
    /// Those of red cells if `colour` is 0, and of black cells if it is 1.
    fn of(colour: usize, row: usize) -> Self {
        if (colour + row).is_multiple_of(2) { Self::Even } else { Self::Odd }
    }

    fn others(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }
}

/// The program: a sweep over rows of one colour. `first` are the columns of the first row; rows have `columns` cells of
/// both colours besides the frame. `other` are the rows of the other colour, with one more at either end.
#[inline(never)]
fn sweep<R: Runtime>(
    mut t: Token<R>,
    own: &mut [f64],
    other: &[f64],
    columns: usize,
    (first, grain): (Columns, usize),
) {
    let width = row_length(columns);
    let rows = own.len() / width;
    if rows <= grain {
        t.touches([other], [own]);
        return sweep_rows(own, other, columns, first);
    }
    let half = rows / 2;
    let (top, bottom) = own.split_at_mut(half * width);
    let middle = if half.is_multiple_of(2) { first } else { first.others() };
    t.join(
        |t| sweep(t, top, &other[..(half + FRAME) * width], columns, (first, grain)),
        |t| sweep(t, bottom, &other[half * width..], columns, (middle, grain)),
    );
}

/// A leaf.
#[inline(never)]
fn sweep_rows(own: &mut [f64], other: &[f64], columns: usize, first: Columns) {
    let width = row_length(columns);
    let mut parity = first;
    for (row, own) in own.chunks_exact_mut(width).enumerate() {
        let above = &other[row * width..][..width];
        let here = &other[(row + 1) * width..][..width];
        let below = &other[(row + 2) * width..][..width];
        // Number k is between numbers k − 1 and k of the other colour if its column is even, k and k + 1 if it is odd.
        // So in either case the first cell without the frame is between numbers 0 and 1.
        let cells = match parity {
            Columns::Even => 1..columns / 2 + 1,
            Columns::Odd => 0..columns.div_ceil(2),
        };
        let neighbours = here.iter().zip(&here[1..]);
        let vertical = above[cells.clone()].iter().zip(&below[cells.clone()]);
        for ((cell, (above, below)), (left, right)) in own[cells].iter_mut().zip(vertical).zip(neighbours) {
            let mean = ((above + below) + (left + right)) * 0.25;
            *cell += FACTOR * (mean - *cell);
        }
        parity = parity.others();
    }
}

/// Copies in parallel, in parts of at most `leaf` cells.
#[inline(never)]
fn copy<R: Runtime>(mut t: Token<R>, from: &[f64], to: &mut [f64], leaf: usize) {
    if to.len() <= leaf {
        t.touches([from], [to]);
        return to.copy_from_slice(from);
    }
    let half = to.len() / 2;
    let ((from_left, from_right), (to_left, to_right)) = (from.split_at(half), to.split_at_mut(half));
    t.join(|t| copy(t, from_left, to_left, leaf), |t| copy(t, from_right, to_right, leaf));
}

/// The number of cells of one colour in a row, with the frame.
fn row_length(columns: usize) -> usize {
    (columns + FRAME).div_ceil(2)
}

struct Sor {
    columns: usize,
    initial: Vec<f64>,
    initial_colours: [Cells; 2],
    colours: [Cells; 2],
    grain: usize,
    called: bool,
    /// The checker's result, once there is one.
    expected: Option<Vec<f64>>,
}

impl Sor {
    /// An instance that begins with this grid, which includes the frame.
    fn new(initial: Vec<f64>, columns: usize) -> Self {
        let width = columns + FRAME;
        let cells = |colour: usize| {
            let row = |(y, row): (usize, &[f64])| {
                let mut cells = vec![0.0; row_length(columns)];
                for (x, cell) in row.iter().enumerate().filter(|(x, _)| (x + y) % 2 == colour) {
                    cells[x / 2] = *cell;
                }
                cells
            };
            initial.chunks_exact(width).enumerate().flat_map(row).collect::<Cells>()
        };
        let initial_colours = [cells(0), cells(1)];
        let colours = initial_colours.clone();
        let grain = PROGRAM.grain.map_or(1, |grain| grain.default) as usize;
        let mut sor = Self { columns, initial, initial_colours, colours, grain, called: false, expected: None };
        sor.forget();
        sor
    }

    fn forget(&mut self) {
        self.called = false;
        self.colours.iter_mut().for_each(|cells| cells.fill(f64::NAN));
    }

    /// The row of this number, both colours and the frame.
    fn row(&self, y: usize) -> Vec<f64> {
        let cell = |x: usize| self.colours[(x + y) % 2][y * row_length(self.columns) + x / 2];
        (0..self.columns + FRAME).map(cell).collect()
    }
}

impl Kernel for Sor {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        let Self { columns, initial_colours, colours: [red, black], grain, .. } = self;
        let (columns, grain, width) = (*columns, *grain, row_length(*columns));
        let [initial_red, initial_black] = black_box(&*initial_colours);
        let leaf = grain.saturating_mul(width);
        t.join(|t| copy(t, initial_red, red, leaf), |t| copy(t, initial_black, black, leaf));
        let inner = width..red.len() - width;
        for _ in 0..ITERATIONS {
            for colour in 0..2 {
                let (own, other) = if colour == 0 { (&mut *red, &*black) } else { (&mut *black, &*red) };
                let first = Columns::of(colour, 1);
                sweep(t.reborrow(), &mut own[inner.clone()], other, columns, (first, grain));
            }
        }
        self.called = true;
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let width = self.columns + FRAME;
        let expected = self.expected.take().unwrap_or_else(|| on_one_grid(self.initial.clone(), width));
        let mut rows = expected.chunks_exact(width).enumerate();
        let result = rows.try_for_each(|(y, expected)| compare_row(y, &self.row(y), expected));
        self.expected = Some(expected);
        self.forget();
        result
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = (grain as usize).max(1);
    }
}

/// The checker: all iterations in plain loops over one grid. The operations on a cell have the same order here, so the
/// results must be equal to the last bit.
fn on_one_grid(mut grid: Vec<f64>, width: usize) -> Vec<f64> {
    let rows = grid.len() / width;
    for sweep in 0..2 * ITERATIONS {
        for y in 1..rows - 1 {
            for x in (1..width - 1).filter(|x| (x + y) % 2 == sweep % 2) {
                let at = y * width + x;
                let sum = (grid[at - width] + grid[at + width]) + (grid[at - 1] + grid[at + 1]);
                grid[at] += FACTOR * (sum * 0.25 - grid[at]);
            }
        }
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    fn after_a_call(initial: Vec<f64>, columns: usize) -> Sor {
        let mut sor = Sor::new(initial, columns);
        sor.run(Serial::token());
        sor
    }

    #[test]
    fn grids_of_all_shapes_have_the_values_of_the_checker_at_every_cut_off() {
        for (rows, columns) in (1..8).flat_map(|rows| (1..8).map(move |columns| (rows, columns))) {
            let mut sor = Sor::new(grid::initial(rows, columns), columns);
            for grain in [1, 2, 3, 100] {
                Kernel::set_grain(&mut sor, grain);
                sor.run(Serial::token());
                assert_eq!(sor.verify(), Ok(()), "{rows}x{columns}, grain {grain}");
            }
        }
    }

    /// Of a function that is linear in rows and columns, each value is the mean of its neighbours'. On this grid an
    /// iteration reduces the error by a factor of 0.77 (Young's formula), so a hundred of them by 4·10⁻¹².
    #[test]
    fn it_converges_to_the_function_that_the_frame_determines() {
        let (rows, columns) = (14, 9);
        let width = columns + FRAME;
        let solution = |at: usize| (at / width) as f64 * 2.0 + (at % width) as f64 * 3.0;
        let is_frame = |at: usize| [0, rows + 1].contains(&(at / width)) || [0, columns + 1].contains(&(at % width));
        let start = (0..(rows + FRAME) * width).map(|at| if is_frame(at) { solution(at) } else { 0.0 }).collect();
        let largest = solution((rows + FRAME) * width - 1);
        let sor = after_a_call(start, columns);
        for at in 0..(rows + FRAME) * width {
            let error = (sor.row(at / width)[at % width] - solution(at)).abs();
            assert!(error < 1e-9 * largest, "{error:e} at {at}");
        }
    }

    #[test]
    fn the_checker_rejects_one_cell_that_differs_in_its_last_bit() {
        let mut sor = after_a_call(grid::initial(20, 10), 10);
        assert_eq!(sor.verify(), Ok(()));

        sor.run(Serial::token());
        let cell = &mut sor.colours[(7 + 3) % 2][7 * row_length(10) + 3 / 2];
        *cell = cell.next_up();
        let mismatch = sor.verify().unwrap_err().to_string();
        assert!(mismatch.contains("in row 7, column 3, expected"), "{mismatch}");
    }

    #[test]
    fn the_checker_rejects_the_grid_as_it_was_and_what_no_call_has_written() {
        let mut sor = after_a_call(grid::initial(8, 8), 8);
        sor.colours = sor.initial_colours.clone();
        assert!(matches!(sor.verify(), Err(Mismatch::Wrong { .. })));
        sor.called = true;
        assert!(matches!(sor.verify(), Err(Mismatch::Wrong { .. })));
    }
}
