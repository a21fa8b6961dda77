//! What the lab knows about a program: its sizes, and how to make an instance that runs.

use std::fmt;

use crate::Instance;

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
    /// Its cut-off, if it has one.
    pub grain: Option<Grain>,
    /// How often it forks, where that is known.
    pub forks: Option<Forks>,
    /// How long its loops are by its size: the longest of the outer ones, then, if there are loops inside of those,
    /// the longest of them. What a user of rayon would try as bounds for the lengths of parts ends there.
    pub loops: &'static [fn(u64) -> u64],
    /// How many bytes of memory an instance takes by its size and its cut-off, the checker included; about, and zero
    /// where it is little.
    pub bytes: fn(u64, u64) -> u64,
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
    /// The size in the paper that the program comes from; where that has none, or one that only the first solution of
    /// a search can have, one that takes seconds.
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
    /// The largest number up to n for which it holds.
    pub floor: fn(u64) -> u64,
}

/// Powers of two.
pub const POWER_OF_TWO: Rule = Rule { words: "a power of two", floor: |n| if n == 0 { 0 } else { 1 << n.ilog2() } };

/// A cut-off: below some size, a program goes on without forks, in a way that is faster for small inputs.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// What it counts, as in "the number of elements of a leaf".
    pub counts: &'static str,
    /// The cut-off that serves the serial elision and rayon well; 1 is none.
    pub default: u64,
    /// The largest that makes sense.
    pub max: u64,
}

/// How often a program forks, so that a cost can be stated per fork.
#[derive(Clone, Copy, Debug)]
pub struct Forks {
    /// The number of forks at size n.
    pub at: fn(u64) -> u64,
    /// Two sizes to take the difference of, small enough for a simulated processor.
    pub sizes: [u64; 2],
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

    /// The cut-off that it has unless another one is set; 1 where it has none.
    pub fn own_grain(&self) -> u64 {
        self.grain.map_or(1, |grain| grain.default)
    }

    /// The largest size whose instance, with this cut-off, takes at most so many bytes, if there is one.
    pub fn largest_within(&self, bytes: u64, grain: u64) -> Option<u64> {
        let fits = |n: u64| (self.bytes)(n, grain) <= bytes;
        let Domain { min, max, rule, .. } = self.domain;
        // Between `low`, which fits, and `high`, which does not or is out of the domain.
        let (mut low, mut high) = (min, max + 1);
        if !fits(low) {
            return None;
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if fits(middle) { low = middle } else { high = middle }
        }
        Some(rule.map_or(low, |rule| (rule.floor)(low)))
    }
}

impl Domain {
    /// Whether n is one of the values.
    pub fn contains(&self, n: u64) -> bool {
        (self.min..=self.max).contains(&n) && self.rule.is_none_or(|rule| (rule.floor)(n) == n)
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
