//! The n queens problem over one board: plain backtracking, [`filch::search`], and joins with copied boards.
//!
//! The workspace is a board on which queens are placed and taken away row by row. In one form nothing is copied; in
//! another the board is copied only when work moves (Hiraishi, Yasugi, Umatani and Yuasa 2009); in the third each
//! branch of a join gets a copy, as in [`queens`](mod@filch_kernels::queens), whose board is larger and slower. All of
//! them go through the same tree. On one worker they do so in the same order.

use std::hint::black_box;

use ::filch::{Bits, Node, Search, Strand};
use filch_cluster::{Cluster, ClusterError};
use filch_kernels::queens::SOLUTIONS;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Forms, Grain, Kernel, Mismatch, Program, Sizes, WithForms};
use serde::{Deserialize, Serialize};

/// The form of Filch is a search, which has no cut-off; that of the serial elision is plain backtracking over the same
/// board; those of other libraries, which have no search, copy boards down to the cut-off.
pub const PROGRAM: Program = Program {
    grain: Some(GRAIN),
    is_for_ranks: true,
    ..Program::new(
        ("queens-search", "the number of solutions of the n queens problem, over one board"),
        SIZES,
        DOMAIN,
        |n| Box::new(WithForms::<_, OneBoard>::new(Copied::new(n))),
    )
};

/// Every library copies boards, down to the cut-off. With `--grain 1` there is none.
pub const COPIED: Program = Program {
    name: "queens-copied",
    about: "the same as queens-search, with a board for each branch",
    build: |n| Box::new(Copied::new(n)),
    is_for_ranks: false,
    ..PROGRAM
};

const SIZES: Sizes = Sizes { small: 8, default: 12, paper: 14 };

const DOMAIN: Domain = Domain {
    counts: "the number of queens, of boards that have been counted,",
    min: 1,
    max: SOLUTIONS.len() as u64 - 1,
    rule: None,
};

/// A leaf is searched by plain backtracking over its own board. With ten rows it takes some tens of microseconds,
/// beside which a fork costs nothing, and a large board has thousands of leaves.
const GRAIN: Grain =
    Grain { counts: "the number of free rows of a leaf", default: 10, max: SOLUTIONS.len() as u64 - 1 };

/// The problem: queens on a board of n × n, n at most [`MOST`].
#[derive(Clone, Copy, Debug)]
pub struct Queens {
    n: u8,
}

/// The largest board.
pub const MOST: u8 = 30;

/// A board with queens in its first rows. The files and diagonals of the queens are those that meet the next row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Board {
    files: u64,
    rising: u64,
    falling: u64,
    rows: u8,
    /// The file of the queen in each row. Rows above may have older values.
    queens: [u8; MOST as usize + 1],
}

/// Equal if the same queens are on both.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        let attacked = |board: &Board| [board.files, board.rising, board.falling];
        self.queens() == other.queens() && attacked(self) == attacked(other)
    }
}

/// The bit of file 0 among the falling diagonals, which move towards bit 0 from row to row. The rising ones move away
/// from it, so file 0 has bit 0 there. A diagonal that leaves the board stays in its word, so a step can be taken back.
const FIRST: u32 = 32;

impl Board {
    /// A board without queens.
    pub const EMPTY: Board = Board { files: 0, rising: 0, falling: 0, rows: 0, queens: [0; MOST as usize + 1] };

    /// The file of the queen in each row that has one.
    pub fn queens(&self) -> &[u8] {
        &self.queens[..usize::from(self.rows)]
    }

    /// Puts a queen on a file of the next row that is not attacked.
    #[inline(always)]
    fn place(&mut self, file: u32) {
        let queen = 1 << file;
        self.files ^= queen;
        self.rising = (self.rising | queen) << 1;
        self.falling = (self.falling | queen << FIRST) >> 1;
        self.queens[usize::from(self.rows)] = file as u8;
        self.rows += 1;
    }

    #[inline(always)]
    fn take_away(&mut self, file: u32) {
        let queen = 1 << file;
        self.rows -= 1;
        self.files ^= queen;
        self.rising = self.rising >> 1 ^ queen;
        self.falling = self.falling << 1 ^ queen << FIRST;
    }
}

impl Queens {
    /// The problem of this size.
    ///
    /// # Panics
    ///
    /// If n is more than [`MOST`].
    pub fn new(n: u8) -> Self {
        assert!(n <= MOST, "{n} queens: expected at most {MOST}");
        Queens { n }
    }

    /// Plain backtracking over the same board, and the number of solutions.
    #[inline(never)]
    pub fn backtrack(&self, board: &mut Board) -> u64 {
        let files = match self.choices(board) {
            Node::Solution => return 1,
            Node::Choices(files) => files,
        };
        let mut solutions = 0;
        for file in files {
            board.place(file);
            solutions += self.backtrack(board);
            board.take_away(file);
        }
        solutions
    }
}

impl Search for Queens {
    type Workspace = Board;
    type Choices = Bits;

    #[inline(always)]
    fn choices(&self, board: &mut Board) -> Node<Bits> {
        if board.rows == self.n {
            return Node::Solution;
        }
        let attacked = board.files | board.rising | board.falling >> FIRST;
        Node::Choices(Bits(!attacked & ((1 << self.n) - 1)))
    }

    #[inline(always)]
    fn apply(&self, board: &mut Board, file: u32) {
        board.place(file);
    }

    #[inline(always)]
    fn undo(&self, board: &mut Board, file: u32) {
        board.take_away(file);
    }
}

/// The program with copies: the number of solutions with the next queen on one of these files. Divides the files in
/// halves, and copies the board for a single one.
fn copied<R: Runtime>(mut t: Token<R>, queens: Queens, board: &Board, files: Bits, grain: u8) -> u64 {
    let Some((former, latter)) = halves(files) else {
        let Bits(0) = files else {
            let mut child = *board;
            child.place(files.0.trailing_zeros());
            return with_copies(t, queens, child, grain);
        };
        return 0;
    };
    let (a, b) = t.join(|t| copied(t, queens, board, former, grain), |t| copied(t, queens, board, latter, grain));
    a + b
}

#[inline(never)]
fn with_copies<R: Runtime>(t: Token<R>, queens: Queens, mut board: Board, grain: u8) -> u64 {
    if queens.n - board.rows <= grain {
        return queens.backtrack(&mut board);
    }
    match queens.choices(&mut board) {
        Node::Solution => 1,
        Node::Choices(files) => copied(t, queens, &board, files, grain),
    }
}

/// Two halves of the files; `None` if there are fewer than two. Divided at the middle of the span, which is cheaper
/// than by number.
fn halves(files: Bits) -> Option<(Bits, Bits)> {
    if files.0 & files.0.wrapping_sub(1) == 0 {
        return None;
    }
    let middle = files.0.trailing_zeros().midpoint(files.0.ilog2()) + 1;
    let low = (1 << middle) - 1;
    Some((Bits(files.0 & low), Bits(files.0 & !low)))
}

struct Copied {
    queens: Queens,
    grain: u8,
    answer: Answer<u64>,
}

impl Copied {
    fn new(n: u64) -> Self {
        Copied { queens: Queens::new(n as u8), grain: GRAIN.default as u8, answer: Answer::new() }
    }
}

impl Kernel for Copied {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(with_copies(t, self.queens, black_box(Board::EMPTY), self.grain));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&SOLUTIONS[usize::from(self.queens.n)])
    }

    fn set_grain(&mut self, grain: u64) {
        // A leaf of one row is no cut-off.
        self.grain = if grain == 1 { 0 } else { grain as u8 };
    }
}

/// The forms over one board.
struct OneBoard;

impl Forms<Copied> for OneBoard {
    fn serial(kernel: &mut Copied) {
        kernel.answer.record(kernel.queens.backtrack(&mut black_box(Board::EMPTY)));
    }

    fn filch(kernel: &mut Copied, mut s: Strand<'_>) {
        kernel.answer.record(s.search(&kernel.queens, black_box(Board::EMPTY)).count());
    }

    fn on_ranks(kernel: &mut Copied, cluster: &Cluster) -> Result<(), ClusterError> {
        kernel.answer.record(cluster.search(&kernel.queens, black_box(Board::EMPTY)).count()?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn every_form_finds_the_known_number_of_solutions() {
        for n in 1..=9_u8 {
            let (queens, expected) = (Queens::new(n), SOLUTIONS[usize::from(n)]);
            let mut board = Board::EMPTY;
            assert_eq!(queens.backtrack(&mut board), expected);
            assert_eq!(board.queens(), [], "all queens are taken away");
            assert_eq!(filch::search(&queens, Board::EMPTY).count(), expected);
            for grain in [0, 2, n] {
                assert_eq!(with_copies(Serial::token(), queens, Board::EMPTY, grain), expected);
            }
        }
    }

    #[test]
    fn steps_on_the_largest_board_are_taken_back() {
        // For an even n that does not leave 2 when divided by 6, this is a solution.
        let files = (1..u32::from(MOST)).step_by(2).chain((0..u32::from(MOST)).step_by(2));
        let mut board = Board::EMPTY;
        let mut before = Vec::new();
        for file in files.clone() {
            let Node::Choices(mut free) = Queens::new(MOST).choices(&mut board) else { panic!("a free row") };
            assert!(free.any(|free| free == file));
            before.push(board);
            board.place(file);
        }
        assert_eq!(Queens::new(MOST).choices(&mut board), Node::Solution);
        for (file, before) in files.collect::<Vec<_>>().into_iter().zip(before).rev() {
            board.take_away(file);
            assert_eq!(board, before);
        }
        assert_eq!(filch::search(&Queens::new(7), Board::EMPTY).checked().count(), 40);
    }

    /// Twenty-two queens are those of (Frigo, Leiserson and Randall 1998, section 6).
    #[test]
    fn the_first_solution_of_twenty_two_queens_is_one() {
        let board = filch::search(&Queens::new(22), Board::EMPTY).find_first(|board| *board).expect("a solution");
        let places: Vec<(i32, i32)> =
            board.queens().iter().zip(0..).map(|(&file, row)| (i32::from(file), row)).collect();
        assert_eq!(places.len(), 22);
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| a.0 != b.0 && (a.0 - b.0).abs() != a.1 - b.1));
        }
    }
}
