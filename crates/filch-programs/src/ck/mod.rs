//! Checkers: the tree of all games of n plies from the initial position, and the best that the first side can reach in
//! them (the "rudimentary checkers" of Chen, Huang, Guo and Zhou 2011, table III, a program that comes with Cilk).
//!
//! This is plain minimax: no position is left out and none is looked up, so the tree is the same on every runtime. The
//! steps of a position are tried in a balanced tree of joins, divided in halves down to single steps, and each branch
//! has its own copy of the position. If a jump can go on, its next steps are branches likewise.
//!
//! With b steps per position and n plies, the work is O(b^n) and the span O(n·log b). Since jumps must be taken, b is
//! below 5 on average.

mod check;
mod position;
mod search;

use std::hint::black_box;

use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Kernel, Mismatch, Program, Sizes};

pub(crate) use self::check::{DEEPEST, best_result};
pub use self::position::{Position, Step, Steps};
pub use self::search::{Found, LOST, search};

/// Its entry in the list of programs. The paper does not say how many plies it looks ahead.
pub const PROGRAM: Program = Program::new(
    ("ck", "checkers: all games of n plies, and the best result"),
    Sizes { small: 5, default: 9, paper: 11 },
    Domain { counts: "the number of plies", min: 1, max: DEEPEST, rule: None },
    |n| Box::new(Ck { plies: n as u8, answer: Answer::new() }),
);

struct Ck {
    plies: u8,
    answer: Answer<Found>,
}

impl Kernel for Ck {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        let position = black_box(Position::INITIAL);
        self.answer.record(search(t, &position, self.plies));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        self.answer.check(&check::expected(self.plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn there_are_as_many_games_as_are_known_and_their_best_result_is_that_of_the_checker() {
        for plies in 1..=8 {
            assert_eq!(search(Serial::token(), &Position::INITIAL, plies), check::expected(plies), "{plies} plies");
        }
    }

    #[test]
    fn a_side_without_a_step_has_lost() {
        let alone = Position { own: 0, foe: 1 << 20, kings: 0 };
        assert_eq!(search(Serial::token(), &alone, 3), Found { games: 0, best: LOST });
        // The last man of the other side is jumped, so it is lost in the next ply.
        let winning = Position { own: 1 << 9, foe: 1 << 13, kings: 0 };
        assert_eq!(search(Serial::token(), &winning, 2), Found { games: 0, best: -LOST });
    }

    #[test]
    fn the_checker_rejects_a_lost_game_and_a_better_result() {
        let right = check::expected(4);
        for wrong in [Found { games: 1468, ..right }, Found { best: right.best + 1, ..right }] {
            let mut ck = Ck { plies: 4, answer: Answer::new() };
            ck.answer.record(wrong);
            let mismatch = ck.verify().unwrap_err().to_string();
            assert_eq!(mismatch, format!("found {wrong:?}, expected {right:?}"));
        }
    }
}
