//! The number of ways to place n queens that do not attack each other. Each child has its own copy of the board (Frigo,
//! Leiserson and Randall 1998, section 6, where the search stops at the first solution).
//!
//! The columns of a row are tried in a balanced tree of joins, divided in halves down to single columns.

use std::hint::black_box;
use std::ops::Range;

use crate::answer::{Answer, Mismatch};
use crate::kernel::Kernel;
use crate::program::{Domain, Program, Sizes};
use crate::runtime::{Runtime, Token};

/// Its entry in the list of programs. The 22 queens of (Frigo, Leiserson and Randall 1998) are for the first solution
/// only: there are 2.7·10^12 solutions in all. There are 3.9·10^10 solutions of 20 queens (Chen, Huang, Guo and
/// Zhou 2011, table III), and 1.5·10^7 of 16 queens (OEIS A000170).
pub const PROGRAM: Program = Program::new(
    ("queens", "the number of solutions of the n queens problem, copying boards"),
    Sizes { small: 9, default: 12, paper: 16 },
    Domain {
        counts: "the number of queens, of boards that have been counted,",
        min: 1,
        max: LARGEST as u64,
        rule: None,
    },
    build,
);

#[inline(never)]
fn build(n: u64) -> Box<dyn crate::Instance> {
    Box::new(Queens { n: n as u8, answer: Answer::new() })
}

/// The largest board whose solutions anyone has counted, so that a result can be checked. All these numbers fit into
/// the result, too: 27 queens have 2.3·10^17 solutions, and 2^64 is some eighty times that.
const LARGEST: usize = SOLUTIONS.len() - 1;

/// The number of rows for which a board has room. With it, a board takes 32 bytes, which are two copies of 16.
const ROWS: usize = 30;

/// A board of n × n with queens in its first rows.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    n: u8,
    rows: u8,
    /// The column of the queen in each row.
    queens: [u8; ROWS],
}

const _: () = assert!(LARGEST <= ROWS && size_of::<Board>() == 32);

impl Board {
    /// A board without queens.
    pub fn empty(n: u8) -> Self {
        Self { n, rows: 0, queens: [0; ROWS] }
    }

    /// The columns of the next row.
    pub fn columns(&self) -> Range<u8> {
        0..self.n
    }

    /// The column of the queen in each row that has one.
    #[inline]
    pub fn queens(&self) -> &[u8] {
        &self.queens[..usize::from(self.rows)]
    }

    /// Whether there is a queen in each row.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.rows == self.n
    }

    /// A copy with a queen in this column of the next row; `None` if another queen attacks it.
    #[inline]
    pub fn with_queen_at(&self, column: u8) -> Option<Self> {
        for (&queen, distance) in self.queens().iter().rev().zip(1..) {
            if queen == column || queen.abs_diff(column) == distance {
                return None;
            }
        }
        let mut copy = *self;
        copy.queens[usize::from(self.rows)] = column;
        copy.rows += 1;
        Some(copy)
    }
}

/// The columns in two halves, the first of which is not the larger one.
#[inline]
pub fn halves(columns: Range<u8>) -> (Range<u8>, Range<u8>) {
    let middle = columns.start.midpoint(columns.end);
    (columns.start..middle, middle..columns.end)
}

/// The program: the number of solutions with the next queen in one of these columns.
#[inline(never)]
pub fn queens<R: Runtime>(mut t: Token<R>, board: &Board, columns: Range<u8>) -> u64 {
    if columns.len() == 1 {
        return match board.with_queen_at(columns.start) {
            None => 0,
            Some(child) if child.is_full() => 1,
            Some(child) => queens(t, &child, child.columns()),
        };
    }
    let (left, right) = halves(columns);
    let (a, b) = t.join(|t| queens(t, board, left), |t| queens(t, board, right));
    a + b
}

/// The checker: the numbers of solutions by n (OEIS A000170).
pub const SOLUTIONS: [u64; 28] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

struct Queens {
    n: u8,
    answer: Answer<u64>,
}

impl Kernel for Queens {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let board = black_box(Board::empty(self.n));
        self.answer.record(queens(t, &board, board.columns()));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&SOLUTIONS[usize::from(self.n)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_up_to_eight_queens_has_the_known_number_of_solutions() {
        for n in 1..=8 {
            let mut instance = (PROGRAM.build)(n);
            instance.serial();
            assert_eq!(instance.verify(), Ok(()), "{n} queens");
        }
    }

    #[test]
    fn the_checker_rejects_a_lost_solution() {
        let mut instance = Queens { n: 8, answer: Answer::new() };
        instance.answer.record(91);
        let mismatch = instance.verify().unwrap_err();
        assert_eq!(mismatch.to_string(), "found 91, expected 92");
    }

    #[test]
    fn queens_attack_along_columns_and_both_diagonals() {
        let board = Board::empty(8).with_queen_at(3).unwrap();
        for attacked in [2, 3, 4] {
            assert!(board.with_queen_at(attacked).is_none());
        }
        assert!(board.with_queen_at(1).is_some());
        let next = board.with_queen_at(5).unwrap();
        assert!(next.with_queen_at(1).is_none(), "two rows up, two to the right");
    }
}
