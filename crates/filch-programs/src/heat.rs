//! Heat that spreads in a plate (Frigo, Leiserson and Randall 1998, section 6; the "five-point heat" of Chen, Huang and
//! Guo 2011, section I). In each step of time, every cell moves towards the mean of its four neighbours, in a second
//! grid (Jacobi's iteration). Around the cells is a frame with a constant temperature.
//!
//! A step divides the rows in halves down to the cut-off. All that a step reads was written in the step before, and
//! there is little work per cell. So the grids are loaded from memory, or from a shared cache, again and again.

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Data, Domain, Grain, Kernel, Library, Mismatch, Program, Rule, Shape, Sizes};

use crate::grid::{self, FRAME, compare_row};

/// Its entry in the list of programs. The 4096 × 512 cells of (Frigo, Leiserson and Randall 1998) are n = 4096. Chen,
/// Huang, Guo and Zhou have 512 × 512 to 4096 × 8192 cells (2011, sections V-A and V-B), and 3072 × 2048 in an example.
pub const PROGRAM: Program = Program {
    name: "heat",
    about: "100 steps of heat that spreads over n rows of n/8 cells",
    sizes: Sizes { small: 64, default: 2048, paper: 4096 },
    domain: Domain {
        counts: "the number of rows",
        min: ROWS_PER_COLUMN,
        max: grid::LONGEST,
        rule: Some(Rule { words: "a multiple of 8", floor: |n| n - n % ROWS_PER_COLUMN }),
    },
    // At the default size a leaf takes about a microsecond, and a step has 256 leaves.
    grain: Some(Grain { counts: "the number of rows of a leaf", default: 8, max: grid::LONGEST }),
    forks: None,
    loops: &[],
    bytes: |n, _| bytes(n, n / ROWS_PER_COLUMN),
    data: Some(Data::Streamed(|n| grid::bytes(n, n / ROWS_PER_COLUMN))),
    libraries: Library::ALL,
    is_for_ranks: false,
    input: None,
    shape: Some(Shape {
        longest: grid::LONGEST,
        bytes,
        data: grid::bytes,
        build: |rows, columns| Box::new(Heat::new(rows as usize, columns as usize)),
    }),
    build: |n| Box::new(Heat::new(n as usize, (n / ROWS_PER_COLUMN) as usize)),
};

const ROWS_PER_COLUMN: u64 = 8;

/// The initial grid, the two grids that alternate, and the checker's two.
fn bytes(rows: u64, columns: u64) -> u64 {
    5 * grid::bytes_with_frame(rows, columns)
}

/// The number of steps per call; even, so that the last step writes the second grid.
const STEPS: usize = 100;

/// The share of a neighbour's difference that a cell takes over in a step. The iteration is stable up to 1/4.
const SHARE: f64 = 0.2;

/// Temperatures by row, including the frame.
#[derive(Clone)]
struct Grid {
    /// The length of a row: its cells and two of the frame.
    width: usize,
    cells: Vec<f64>,
}

impl Grid {
    /// The initial condition: temperatures from 0 to 1 in cells and frame.
    fn initial(rows: usize, columns: usize) -> Self {
        Self { width: columns + FRAME, cells: grid::initial(rows, columns) }
    }

    /// The rows without those of the frame.
    fn inner_rows(&mut self) -> &mut [f64] {
        let frame = self.width;
        let end = self.cells.len() - frame;
        &mut self.cells[frame..end]
    }

    /// Overwrites every cell with a wrong value, but not the frame.
    fn poison(&mut self) {
        let width = self.width;
        for row in self.inner_rows().chunks_exact_mut(width) {
            row[1..width - 1].fill(f64::NAN);
        }
    }
}

/// The program: a step of time, from the rows `from` to the rows `to` of the other grid. `from` has one more row at
/// either end.
#[inline(never)]
pub fn step<R: Runtime>(mut t: Token<R>, from: &[f64], to: &mut [f64], width: usize, grain: usize) {
    let rows = to.len() / width;
    if rows <= grain {
        t.touches([from], [to]);
        return step_rows(from, to, width);
    }
    let middle = rows / 2 * width;
    let (top, bottom) = to.split_at_mut(middle);
    t.join(
        |t| step(t, &from[..middle + 2 * width], top, width, grain),
        |t| step(t, &from[middle..], bottom, width, grain),
    );
}

/// A leaf.
#[inline(never)]
fn step_rows(from: &[f64], to: &mut [f64], width: usize) {
    for (row, to) in to.chunks_exact_mut(width).enumerate() {
        let above = &from[row * width..][..width];
        let here = &from[(row + 1) * width..][..width];
        let below = &from[(row + 2) * width..][..width];
        for x in 1..width - 1 {
            let neighbours = (above[x] + below[x]) + (here[x - 1] + here[x + 1]);
            to[x] = here[x] + SHARE * (neighbours - 4.0 * here[x]);
        }
    }
}

struct Heat {
    initial: Grid,
    grids: [Grid; 2],
    grain: usize,
    called: bool,
    /// The checker's result, once there is one.
    expected: Option<Vec<Vec<f64>>>,
}

impl Heat {
    fn new(rows: usize, columns: usize) -> Self {
        let initial = Grid::initial(rows, columns);
        let grids = [initial.clone(), initial.clone()];
        let grain = PROGRAM.grain.map_or(1, |grain| grain.default) as usize;
        let mut heat = Self { initial, grids, grain, called: false, expected: None };
        heat.forget();
        heat
    }

    fn forget(&mut self) {
        self.called = false;
        self.grids.iter_mut().for_each(Grid::poison);
    }
}

impl Kernel for Heat {
    fn run<R: Runtime>(&mut self, mut t: Token<R>) {
        let Self { initial, grids: [first, second], grain, .. } = self;
        let width = initial.width;
        step(t.reborrow(), &black_box(&*initial).cells, first.inner_rows(), width, *grain);
        for _ in 1..STEPS / 2 {
            step(t.reborrow(), &first.cells, second.inner_rows(), width, *grain);
            step(t.reborrow(), &second.cells, first.inner_rows(), width, *grain);
        }
        step(t, &first.cells, second.inner_rows(), width, *grain);
        self.called = true;
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        if !self.called {
            return Err(Mismatch::Nothing);
        }
        let Grid { width, cells } = &self.initial;
        let expected = self.expected.get_or_insert_with(|| in_rows_and_columns(cells, *width));
        let found = self.grids[1].cells.chunks_exact(*width);
        let result =
            found.zip(expected).enumerate().try_for_each(|(row, (found, expected))| compare_row(row, found, expected));
        self.forget();
        result
    }

    fn set_grain(&mut self, grain: u64) {
        self.grain = (grain as usize).max(1);
    }
}

/// The checker: all steps in two plain loops. The operations on a cell have the same order here, so the results must be
/// equal to the last bit.
fn in_rows_and_columns(initial: &[f64], width: usize) -> Vec<Vec<f64>> {
    let mut now: Vec<Vec<f64>> = initial.chunks(width).map(<[f64]>::to_vec).collect();
    let mut next = now.clone();
    for _ in 0..STEPS {
        for y in 1..now.len() - 1 {
            for x in 1..width - 1 {
                let laplacian = (now[y - 1][x] + now[y + 1][x]) + (now[y][x - 1] + now[y][x + 1]) - 4.0 * now[y][x];
                next[y][x] = now[y][x] + SHARE * laplacian;
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    fn extremes(values: &[f64]) -> (f64, f64) {
        (values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    fn after_a_call(n: usize) -> Heat {
        let mut heat = Heat::new(n, n / 8);
        heat.run(Serial::token());
        heat
    }

    #[test]
    fn no_cell_gets_warmer_or_colder_than_all_that_was_there_at_first() {
        let heat = after_a_call(64);
        let (coldest, warmest) = extremes(&heat.initial.cells);
        let (cold, warm) = extremes(&heat.grids[1].cells);
        assert!(coldest <= cold && warm <= warmest, "from {coldest}..{warmest} to {cold}..{warm}");
    }

    #[test]
    fn a_plate_of_one_temperature_keeps_it() {
        let mut heat = Heat::new(64, 8);
        for grid in [&mut heat.initial].into_iter().chain(&mut heat.grids) {
            grid.cells.fill(0.5);
        }
        heat.run(Serial::token());
        assert!(heat.grids[1].cells.iter().all(|&cell| cell == 0.5));
    }

    #[test]
    fn heat_spreads_alike_in_all_four_directions() {
        let width = 5;
        let mut from = vec![0.0; 5 * width];
        from[2 * width + 2] = 1.0;
        let mut to = vec![0.0; 3 * width];
        step(Serial::token(), &from, &mut to, width, 1);
        let by_row: Vec<&[f64]> = to.chunks(width).map(|row| &row[1..4]).collect();
        let kept = 1.0 - 4.0 * SHARE;
        assert_eq!([by_row[0], by_row[2]], [[0.0, SHARE, 0.0]; 2]);
        assert_eq!([by_row[1][0], by_row[1][2]], [SHARE; 2]);
        assert!((by_row[1][1] - kept).abs() < f64::EPSILON);
    }

    #[test]
    fn the_checker_rejects_one_cell_that_differs_in_its_last_bit() {
        let mut heat = after_a_call(64);
        assert_eq!(heat.verify(), Ok(()));

        heat.run(Serial::token());
        let cell = &mut heat.grids[1].cells[10 * 7 + 3];
        *cell = cell.next_up();
        let mismatch = heat.verify().unwrap_err().to_string();
        assert!(mismatch.contains("in row 7, column 3, expected"), "{mismatch}");
    }

    #[test]
    fn the_checker_rejects_a_step_too_few() {
        let mut heat = after_a_call(64);
        heat.grids.swap(0, 1);
        assert!(heat.verify().is_err());
    }
}
