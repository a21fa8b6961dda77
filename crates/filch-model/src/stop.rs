//! Why an evaluation has no value.

use crate::expr::Var;

/// Why an evaluation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The program is not closed.
    #[error("the variable {0} is not bound; expected a closed program")]
    Unbound(Var),
    /// A pair is applied.
    #[error("a pair is applied; expected a function")]
    NoFunction,
    /// A function is projected.
    #[error("a component of a function is taken; expected a pair")]
    NoPair,
    /// It has not ended within so many transitions.
    #[error("no value after {0} transitions; expected one, if the program terminates")]
    Endless(u64),
}
