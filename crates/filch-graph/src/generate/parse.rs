//! Specifications as text, for example `torus(2000),shuffled`.

use super::shape::Shape;
use super::spec::{GraphSpec, Labels};
use std::fmt;
use std::str::FromStr;

/// The number of edges per vertex in Graph500 and the GAP Benchmark Suite by default.
const USUAL_DEGREE: usize = 16;

const TWICE: &str = "twice";

const SHUFFLED: &str = "shuffled";

const REVERSED: &str = "reversed";

/// Why a text is not a specification of a graph. The message says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSpecError {
    /// There is no shape with this name.
    #[error("no shape is called {name:?}: expected {}", forms())]
    UnknownShape {
        /// The name.
        name: String,
    },
    /// The shape is not followed by numbers in parentheses, or something unexpected follows.
    #[error(
        "{text:?} does not have the form {form}, optionally followed by \",twice\" and \",shuffled\" or \",reversed\""
    )]
    BadForm {
        /// The text.
        text: String,
        /// The expected form.
        form: &'static str,
    },
    /// The shape has too many numbers or too few.
    #[error("{text:?} has {found} numbers, but {form} was expected")]
    WrongCount {
        /// The text.
        text: String,
        /// The number of numbers.
        found: usize,
        /// The expected form.
        form: &'static str,
    },
    /// A word is not a whole number.
    #[error("{number:?} in {text:?} is not a whole number from 0 to {}", usize::MAX)]
    BadNumber {
        /// The text.
        text: String,
        /// The word.
        number: String,
    },
}

/// The names of the shapes and the forms of their specifications, in the order in which [`Shape`] documents them.
const FORMS: [(&str, &str); 22] = [
    ("random", "random(vertices,picks) or random(vertices,picks,bits)"),
    ("uniform", "uniform(scale) or uniform(scale,degree)"),
    ("kronecker", "kronecker(scale) or kronecker(scale,degree)"),
    ("rmat", "rmat(scale,edges)"),
    ("gnm", "gnm(vertices,edges)"),
    ("geometric", "geometric(vertices,neighbors)"),
    ("torus", "torus(side)"),
    ("cube", "cube(side)"),
    ("hypercube", "hypercube(dimensions)"),
    ("meshes", "meshes(first_side,second_side)"),
    ("path", "path(vertices)"),
    ("regular", "regular(vertices,degree)"),
    ("bintree", "bintree(levels)"),
    ("islands", "islands(count,size) or islands(count,size,side)"),
    ("stars", "stars(count,leaves)"),
    ("galaxy", "galaxy(count,leaves)"),
    ("cycles", "cycles(count,size)"),
    ("cliques", "cliques(count,size)"),
    ("lollipop", "lollipop(clique,tail)"),
    ("bipartite", "bipartite(first,second)"),
    ("grid", "grid(rows,columns)"),
    ("roads", "roads(rows,columns,missing_percent)"),
];

fn forms() -> String {
    let forms: Vec<&str> = FORMS.iter().map(|(_, form)| *form).collect();
    forms.join(", ")
}

/// The shape with this name and these numbers, or `None` if it takes another number of them.
fn shape(name: &str, numbers: &[usize]) -> Option<Shape> {
    Some(match (name, numbers) {
        ("random", &[vertices, picks]) => Shape::Random { vertices, picks, bits: 0 },
        ("random", &[vertices, picks, bits]) => Shape::Random { vertices, picks, bits },
        ("uniform", &[scale]) => Shape::Uniform { scale, degree: USUAL_DEGREE },
        ("uniform", &[scale, degree]) => Shape::Uniform { scale, degree },
        ("kronecker", &[scale]) => Shape::Kronecker { scale, degree: USUAL_DEGREE },
        ("kronecker", &[scale, degree]) => Shape::Kronecker { scale, degree },
        ("rmat", &[scale, edges]) => Shape::Rmat { scale, edges },
        ("gnm", &[vertices, edges]) => Shape::Gnm { vertices, edges },
        ("geometric", &[vertices, neighbors]) => Shape::Geometric { vertices, neighbors },
        ("torus", &[side]) => Shape::Torus { side },
        ("cube", &[side]) => Shape::Cube { side },
        ("hypercube", &[dimensions]) => Shape::Hypercube { dimensions },
        ("meshes", &[first, second]) => Shape::Meshes { first, second },
        ("path", &[vertices]) => Shape::Path { vertices },
        ("regular", &[vertices, degree]) => Shape::Regular { vertices, degree },
        ("bintree", &[levels]) => Shape::BinTree { levels },
        ("islands", &[count, size]) => Shape::Islands { count, size, side: 0 },
        ("islands", &[count, size, side]) => Shape::Islands { count, size, side },
        ("stars", &[count, leaves]) => Shape::Stars { count, leaves },
        ("galaxy", &[count, leaves]) => Shape::Galaxy { count, leaves },
        ("cycles", &[count, size]) => Shape::Cycles { count, size },
        ("cliques", &[count, size]) => Shape::Cliques { count, size },
        ("lollipop", &[clique, tail]) => Shape::Lollipop { clique, tail },
        ("bipartite", &[first, second]) => Shape::Bipartite { first, second },
        ("grid", &[rows, columns]) => Shape::Grid { rows, columns },
        ("roads", &[rows, columns, missing]) => Shape::Roads { rows, columns, missing },
        _ => return None,
    })
}

/// Parses `name(number,...)`, optionally followed by `,twice` and by `,shuffled` or `,reversed`. Spaces are allowed
/// between words.
impl FromStr for GraphSpec {
    type Err = ParseSpecError;

    fn from_str(text: &str) -> Result<Self, ParseSpecError> {
        let (name, rest) = text.split_once('(').unwrap_or((text.split(',').next().unwrap_or(text), ""));
        let Some((name, form)) = FORMS.into_iter().find(|(known, _)| *known == name.trim()) else {
            return Err(ParseSpecError::UnknownShape { name: name.trim().into() });
        };
        let bad_form = || ParseSpecError::BadForm { text: text.into(), form };
        let (numbers, after) = rest.split_once(')').ok_or_else(bad_form)?;
        let mut words = after.split(',').map(str::trim);
        if words.next() != Some("") {
            return Err(bad_form());
        }
        let mut words = words.peekable();
        let is_twice = words.next_if_eq(&TWICE).is_some();
        let labels = match words.next() {
            None => Labels::RowOrder,
            Some(SHUFFLED) => Labels::Shuffled,
            Some(REVERSED) => Labels::Reversed,
            _ => return Err(bad_form()),
        };
        if words.next().is_some() {
            return Err(bad_form());
        }
        let number = |number: &str| {
            let number = number.trim();
            // Do not accept a sign, which `parse` would accept.
            let digits = Some(number).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            let parsed = digits.and_then(|digits| digits.parse().ok());
            parsed.ok_or_else(|| ParseSpecError::BadNumber { text: text.into(), number: number.into() })
        };
        let numbers = numbers.split(',').map(number).collect::<Result<Vec<usize>, _>>()?;
        let found = numbers.len();
        let shape =
            shape(name, &numbers).ok_or_else(|| ParseSpecError::WrongCount { text: text.into(), found, form })?;
        Ok(GraphSpec { shape, is_twice, labels })
    }
}

impl fmt::Display for GraphSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape.fmt(f)?;
        if self.is_twice {
            write!(f, ",{TWICE}")?;
        }
        match self.labels {
            Labels::RowOrder => Ok(()),
            Labels::Shuffled => write!(f, ",{SHUFFLED}"),
            Labels::Reversed => write!(f, ",{REVERSED}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Shape::Random { vertices, picks, bits: 0 } => write!(f, "random({vertices},{picks})"),
            Shape::Random { vertices, picks, bits } => write!(f, "random({vertices},{picks},{bits})"),
            Shape::Uniform { scale, degree: USUAL_DEGREE } => write!(f, "uniform({scale})"),
            Shape::Uniform { scale, degree } => write!(f, "uniform({scale},{degree})"),
            Shape::Kronecker { scale, degree: USUAL_DEGREE } => write!(f, "kronecker({scale})"),
            Shape::Kronecker { scale, degree } => write!(f, "kronecker({scale},{degree})"),
            Shape::Rmat { scale, edges } => write!(f, "rmat({scale},{edges})"),
            Shape::Gnm { vertices, edges } => write!(f, "gnm({vertices},{edges})"),
            Shape::Geometric { vertices, neighbors } => write!(f, "geometric({vertices},{neighbors})"),
            Shape::Torus { side } => write!(f, "torus({side})"),
            Shape::Cube { side } => write!(f, "cube({side})"),
            Shape::Hypercube { dimensions } => write!(f, "hypercube({dimensions})"),
            Shape::Meshes { first, second } => write!(f, "meshes({first},{second})"),
            Shape::Path { vertices } => write!(f, "path({vertices})"),
            Shape::Regular { vertices, degree } => write!(f, "regular({vertices},{degree})"),
            Shape::BinTree { levels } => write!(f, "bintree({levels})"),
            Shape::Islands { count, size, side: 0 } => write!(f, "islands({count},{size})"),
            Shape::Islands { count, size, side } => write!(f, "islands({count},{size},{side})"),
            Shape::Stars { count, leaves } => write!(f, "stars({count},{leaves})"),
            Shape::Galaxy { count, leaves } => write!(f, "galaxy({count},{leaves})"),
            Shape::Cycles { count, size } => write!(f, "cycles({count},{size})"),
            Shape::Cliques { count, size } => write!(f, "cliques({count},{size})"),
            Shape::Lollipop { clique, tail } => write!(f, "lollipop({clique},{tail})"),
            Shape::Bipartite { first, second } => write!(f, "bipartite({first},{second})"),
            Shape::Grid { rows, columns } => write!(f, "grid({rows},{columns})"),
            Shape::Roads { rows, columns, missing } => write!(f, "roads({rows},{columns},{missing})"),
        }
    }
}
