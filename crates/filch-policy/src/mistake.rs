//! Mistakes that show in the counts of the runtime and of the simulator alike, because both decide by this crate.
//!
//! `mistake!(of, Name)` is true where this crate is built with `--cfg filch_decisions="tested"` and `of`, a scheduler
//! or rules, has that mistake. In any other build it is the constant `false`, and there are no mistakes to have.

/// Whether this mistake is to be made.
#[cfg(not(filch_decisions = "tested"))]
macro_rules! mistake {
    ($of:expr, $name:ident) => {
        false
    };
}

/// Whether this mistake is to be made.
#[cfg(filch_decisions = "tested")]
macro_rules! mistake {
    ($of:expr, $name:ident) => {
        $of.mistake == Some($crate::mistake::Mistake::$name)
    };
}

#[cfg(filch_decisions = "tested")]
pub use tested::Mistake;

#[cfg(filch_decisions = "tested")]
mod tested {
    /// A mistake of the policy.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mistake {
        /// An asker that was refused asks again at once.
        NoBackOff,
        /// A worker gives whenever it is asked.
        NoPeriod,
        /// A worker leaves nothing unasked.
        NeverLeaves,
    }
}
