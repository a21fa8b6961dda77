//! Hard sudoku of 16 rows, by exact cover, whose solutions are counted: each has one.

use filch_kernels::{Domain, Program, Sizes};
use filch_search::{Cover, ExactCover, Sudoku as Board};

use crate::backtracking::{Searched, one_workspace, with_copies};

/// Its entry in the list of programs: one workspace, by [`Strand::search`](filch::Strand::search).
pub const PROGRAM: Program = Program::new(
    ("sudoku", "the solutions of a hard sudoku of 16 rows, on one board"),
    Sizes { small: 1, default: 3, paper: 3 },
    Domain { counts: "the number of a board in a file of three", min: 1, max: 3, rule: None },
    |n| one_workspace(Sudoku::new(n)),
);

/// The same with a copy of the board for each choice.
pub const COPIED: Program = Program {
    name: "sudoku-copied",
    about: "the same as sudoku, with a board for each branch",
    build: |n| with_copies(Sudoku::new(n)),
    ..PROGRAM
};

const BOARDS: &str = include_str!("../../filch-search/data/sudoku16.txt");

struct Sudoku(Board);

impl Sudoku {
    fn new(number: u64) -> Self {
        let mut boards = Board::parse(BOARDS).expect("the file is tested");
        Self(boards.swap_remove(number as usize - 1))
    }
}

impl Searched for Sudoku {
    type Problem = ExactCover;

    fn problem(&self) -> &ExactCover {
        self.0.cover()
    }

    fn start(cover: &ExactCover) -> Cover {
        cover.start()
    }

    fn expected(&self) -> i64 {
        1
    }
}
