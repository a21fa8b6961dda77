//! Programs as text: a name, a size, and settings, such as `fib:30,leaf=10us`.

pub use super::Boxed;
use super::arrays::{Matrix, Mergesort, Sweep};
use super::by_size::{Knary, MAX_SKEW, Skew};
use super::drawn::{PARTS, Random, Uts};
use super::loops::{Bodies, Loop, ParseBodiesError};
use super::phases::{MAX_PROGRAMS, Phases};
use super::work::{ParseTimeError, ParseWorkError, Work, parse_time};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What can be written, for a user.
pub const NOTATION: &str = "\
fib:N[,leaf=TIME][,node=TIME]           a node of size n forks n − 1 and n − 2
skew:N[,step=D][,leaf=TIME][,node=TIME] the same with n − 1 and n − D
knary:N,K,R[,unit=TIME]                 N levels, K children, R of them in turn
random:LEAVES[,leaf=WORK][,seed=S]      divided at random
uts:ROOTS[,children=M][,parts=Q][,node=WORK][,seed=S]
                                        a node has M children with probability Q/10^6
loop:N[,body=BODY]                      N iterations, halved by joins
phases:N,(PROGRAM)[,(PROGRAM)…]         one after another, and that N times
heat:ROWS,COLUMNS[,rows=GRAIN][,steps=K][,point=TIME]
sor:ROWS,COLUMNS[,rows=GRAIN][,steps=K][,point=TIME]
gauss:ROWS,COLUMNS[,rows=GRAIN][,point=TIME]
                                        a matrix whose rows are halved down to GRAIN
mergesort:N[,leaf=GRAIN][,point=TIME]   N numbers
TIME: such as 10us
WORK: a TIME; 1us..20us, evenly; exp(10us), exponential with this mean;
      1us|1ms/100, one in 100 takes 1 ms
BODY: a WORK; ramp(1us,20us), from the first body to the last;
      last(1us,1ms,10), where the last 10 take 1 ms";

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseProgramError {
    /// The name is not one.
    #[error(
        "there is no program `{0}`; expected one of: fib, skew, knary, random, uts, loop, phases, heat, sor, gauss, \
         mergesort"
    )]
    Name(String),
    /// There are too few or too many numbers after the name.
    #[error("`{text}`: expected {expected}")]
    Sizes {
        /// The text.
        text: String,
        /// What it should look like.
        expected: &'static str,
    },
    /// A number that cannot be read, or is not within its limits.
    #[error("`{value}` as {what}: expected a number from {min} to {max}")]
    Number {
        /// What was found.
        value: String,
        /// What it is.
        what: &'static str,
        /// The smallest that is allowed.
        min: u64,
        /// The largest that is allowed.
        max: u64,
    },
    /// A setting that the program does not have.
    #[error("the program `{name}` has no setting `{setting}`; expected one of: {expected}")]
    Setting {
        /// The program.
        name: String,
        /// The setting.
        setting: String,
        /// Those that it has.
        expected: String,
    },
    /// A value that is no time.
    #[error(transparent)]
    Time(#[from] ParseTimeError),
    /// A value that is no distribution.
    #[error(transparent)]
    Work(#[from] ParseWorkError),
    /// A value that does not say how long bodies take.
    #[error(transparent)]
    Bodies(#[from] ParseBodiesError),
    /// A parenthesis without its partner.
    #[error("`{0}`: expected a closing parenthesis for each opening one, and the other way round")]
    Parentheses(String),
    /// Phases within phases, or without any program.
    #[error("`{0}`: expected phases:N,(PROGRAM),… with programs that are no phases themselves")]
    Phases(String),
    /// A tree whose walk before a run would take hours.
    #[error("expected at most 2^32 nodes or unequal bodies, each of which is walked; found {0}")]
    TooManyToWalk(u64),
    /// A tree whose nodes could not be counted.
    #[error("a knary tree of height {height} and degree {degree} has more than 2^40 nodes")]
    TooLarge {
        /// The height.
        height: u64,
        /// The degree.
        degree: u64,
    },
}

type Parsed<T> = Result<T, ParseProgramError>;

/// The parts of a text.
struct Parts<'t> {
    text: &'t str,
    name: &'t str,
    sizes: Vec<&'t str>,
    settings: Vec<(&'t str, &'t str)>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Parsed<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let items = items(rest).ok_or_else(|| ParseProgramError::Parentheses(text.to_owned()))?;
        let is_setting = |item: &&str| !item.starts_with('(') && item.contains('=');
        let (settings, sizes): (Vec<&str>, Vec<&str>) = items.into_iter().partition(is_setting);
        let settings = settings.into_iter().filter_map(|item| item.split_once('=')).collect();
        Ok(Parts { text, name, sizes, settings })
    }

    fn has_only(&self, known: &[&str]) -> Parsed<()> {
        match self.settings.iter().find(|(setting, _)| !known.contains(setting)) {
            None => Ok(()),
            Some((setting, _)) => Err(ParseProgramError::Setting {
                name: self.name.to_owned(),
                setting: (*setting).to_owned(),
                expected: known.join(", "),
            }),
        }
    }

    fn sizes<const N: usize>(&self, expected: &'static str) -> Parsed<[&'t str; N]> {
        let sizes = <[&str; N]>::try_from(&self.sizes[..]);
        sizes.map_err(|_| ParseProgramError::Sizes { text: self.text.to_owned(), expected })
    }

    fn value<T>(&self, setting: &str, otherwise: T, parse: impl FnOnce(&str) -> Parsed<T>) -> Parsed<T> {
        // The last one counts, as for options.
        let found = self.settings.iter().rev().find(|(known, _)| *known == setting);
        found.map_or(Ok(otherwise), |(_, value)| parse(value))
    }

    fn time(&self, setting: &str, otherwise_ns: u64) -> Parsed<u64> {
        self.value(setting, otherwise_ns, |value| Ok(parse_time(value)?))
    }

    fn work(&self, setting: &str, otherwise_ns: u64) -> Parsed<Work> {
        self.value(setting, Work::Constant(otherwise_ns), |value| Ok(Work::from_str(value)?))
    }

    fn number(&self, setting: &'static str, otherwise: u64, limits: RangeInclusive<u64>) -> Parsed<u64> {
        self.value(setting, otherwise, |value| number(value, setting, limits))
    }
}

/// The items between commas, but for those within parentheses. `None` if these are not balanced.
fn items(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut begin, mut items) = (0_u32, 0, Vec::new());
    for (place, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                items.push(&text[begin..place]);
                begin = place + 1;
            }
            _ => {}
        }
    }
    items.push(&text[begin..]);
    items.retain(|item| !item.is_empty());
    (depth == 0).then_some(items)
}

fn number(value: &str, what: &'static str, limits: RangeInclusive<u64>) -> Parsed<u64> {
    value.parse().ok().filter(|number| limits.contains(number)).ok_or_else(|| ParseProgramError::Number {
        value: value.to_owned(),
        what,
        min: *limits.start(),
        max: *limits.end(),
    })
}

/// The work of a leaf unless it is given.
const LEAF_NS: u64 = 1_000;

/// The most leaves of a tree whose size is known by a formula.
const MOST_LEAVES: u64 = 1 << 40;

/// The most leaves of a tree that is walked leaf by leaf, which takes some minutes for so many.
const MOST_WALKED: u64 = 1 << 32;

/// The most rows or columns of a matrix: its blocks are all in memory.
const MOST_ROWS: u64 = 1 << 14;

/// The program that `text` describes, in the [`NOTATION`].
///
/// # Errors
///
/// Says what was found and what was expected.
///
/// ```
/// use filch_sim::program::text::parse;
///
/// assert_eq!(parse("fib:30,leaf=10us")?.name(), "fib:30,leaf=10000ns,node=0ns");
/// # Ok::<(), filch_sim::program::text::ParseProgramError>(())
/// ```
pub fn parse(text: &str) -> Parsed<Boxed> {
    let parts = Parts::of(text)?;
    match parts.name {
        "fib" | "skew" => {
            let is_fib = parts.name == "fib";
            parts.has_only(if is_fib { &["leaf", "node"] } else { &["step", "leaf", "node"] })?;
            let [size] = parts.sizes(if is_fib { "fib:N" } else { "skew:N" })?;
            let size = number(size, "the size N", 0..=MAX_SKEW)?;
            let step = if is_fib { 2 } else { parts.number("step", 3, 2..=MAX_SKEW)? };
            let (node_ns, leaf_ns) = (parts.time("node", 0)?, parts.time("leaf", LEAF_NS)?.max(1));
            Ok(Box::new(Skew::new(size, step, node_ns, leaf_ns)))
        }
        "knary" => {
            parts.has_only(&["unit"])?;
            let [height, degree, serial] = parts.sizes("knary:HEIGHT,CHILDREN,SERIAL")?;
            let height = number(height, "the height", 1..=64)?;
            let degree = number(degree, "the number of children", 1..=1 << 20)?;
            let serial = number(serial, "the number of children in turn", 0..=degree)?;
            let nodes = (0..height).try_fold(0_u64, |below, _| below.checked_mul(degree)?.checked_add(1));
            if nodes.is_none_or(|nodes| nodes > MOST_LEAVES) {
                return Err(ParseProgramError::TooLarge { height, degree });
            }
            Ok(Box::new(Knary::new(height, degree, serial, parts.time("unit", LEAF_NS)?.max(1))))
        }
        "random" => {
            parts.has_only(&["leaf", "seed"])?;
            let [leaves] = parts.sizes("random:LEAVES")?;
            let leaves = number(leaves, "the number of leaves", 1..=MOST_WALKED)?;
            let seed = parts.number("seed", 0, 0..=u64::MAX)?;
            Ok(Box::new(Random::new(leaves, seed, parts.work("leaf", LEAF_NS)?)))
        }
        "uts" => {
            parts.has_only(&["children", "parts", "node", "seed"])?;
            let [roots] = parts.sizes("uts:ROOTS")?;
            let roots = number(roots, "the number of children of the root", 1..=1 << 32)?;
            let children = parts.number("children", 4, 1..=1 << 20)?;
            // Beyond this mean size of a subtree it would take chance for a tree to end.
            let most = (PARTS - 1) / children;
            let share = parts.number("parts", most.min(PARTS / 5), 0..=most)?;
            let nodes = Uts::mean_nodes(roots, children, share);
            if nodes > MOST_WALKED {
                return Err(ParseProgramError::TooManyToWalk(nodes));
            }
            let seed = parts.number("seed", 0, 0..=u64::MAX)?;
            Ok(Box::new(Uts::new(roots, children, share, seed, parts.work("node", LEAF_NS)?)))
        }
        "loop" => {
            parts.has_only(&["body"])?;
            let [iterations] = parts.sizes("loop:ITERATIONS")?;
            let iterations = number(iterations, "the number of iterations", 1..=MOST_LEAVES)?;
            let usual = Bodies::Drawn(Work::Constant(LEAF_NS));
            let bodies = parts.value("body", usual, |value| Ok(Bodies::from_str(value)?))?;
            if iterations > MOST_WALKED && bodies.constant_ns().is_none() {
                return Err(ParseProgramError::TooManyToWalk(iterations));
            }
            Ok(Box::new(Loop::new(iterations, bodies)))
        }
        "phases" => {
            parts.has_only(&[])?;
            let wrong = || ParseProgramError::Phases(text.to_owned());
            let (rounds, programs) = parts.sizes.split_first().ok_or_else(wrong)?;
            let rounds = number(rounds, "the number of rounds", 1..=1 << 20)?;
            if !(1..=MAX_PROGRAMS).contains(&programs.len()) {
                return Err(wrong());
            }
            let of = |program: &&str| match program.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
                Some(inner) if !inner.starts_with("phases") => parse(inner),
                _ => Err(wrong()),
            };
            Ok(Box::new(Phases::new(rounds, programs.iter().map(of).collect::<Parsed<_>>()?)))
        }
        "heat" | "sor" | "gauss" => {
            let sweep = match parts.name {
                "heat" => Sweep::Heat,
                "sor" => Sweep::Sor,
                _ => Sweep::Gauss,
            };
            parts.has_only(if sweep == Sweep::Gauss { &["rows", "point"] } else { &["rows", "steps", "point"] })?;
            let sizes = parts.sizes("ROWS,COLUMNS after the name, such as heat:1024,1024")?;
            let [rows, columns] = sizes.map(|size| number(size, "rows or columns", 1..=MOST_ROWS));
            let (grain, steps) = (parts.number("rows", 128, 1..=MOST_ROWS)?, parts.number("steps", 10, 1..=1 << 20)?);
            Ok(Box::new(Matrix::new(sweep, [rows?, columns?], grain, steps, parts.time("point", 2)?.max(1))))
        }
        "mergesort" => {
            parts.has_only(&["leaf", "point"])?;
            let [numbers] = parts.sizes("mergesort:N")?;
            let numbers = number(numbers, "how many numbers", 1..=MOST_ROWS * MOST_ROWS)?;
            let grain = parts.number("leaf", 1 << 13, 1..=MOST_ROWS * MOST_ROWS)?;
            Ok(Box::new(Mergesort::new(numbers, grain, parts.time("point", 2)?.max(1))))
        }
        name => Err(ParseProgramError::Name(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_survives_its_text() {
        for text in [
            "fib:30",
            "skew:40,step=7,node=3ns",
            "knary:5,4,1",
            "random:9,leaf=1us..2us",
            "loop:7,body=5us",
            "loop:7,body=last(1us,9us,2)",
            "heat:64,32",
            "sor:9,9,rows=2,steps=3",
            "gauss:9,8,point=3ns",
            "mergesort:99,leaf=5",
            "phases:3,(fib:9,leaf=2us),(loop:8,body=ramp(1us,5us))",
        ] {
            let program = parse(text).expect(text);
            let again = parse(&program.name()).expect(text);
            assert_eq!((program.name(), program.root()), (again.name(), again.root()));
        }
        assert_eq!(
            parse("uts:3,parts=100").map(|uts| uts.name()),
            Ok("uts:3,children=4,parts=100,node=1000ns,seed=0".into())
        );
    }

    #[test]
    fn what_is_no_program_is_refused_with_what_is_expected() {
        let refused = |text: &str| parse(text).err().expect(text).to_string();
        assert!(refused("fibonacci:30").contains("fib, skew, knary"));
        assert!(refused("fib").contains("expected fib:N") && refused("fib:3,4").contains("expected fib:N"));
        assert!(refused("fib:99").contains("from 0 to 90"));
        assert!(refused("fib:9,body=3us").contains("no setting `body`; expected one of: leaf, node"));
        assert!(refused("fib:9,leaf=3").contains("not a time"));
        assert!(refused("knary:5,3,4").contains("from 0 to 3"));
        assert!(refused("knary:64,9,1").contains("2^40"));
        assert!(refused("uts:1,children=4,parts=250000").contains("from 0 to 249999"));
        assert!(refused("random:5000000000").contains("from 1 to 4294967296"));
        assert!(refused("uts:4000000000,children=4,parts=125000").contains("at most 2^32 nodes"));
        assert!(refused("loop:5000000000,body=exp(1us)").contains("at most 2^32 nodes or unequal bodies"));
        assert!(parse("loop:5000000000,body=2us").is_ok() && parse("uts:800000000").is_ok());
        assert!(refused("loop:0").contains("from 1 to"));
        assert!(refused("loop:9,body=ramp(1us)").contains("ramp(FIRST,LAST)"));
        assert!(refused("phases:2,(fib:9").contains("a closing parenthesis"));
        assert!(refused("phases:2,fib:9)").contains("a closing parenthesis"));
        assert!(refused("phases:2").contains("expected phases:N,(PROGRAM)"));
        assert!(refused("phases:2,fib:9").contains("expected phases:N,(PROGRAM)"));
        assert!(refused("phases:2,(phases:2,(fib:9))").contains("no phases themselves"));
        assert!(refused("phases:2,(fib:99)").contains("from 0 to 90"));
        assert!(refused("phases:0,(fib:9)").contains("the number of rounds"));
    }
}
