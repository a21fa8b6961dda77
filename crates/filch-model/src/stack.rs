//! The stack of an abstract machine (section 3.2, figure 2), and how it is split at a promotable frame (section 3.4).
//!
//! The places of the promotable frames are kept in a queue of their own, which has the part of the linked list of
//! section 4: the oldest one is found in constant time. A split there moves the frames below it, which leave the stack
//! for good. So all splits together cost no more than the pushes.

use crate::expr::Term;
use crate::values::{Closure, Environment, ValueId};
use std::collections::VecDeque;

/// An expression constructor with a hole, written □.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame<'a> {
    /// `APPL(□, e, σ)`: the function is being evaluated; the argument and its environment.
    AppL(Term<'a>, Environment),
    /// `APPR((λx.e){σ}, □)`: the argument is being evaluated; the function.
    AppR(Closure<'a>),
    /// `PAIRL(□, e, σ)`: the left branch is being evaluated; the right one and its environment. It is promotable.
    PairL(Term<'a>, Environment),
    /// `PAIRR(v, □)`: the right branch is being evaluated; the value of the left one.
    PairR(ValueId),
    /// `fst □`. It is not in the paper's figures, nor is the next one.
    Fst,
    /// `snd □`.
    Snd,
}

/// `k ::= TOP | f :: k`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack<'a> {
    /// The oldest frame is at the front.
    frames: VecDeque<Frame<'a>>,
    /// Where the promotable frames are, the oldest first, counted from where the front was at the start.
    promotable: VecDeque<usize>,
    /// How many frames have left at the front.
    left: usize,
}

/// Which promotable frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Oldest,
    Youngest,
}

/// What a stack `k1 @ PAIRL(□, e2, σ') :: k2` has had below `k1`.
#[derive(Debug)]
pub(crate) struct Below<'a> {
    /// `e2`.
    pub(crate) branch: Term<'a>,
    /// `σ'`.
    pub(crate) environment: Environment,
    /// `k2`.
    pub(crate) rest: Stack<'a>,
}

impl<'a> Stack<'a> {
    pub(crate) fn push(&mut self, frame: Frame<'a>) {
        if matches!(frame, Frame::PairL(..)) {
            self.promotable.push_back(self.left + self.frames.len());
        }
        self.frames.push_back(frame);
    }

    pub(crate) fn pop(&mut self) -> Option<Frame<'a>> {
        let frame = self.frames.pop_back();
        if let Some(Frame::PairL(..)) = frame {
            self.promotable.pop_back();
        }
        frame
    }

    /// `promotable(k)`: whether a PAIRL is in it.
    pub(crate) fn is_promotable(&self) -> bool {
        !self.promotable.is_empty()
    }

    /// Splits `k1 @ PAIRL(□, e2, σ') :: k2`, if there is such a frame. `k1` stays, and the others are returned.
    pub(crate) fn split(&mut self, which: Which) -> Option<Below<'a>> {
        let place = match which {
            Which::Oldest => self.promotable.pop_front()?,
            Which::Youngest => self.promotable.pop_back()?,
        };
        let below = place - self.left;
        let (frame, rest) = match which {
            Which::Oldest => {
                let frames = self.frames.drain(..below).collect();
                self.left = place + 1;
                (self.frames.pop_front(), Stack { frames, ..Stack::default() })
            }
            Which::Youngest => {
                let frames = self.frames.split_off(below + 1);
                let mut rest = std::mem::replace(self, Stack { frames, ..Stack::default() });
                (rest.frames.pop_back(), rest)
            }
        };
        let Some(Frame::PairL(branch, environment)) = frame else { unreachable!("a promotable frame is a PAIRL") };
        Some(Below { branch, environment, rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Expr, Var, View};

    /// The numbers of pairs, and `None` for frames that cannot be promoted, the oldest first.
    fn numbers(stack: &Stack<'_>) -> Vec<Option<u32>> {
        stack.frames.iter().map(|&frame| number(frame)).collect()
    }

    fn number(frame: Frame<'_>) -> Option<u32> {
        let Frame::PairL(term, _) = frame else { return None };
        let View::Var(Var(number)) = term.view() else { unreachable!("a variable") };
        Some(number)
    }

    /// A branch is a variable.
    fn branches() -> Vec<Expr> {
        (0..10).map(|number| Var(number).into()).collect()
    }

    fn pair(branches: &[Expr], number: usize) -> Frame<'_> {
        Frame::PairL(branches[number].term(), Environment::default())
    }

    #[test]
    fn a_stack_is_split_at_the_oldest_pair_or_at_the_youngest_one() {
        let branches = branches();
        let mut stack = Stack::default();
        for frame in [Frame::Fst, pair(&branches, 1), Frame::Snd, Frame::Fst, pair(&branches, 2), Frame::Snd] {
            stack.push(frame);
        }
        let mut youngest = stack.clone();
        let below = stack.split(Which::Oldest).expect("two pairs");
        assert_eq!((number_of(&below), numbers(&below.rest)), (1, vec![None]));
        assert_eq!(numbers(&stack), [None, None, Some(2), None]);
        assert!(stack.is_promotable() && !below.rest.is_promotable());

        let below = youngest.split(Which::Youngest).expect("two pairs");
        assert_eq!((number_of(&below), numbers(&below.rest)), (2, vec![None, Some(1), None, None]));
        assert_eq!(numbers(&youngest), [None]);
        assert!(!youngest.is_promotable() && below.rest.is_promotable());
        assert!(youngest.split(Which::Youngest).is_none());
    }

    fn number_of(below: &Below<'_>) -> u32 {
        number(Frame::PairL(below.branch, below.environment)).expect("a pair")
    }

    #[test]
    fn places_are_right_after_pushes_pops_and_splits_in_any_order() {
        let branches = branches();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1_000 {
            let mut stack = Stack::default();
            for _ in 0..60 {
                match random.u8(..10) {
                    0..4 => stack.push(pair(&branches, random.usize(..10))),
                    4..6 => stack.push(Frame::Fst),
                    6..8 => drop(stack.pop()),
                    choice => {
                        let which = if choice == 8 { Which::Oldest } else { Which::Youngest };
                        let before = numbers(&stack);
                        let is_pair = Option::is_some;
                        let place = match which {
                            Which::Oldest => before.iter().position(is_pair),
                            Which::Youngest => before.iter().rposition(is_pair),
                        };
                        let below = stack.split(which);
                        assert_eq!(below.is_some(), place.is_some());
                        if let (Some(below), Some(place)) = (below, place) {
                            assert_eq!(Some(number_of(&below)), before[place]);
                            assert_eq!(numbers(&below.rest), before[..place]);
                            assert_eq!(numbers(&stack), before[place + 1..]);
                            if random.bool() {
                                stack = below.rest;
                            }
                        }
                    }
                }
                assert_eq!(stack.is_promotable(), numbers(&stack).iter().any(Option::is_some));
            }
        }
    }
}
