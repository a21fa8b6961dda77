//! The twelve pentominoes on rectangles of 60 squares, by exact cover (Knuth 2000). Hiraishi, Yasugi, Umatani and Yuasa
//! (2009) search for them in one workspace, too.

use filch_kernels::{Domain, Program, Sizes};
use filch_search::{Cover, ExactCover, Pentominoes};

use crate::backtracking::{Searched, one_workspace, with_copies};

/// Its entry in the list of programs: one workspace, by [`Strand::search`](filch::Strand::search).
pub const PROGRAM: Program = Program::new(
    ("pentomino", "the ways to cover a rectangle with pentominoes, on one board"),
    Sizes { small: 3, default: 4, paper: 6 },
    Domain { counts: "the shorter side of a rectangle of 60 squares", min: 3, max: 6, rule: None },
    |n| one_workspace(Rectangle::new(n)),
);

/// The same with a copy of the board for each choice.
pub const COPIED: Program = Program {
    name: "pentomino-copied",
    about: "the same as pentomino, with a board for each branch",
    sizes: Sizes { default: 3, ..PROGRAM.sizes },
    build: |n| with_copies(Rectangle::new(n)),
    ..PROGRAM
};

/// A rectangle. Its exact cover is made once, since no call changes it.
struct Rectangle {
    shorter: u64,
    pentominoes: Pentominoes,
}

impl Rectangle {
    fn new(shorter: u64) -> Self {
        let pentominoes = Pentominoes::new(60 / shorter, shorter).expect("the sides in the domain divide 60");
        Self { shorter, pentominoes }
    }
}

impl Searched for Rectangle {
    type Problem = ExactCover;

    fn problem(&self) -> &ExactCover {
        self.pentominoes.cover()
    }

    fn start(cover: &ExactCover) -> Cover {
        cover.start()
    }

    /// The numbers of solutions are known, those of 6×10 since 1960 (Knuth 2000).
    fn expected(&self) -> i64 {
        match self.shorter {
            3 => 2,
            4 => 368,
            5 => 1010,
            _ => 2339,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checker_rejects_a_lost_solution() {
        let mut instance = (PROGRAM.build)(3);
        instance.serial();
        assert_eq!(instance.verify(), Ok(()));
        let mut lost = one_workspace(Rectangle { shorter: 4, pentominoes: Pentominoes::new(20, 3).unwrap() });
        lost.serial();
        assert_eq!(lost.verify().unwrap_err().to_string(), "found 2, expected 368");
    }
}
