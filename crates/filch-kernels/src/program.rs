//! The properties of a program that the lab needs: its sizes, and how to make an instance of it.

use std::fmt;
use std::path::Path;

use crate::extent::Extent;
use crate::kernel::Instance;

/// A program, as declared in its file and listed in the crate `filch-programs`.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name that users type.
    pub name: &'static str,
    /// One line on what it computes.
    pub about: &'static str,
    /// The named sizes.
    pub sizes: Sizes,
    /// The sizes that users can ask for.
    pub domain: Domain,
    /// The cut-off, if there is one.
    pub grain: Option<Grain>,
    /// The number of forks, if it is known.
    pub forks: Option<Forks>,
    /// The lengths of its loops by its size: that of the longest outer loop and, if there are loops inside of loops,
    /// that of the longest of these. The lengths limit the bounds that the tuning of rayon tries.
    pub loops: &'static [fn(u64) -> u64],
    /// The approximate memory of an instance in bytes by its size and its cut-off, including the checker; zero if it is
    /// small.
    pub bytes: fn(u64, u64) -> u64,
    /// The input that its tasks divide among themselves; `None` if there is little of it, or if the program does not
    /// divide it (see [`data_bytes`](Self::data_bytes)).
    pub data: Option<Data>,
    /// Its instances of any number of rows and columns, if it has them.
    pub shape: Option<Shape>,
    /// The libraries in which it is written, beside Filch.
    pub libraries: &'static [Library],
    /// Whether several ranks can run it together: [`Instance::on_ranks`].
    pub is_for_ranks: bool,
    /// Reads an instance from a file, if there are files of its kind.
    pub input: Option<ReadInput>,
    /// Makes an instance of a size in the domain. [`prepare`](Self::prepare) checks the size first.
    ///
    /// A function is compiled once, with all forms of the program. A closure in a constant is compiled again in each
    /// crate that uses the constant, so the programs of the tour have functions.
    pub build: fn(u64) -> Box<dyn Instance>,
}

/// Another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// rayon.
    Rayon,
    /// chili.
    Chili,
}

impl Library {
    /// Those of a program that is written over a [`Token`](crate::runtime::Token).
    pub const ALL: &[Library] = &[Library::Rayon, Library::Chili];
}

/// What a file has for a program.
pub struct Input {
    /// Its size.
    pub n: Extent,
    /// What decides how much memory it needs, as in "a factor of 12 elements".
    pub with: String,
    /// The approximate memory of an instance in bytes.
    pub bytes: u64,
    /// Makes an instance, or says why there is none.
    pub build: Box<dyn Fn() -> Built>,
}

/// An instance for what a file has, or why there is none.
pub type Built = Result<Box<dyn Instance>, InputError>;

/// Reads what a file has.
pub type ReadInput = fn(&Path) -> Result<Input, InputError>;

/// What is wrong with a file: its name, and the place if there is one.
pub type InputError = Box<dyn std::error::Error>;

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("n", &self.n).field("with", &self.with).finish_non_exhaustive()
    }
}

/// The named sizes of a program.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// A few microseconds to a few milliseconds: for tests, and to measure small runs.
    pub small: u64,
    /// Some tenths of a second in serial: the size of published figures.
    pub default: u64,
    /// The size in the paper that the program comes from. If the paper has none, or one that is feasible only when a
    /// search stops at its first solution, a size that takes seconds.
    pub paper: u64,
}

/// The values of n.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// What n counts, as in "the number of nodes".
    pub counts: &'static str,
    /// The smallest n.
    pub min: u64,
    /// The largest n.
    pub max: u64,
    /// A further condition.
    pub rule: Option<Rule>,
}

/// A condition on n, in words and as a function.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The end of the sentence "n must be ...".
    pub words: &'static str,
    /// The largest number up to n that satisfies the condition.
    pub floor: fn(u64) -> u64,
}

/// Powers of two.
pub const POWER_OF_TWO: Rule = Rule { words: "a power of two", floor: |n| if n == 0 { 0 } else { 1 << n.ilog2() } };

/// A cut-off: below some size a program continues without forks, in a way that is faster for small inputs.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// What it counts, as in "the number of elements of a leaf".
    pub counts: &'static str,
    /// The cut-off that suits the serial elision and rayon; 1 means none.
    pub default: u64,
    /// The largest cut-off that makes sense.
    pub max: u64,
}

/// The bytes of what the tasks of a program divide among themselves, by its size.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Each visit of a task to its part goes through it once. So the program is bound by memory, if there is much.
    Streamed(fn(u64) -> u64),
    /// A task works longer on what it has loaded, so the program is bound by the processor: in table III of (Chen,
    /// Huang, Guo and Zhou 2011) fft and cholesky, whatever their size.
    Reused(fn(u64) -> u64),
}

/// The instances of a program on a grid of any number of rows and columns.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The largest number of rows, and of columns. The smallest is 1.
    pub longest: u64,
    /// The approximate memory of an instance in bytes, by rows and columns.
    pub bytes: fn(u64, u64) -> u64,
    /// The bytes of the grid, by rows and columns: see [`Program::data_bytes`].
    pub data: fn(u64, u64) -> u64,
    /// Makes an instance, by rows and columns.
    pub build: fn(u64, u64) -> Box<dyn Instance>,
}

/// The number of branches of a [join](crate::runtime::Token::join).
const BRANCHES: u64 = 2;

/// The number of forks of a program, to compute costs per fork.
#[derive(Clone, Copy, Debug)]
pub struct Forks {
    /// The number of forks at size n.
    pub at: fn(u64) -> u64,
    /// Two sizes, small enough for a simulated processor. The cost is the difference between them.
    pub sizes: [u64; 2],
}

/// A size that a program does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{program} has no size {size}: {allowed}")]
pub struct SizeError {
    program: &'static str,
    size: String,
    allowed: String,
}

impl Program {
    /// A program without a cut-off, loops or much data. What it has can be put in place of that, by
    /// `..Program::new(…)`.
    pub const fn new(
        (name, about): (&'static str, &'static str),
        sizes: Sizes,
        domain: Domain,
        build: fn(u64) -> Box<dyn Instance>,
    ) -> Self {
        Self {
            name,
            about,
            sizes,
            domain,
            grain: None,
            forks: None,
            loops: &[],
            bytes: |_, _| 0,
            data: None,
            shape: None,
            libraries: Library::ALL,
            is_for_ranks: false,
            input: None,
            build,
        }
    }

    /// Checks a size against the [`Domain`], or against the [`Shape`].
    pub fn check(&self, size: impl Into<Extent>) -> Result<(), SizeError> {
        // A description with a clause in it ends in a comma of its own.
        let counts = self.domain.counts.trim_end_matches(',');
        let error = |size, allowed| Err(SizeError { program: self.name, size, allowed });
        match (size.into(), self.shape) {
            (Extent::Number(n), _) if self.domain.contains(n) => Ok(()),
            (Extent::Number(n), _) => error(format!("n = {n}"), format!("expected n, {counts}, {}", self.domain)),
            (Extent::Grid { rows, columns }, Some(Shape { longest, .. }))
                if [rows, columns].iter().all(|length| (1..=longest).contains(length)) =>
            {
                Ok(())
            }
            (grid, Some(Shape { longest, .. })) => {
                error(grid.to_string(), format!("expected rows and columns, each from 1 to {longest}"))
            }
            (grid, None) => error(grid.to_string(), format!("expected one number, {counts}, {}", self.domain)),
        }
    }

    /// Makes an instance of this size.
    pub fn prepare(&self, size: impl Into<Extent>) -> Result<Box<dyn Instance>, SizeError> {
        let size = size.into();
        self.check(size)?;
        Ok(match (size, self.shape) {
            (Extent::Grid { rows, columns }, Some(shape)) => (shape.build)(rows, columns),
            _ => (self.build)(size.n()),
        })
    }

    /// The approximate memory in bytes of an instance of a size that the program has, with this cut-off.
    pub fn memory(&self, size: Extent, grain: u64) -> u64 {
        match (size, self.shape) {
            (Extent::Grid { rows, columns }, Some(shape)) => (shape.bytes)(rows, columns),
            _ => (self.bytes)(size.n(), grain),
        }
    }

    /// The bytes of the input that the tasks of an instance divide among themselves. `None` if the program is not of
    /// this kind.
    pub fn data_bytes(&self, size: impl Into<Extent>) -> Option<u64> {
        match (size.into(), self.shape) {
            (Extent::Grid { rows, columns }, Some(shape)) => Some((shape.data)(rows, columns)),
            (size, _) => self.data.map(|(Data::Streamed(bytes) | Data::Reused(bytes))| bytes(size.n())),
        }
    }

    /// S_d of equation 4 (Chen, Huang, Guo and Zhou 2011, section III-B), by the rule of thumb of section IV-D: those
    /// bytes, if they bound the program, and 0 if the processor does. The rule goes by the size of the data alone. But
    /// heat on 512 × 512, of 2 MiB, gains by CAB (figure 5), and fft, of 16 MiB at the usual size, is bound by the
    /// processor (table III). So here a program says whether it reuses what it has loaded.
    pub fn data_bytes_of_bound(&self, size: impl Into<Extent>) -> u64 {
        match self.data {
            Some(Data::Streamed(_)) => self.data_bytes(size).unwrap_or(0),
            Some(Data::Reused(_)) | None => 0,
        }
    }

    /// Into how many parts a fork divides these data: B in the same equation. A division into four is two levels of
    /// joins, so B is 2 for whoever counts levels of joins.
    pub fn branching(&self) -> Option<u64> {
        self.data.map(|_| BRANCHES)
    }

    /// The program's own cut-off; 1 if it has none.
    pub fn own_grain(&self) -> u64 {
        self.grain.map_or(1, |grain| grain.default)
    }

    /// The largest size whose instance takes at most `bytes` bytes with this cut-off, if there is one.
    pub fn largest_within(&self, bytes: u64, grain: u64) -> Option<u64> {
        let fits = |n: u64| (self.bytes)(n, grain) <= bytes;
        let Domain { min, max, rule, .. } = self.domain;
        // `low` fits; `high` does not fit or is outside of the domain.
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
    /// Whether n is in the domain.
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
