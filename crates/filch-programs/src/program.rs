//! What the lab knows about a program: its sizes, and how to make an instance that runs.

use std::fmt;

use filch::Strand;

use crate::Mismatch;

/// A program, as its file declares it and as [`all`](crate::all) lists it.
#[derive(Debug)]
pub struct Program {
    /// What a user types.
    pub name: &'static str,
    /// One line on what it computes.
    pub about: &'static str,
    /// The sizes with a name.
    pub sizes: Sizes,
    /// The sizes that can be asked for.
    pub domain: Domain,
    /// How often it forks, where that is known.
    pub forks: Option<Forks>,
    /// Makes an instance of a size inside the domain; [`prepare`](Self::prepare) checks the size first.
    pub build: fn(u64) -> Box<dyn Instance>,
}

/// The named sizes of a program.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// A few microseconds to a few milliseconds: for tests, and for the cost of small runs.
    pub small: u64,
    /// Some tenths of a second in serial: what figures are quoted for.
    pub default: u64,
    /// The size in the paper that the program comes from.
    pub paper: u64,
}

/// The values that n may have.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// What n counts, as in "the number of nodes".
    pub counts: &'static str,
    /// The smallest n.
    pub min: u64,
    /// The largest n.
    pub max: u64,
    /// What else must hold.
    pub rule: Option<Rule>,
}

/// A condition on n, in words and as a test.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// How it ends the sentence "n must be ...".
    pub words: &'static str,
    /// Whether it holds.
    pub holds: fn(u64) -> bool,
}

/// How often a program forks, so that a cost can be stated per fork.
#[derive(Clone, Copy, Debug)]
pub struct Forks {
    /// The number of forks at size n.
    pub at: fn(u64) -> u64,
    /// Two sizes to take the difference of, small enough for a simulated processor.
    pub sizes: [u64; 2],
}

/// An input in memory, ready to be run by any of the runners.
///
/// Calls are repeated, so each must do the same work as the one before. The entry points go
/// through dynamic dispatch once per call; no fork does.
pub trait Instance: Send {
    /// Runs the serial elision.
    fn serial(&mut self);

    /// Runs the Filch form from the strand of a `run`.
    fn filch(&mut self, s: Strand<'_>);

    /// Runs the rayon form, on the pool into which the caller is installed.
    fn rayon(&mut self);

    /// Runs the chili form in the scope of a chili pool.
    fn chili(&mut self, scope: &mut chili::Scope<'_>);

    /// Checks the results of all calls since the last check, by other means than they were
    /// computed with, and forgets them. That nothing was computed is a mismatch, too.
    fn verify(&mut self) -> Result<(), Mismatch>;
}

/// A size that a program does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{program} has no size n = {n}: n is {counts} and must be {allowed}")]
pub struct SizeError {
    program: &'static str,
    n: u64,
    counts: &'static str,
    allowed: String,
}

impl Program {
    /// Checks n against the [`Domain`].
    pub fn check(&self, n: u64) -> Result<(), SizeError> {
        if self.domain.contains(n) {
            return Ok(());
        }
        Err(SizeError { program: self.name, n, counts: self.domain.counts, allowed: self.domain.to_string() })
    }

    /// Makes an instance of size n.
    pub fn prepare(&self, n: u64) -> Result<Box<dyn Instance>, SizeError> {
        self.check(n)?;
        Ok((self.build)(n))
    }
}

impl Domain {
    /// Whether n is one of the values.
    pub fn contains(&self, n: u64) -> bool {
        (self.min..=self.max).contains(&n) && self.rule.is_none_or(|rule| (rule.holds)(n))
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = self.rule {
            write!(f, "{}, ", rule.words)?;
        }
        write!(f, "from {} to {}", self.min, self.max)
    }
}
