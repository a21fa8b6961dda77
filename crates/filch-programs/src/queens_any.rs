//! Any one way to place n queens that do not attack each other: the search of [`queens`](filch_kernels::queens) until
//! the first solution, whichever that is (Frigo, Leiserson and Randall 1998, figure 6: a †, since the work differs from
//! run to run).
//!
//! Filch's form aborts the rest of a speculation, as Cilk's does. The others, and the serial elision, look at a flag
//! before each queen.

use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use filch::{Aborted, Speculation, SpeculativeStrand, State, Strand};
use filch_kernels::queens::{Board, halves};
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Forms, Instance, Kernel, Mismatch, Program, Sizes, WithForms};

/// Its entry in the list of programs.
pub const PROGRAM: Program = Program::new(
    ("queens-any", "any one solution of the n queens problem, by abort"),
    Sizes { small: 12, default: 22, paper: 22 },
    Domain { counts: "the number of queens", min: 4, max: 30, rule: None },
    |n| Box::new(WithForms::<_, ByAbort>::new(QueensAny { n: n as u8, answer: Answer::new() })),
);

/// The program: a solution with the next queen in one of these columns, if there is one and none has been found.
#[inline(never)]
pub fn any<R: Runtime>(mut t: Token<R>, board: &Board, columns: Range<u8>, is_found: &AtomicBool) -> Option<Board> {
    if is_found.load(Ordering::Relaxed) {
        return None;
    }
    if columns.len() == 1 {
        let child = board.with_queen_at(columns.start)?;
        if child.is_full() {
            is_found.store(true, Ordering::Relaxed);
            return Some(child);
        }
        return any(t, &child, child.columns(), is_found);
    }
    let (left, right) = halves(columns);
    let (a, b) = t.join(|t| any(t, board, left, is_found), |t| any(t, board, right, is_found));
    a.or(b)
}

/// The same as a speculation that its first solution aborts.
#[inline(never)]
fn first(
    mut s: SpeculativeStrand<'_>,
    board: &Board,
    columns: Range<u8>,
    search: &Speculation,
    solution: State<'_, Option<Board>>,
) -> Result<(), Aborted> {
    if columns.len() == 1 {
        let Some(child) = board.with_queen_at(columns.start) else { return Ok(()) };
        if child.is_full() {
            solution.with(|found| *found = Some(child))?;
            search.abort();
            return Err(Aborted);
        }
        return first(s, &child, child.columns(), search, solution);
    }
    let (left, right) = halves(columns);
    s.join(|s| first(s, board, left, search, solution), |s| first(s, board, right, search, solution)).map(|_| ())
}

struct QueensAny {
    n: u8,
    /// Whether there was a solution, and it was one.
    answer: Answer<bool>,
}

impl QueensAny {
    fn record(&mut self, found: Option<Board>) {
        self.answer.record(found.is_some_and(|board| is_solution(self.n, board.queens())));
    }
}

/// The checker: no two of the queens, one in each row, are in one column or on one diagonal.
fn is_solution(n: u8, queens: &[u8]) -> bool {
    let differ = |of: fn(u8, u8) -> u8| {
        let mut lines: Vec<u8> = queens.iter().zip(0..).map(|(&column, row)| of(column, row)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.len() == usize::from(n)
    };
    queens.len() == usize::from(n)
        && queens.iter().all(|&column| column < n)
        && differ(|column, _| column)
        && differ(|column, row| column + row)
        && differ(|column, row| 100 + column - row)
}

impl Kernel for QueensAny {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let board = black_box(Board::empty(self.n));
        let found = any(t, &board, board.columns(), &AtomicBool::new(false));
        self.record(found);
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&true)
    }
}

struct ByAbort;

impl Forms<QueensAny> for ByAbort {
    fn serial(kernel: &mut QueensAny) {
        Instance::serial(kernel);
    }

    fn filch(kernel: &mut QueensAny, mut s: Strand<'_>) {
        let board = black_box(Board::empty(kernel.n));
        // A child, because the body of a speculation is not aborted with it.
        let (found, ()) = s.speculate(None, |p, search| {
            p.spawn(|s, solution| first(s, &board, board.columns(), search, solution), |_, ()| ());
        });
        kernel.record(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_finds_a_solution_of_every_board_that_has_one() {
        for n in 4..=14 {
            let mut instance = (PROGRAM.build)(n);
            instance.serial();
            assert_eq!(instance.verify(), Ok(()), "{n} queens");
            for scheduler in [filch::Scheduler::default(), filch::Scheduler::chaos(n)] {
                let pool = filch::Pool::builder().workers(3).scheduler(scheduler).build().expect("a pool");
                pool.run(|s| instance.filch(s));
                assert_eq!(instance.verify(), Ok(()), "{n} queens");
            }
        }
    }

    #[test]
    fn the_checker_rejects_queens_in_one_line_and_boards_that_are_not_full() {
        assert!(is_solution(4, &[1, 3, 0, 2]));
        for wrong in [&[1, 3, 0][..], &[1, 3, 0, 4], &[1, 3, 1, 2], &[0, 1, 3, 2], &[3, 2, 0, 1], &[]] {
            assert!(!is_solution(4, wrong), "{wrong:?}");
        }
    }
}
