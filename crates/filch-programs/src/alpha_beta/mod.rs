//! Alpha-beta search of checkers: the best that the first side can reach in n plies, without the games that cannot
//! matter.
//!
//! This is what Cilk's inlets and abort were made for (Frigo, Leiserson and Randall 1998, sections 1 and 2). The moves
//! are those of [`ck`], and the value of a position is its material.
//!
//! The serial form tries steps in order and stops at the first that is too good, a cut-off. The others search the first
//! step of a position before the rest, on which they then speculate: "young brothers wait". They do more work than the
//! serial form, as much as they have begun when a cut-off comes. There are two of them:
//!
//! - `speculative.rs`, for Filch: a speculation for each position, whose inlet raises the bound and aborts at a
//!   cut-off;
//! - `by_hand.rs`, for libraries that have only joins: atomics that every branch looks at.
//!
//! All reach the same value, which does not depend on the schedule. Work and span depend on it.

mod bounds;
mod by_hand;
mod serial;
mod speculative;

use std::hint::black_box;

use filch::Strand;
use filch_kernels::runtime::{Runtime, Token};
use filch_kernels::{Answer, Domain, Forms, Kernel, Mismatch, Program, Sizes, WithForms};

use self::bounds::ALL;
use crate::ck::{self, Position};

/// Its entry in the list of programs. There is no size in a paper.
pub const PROGRAM: Program = Program::new(
    ("alpha-beta", "checkers: the best result in n plies, by alpha-beta search"),
    Sizes { small: 6, default: 15, paper: 17 },
    Domain { counts: "the number of plies", min: 1, max: ck::DEEPEST, rule: None },
    |n| Box::new(WithForms::<_, Speculative>::new(AlphaBeta::new(n as u8))),
);

struct AlphaBeta {
    plies: u8,
    answer: Answer<i32>,
    /// The result by the checker, which takes several times as long as the program.
    expected: Option<i32>,
}

impl AlphaBeta {
    fn new(plies: u8) -> Self {
        Self { plies, answer: Answer::new(), expected: None }
    }
}

/// By hand.
impl Kernel for AlphaBeta {
    fn run<R: Runtime>(&mut self, t: Token<R>) {
        self.answer.record(by_hand::best(t, &black_box(Position::INITIAL), self.plies));
    }

    fn verify(&mut self) -> Result<(), Mismatch> {
        let expected = self.expected.get_or_insert_with(|| ck::best_result(self.plies));
        self.answer.check(expected)
    }
}

/// The forms that need no atomics.
struct Speculative;

impl Forms<AlphaBeta> for Speculative {
    fn serial(kernel: &mut AlphaBeta) {
        kernel.answer.record(serial::best(&black_box(Position::INITIAL), kernel.plies, ALL));
    }

    fn filch(kernel: &mut AlphaBeta, s: Strand<'_>) {
        let best = speculative::best(s.into(), &black_box(Position::INITIAL), kernel.plies, ALL);
        kernel.answer.record(best.expect("nothing aborts the whole"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use filch_kernels::runtime::Serial;

    #[test]
    fn all_forms_find_the_best_result_of_the_whole_tree() {
        for plies in 1..=9 {
            let whole = ck::search(Serial::token(), &Position::INITIAL, plies).best;
            assert_eq!(serial::best(&Position::INITIAL, plies, ALL), whole, "{plies} plies, serial");
            assert_eq!(by_hand::best(Serial::token(), &Position::INITIAL, plies), whole, "{plies} plies, by hand");
            let best = filch::run(|s| speculative::best(s.into(), &Position::INITIAL, plies, ALL));
            assert_eq!(best, Ok(whole), "{plies} plies, speculative");
        }
    }

    #[test]
    fn all_forms_agree_on_positions_with_kings_and_jumps() {
        // Reached by taking the last step, or the one in the middle, for a while.
        let mut position = Position::INITIAL;
        for ply in 0..40 {
            let steps = position.steps();
            let Some(&step) = steps.as_slice().get((steps.as_slice().len() - 1) / (1 + ply % 2)) else { break };
            let (mut next, mut jumps) = position.after(step);
            while let Some(steps) = jumps {
                (next, jumps) = next.after(steps.as_slice()[0]);
            }
            position = next.turned();
            let expected = serial::best(&position, 7, ALL);
            assert_eq!(filch::run(|s| speculative::best(s.into(), &position, 7, ALL)), Ok(expected), "{position:?}");
            assert_eq!(by_hand::best(Serial::token(), &position, 7), expected, "{position:?}");
        }
    }

    #[test]
    fn the_checker_rejects_another_result() {
        let mut program = AlphaBeta::new(4);
        let right = ck::best_result(4);
        program.answer.record(right + 1);
        assert_eq!(program.verify().unwrap_err().to_string(), format!("found {}, expected {right}", right + 1));
    }
}
