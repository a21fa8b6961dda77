//! Loops, and how long their bodies take.

use super::work::{ParseTimeError, ParseWorkError, Work, parse_time};
use super::{Extent, Node, Program, Shape};
use std::fmt;
use std::str::FromStr;

/// How long the bodies of a loop take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies {
    /// Drawn for each body, wherever it is in the loop.
    Drawn(Work),
    /// From the first time to the second one, in equal steps: as in the triangular loops of a factorisation.
    Ramp(u64, u64),
    /// All alike, but the last ones, which take longer or shorter.
    Last {
        /// What most bodies take.
        usual_ns: u64,
        /// What the last ones take.
        last_ns: u64,
        /// How many last ones there are.
        count: u64,
    },
}

impl Bodies {
    /// What body number `body` of so many takes.
    fn of(self, body: u64, iterations: u64) -> u64 {
        match self {
            Bodies::Drawn(work) => work.of(body),
            Bodies::Ramp(first, last) => {
                let steps = u128::from(iterations.saturating_sub(1).max(1));
                let rise = |height: u64| (u128::from(height) * u128::from(body) / steps) as u64;
                if first <= last { first + rise(last - first) } else { first - rise(first - last) }
            }
            Bodies::Last { usual_ns, last_ns, count } => {
                if body + count >= iterations {
                    last_ns
                } else {
                    usual_ns
                }
            }
        }
    }

    fn least_ns(self) -> u64 {
        match self {
            Bodies::Drawn(work) => work.least_ns(),
            Bodies::Ramp(first, last) => first.min(last),
            Bodies::Last { usual_ns, last_ns, .. } => usual_ns.min(last_ns),
        }
    }

    pub(crate) fn constant_ns(self) -> Option<u64> {
        match self {
            Bodies::Drawn(work) => work.constant_ns(),
            _ => None,
        }
    }

    /// The sum of all bodies of a range, if there is a formula.
    fn sum_ns(self, first: u64, size: u64, iterations: u64) -> Option<u64> {
        match self {
            Bodies::Drawn(work) => Some(work.constant_ns()?.saturating_mul(size)),
            Bodies::Ramp(..) => None,
            Bodies::Last { usual_ns, last_ns, count } => {
                let last = (first + size).saturating_sub(first.max(iterations.saturating_sub(count)));
                Some(last_ns.saturating_mul(last).saturating_add(usual_ns.saturating_mul(size - last)))
            }
        }
    }
}

impl fmt::Display for Bodies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bodies::Drawn(work) => work.fmt(f),
            Bodies::Ramp(first, last) => write!(f, "ramp({first}ns,{last}ns)"),
            Bodies::Last { usual_ns, last_ns, count } => write!(f, "last({usual_ns}ns,{last_ns}ns,{count})"),
        }
    }
}

/// Text that does not say how long bodies take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBodiesError {
    /// It is not a distribution.
    #[error(transparent)]
    Work(#[from] ParseWorkError),
    /// A part of it is not a time.
    #[error(transparent)]
    Time(#[from] ParseTimeError),
    /// It has too few or too many parts.
    #[error("`{0}`: expected {1}")]
    Form(String, &'static str),
}

impl FromStr for Bodies {
    type Err = ParseBodiesError;

    /// A [`Work`], or `ramp(1us,20us)`, or `last(1us,1ms,10)`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = |name: &str| {
            let inner = text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
            Some(inner.split(',').collect::<Vec<_>>())
        };
        let wrong = |expected| ParseBodiesError::Form(text.to_owned(), expected);
        let time = |part: &str| match parse_time(part)? {
            0 => Err(ParseWorkError::Zero(text.to_owned()).into()),
            ns => Ok::<u64, ParseBodiesError>(ns),
        };
        if let Some(parts) = parts("ramp") {
            let [first, last] = parts[..] else { return Err(wrong("ramp(FIRST,LAST), such as ramp(1us,20us)")) };
            return Ok(Bodies::Ramp(time(first)?, time(last)?));
        }
        if let Some(parts) = parts("last") {
            let expected = "last(USUAL,LAST,COUNT), such as last(1us,1ms,10)";
            let [usual, last, count] = parts[..] else { return Err(wrong(expected)) };
            let count = count.parse().map_err(|_| wrong(expected))?;
            return Ok(Bodies::Last { usual_ns: time(usual)?, last_ns: time(last)?, count });
        }
        Ok(Bodies::Drawn(text.parse()?))
    }
}

/// A loop, divided by joins into halves down to single iterations.
#[derive(Clone, Debug)]
pub struct Loop {
    iterations: u64,
    bodies: Bodies,
}

impl Loop {
    /// The loop over so many iterations, from 1 up.
    pub fn new(iterations: u64, bodies: Bodies) -> Self {
        Loop { iterations, bodies }
    }
}

impl Program for Loop {
    fn name(&self) -> String {
        let Loop { iterations, bodies } = self;
        format!("loop:{iterations},body={bodies}")
    }

    fn root(&self) -> Node {
        Node { id: 0, size: self.iterations, part: 0 }
    }

    fn open(&self, node: Node) -> Shape {
        let Node { id, size, .. } = node;
        if size == 1 {
            return Shape::Leaf { work_ns: self.bodies.of(id, self.iterations) };
        }
        let half = size / 2;
        // Where all iterations are alike, so are parts of the same size.
        let second = if self.repeats() { id } else { id + half };
        Shape::Fork {
            work_ns: 0,
            first: Node { size: half, ..node },
            second: Node { id: second, size: size - half, ..node },
        }
    }

    fn repeats(&self) -> bool {
        self.bodies.constant_ns().is_some()
    }

    fn extent(&self, node: Node) -> Option<Extent> {
        let Node { id, size, .. } = node;
        let work_ns = self.bodies.sum_ns(id, size, self.iterations)?;
        Some(Extent { work_ns, forks: size - 1, leaves: size })
    }

    fn least_ns(&self, node: Node) -> u64 {
        self.bodies.least_ns().saturating_mul(node.size)
    }
}

#[cfg(test)]
mod tests {
    use super::super::totals::Totals;
    use super::*;

    fn bodies(text: &str) -> Bodies {
        text.parse().expect(text)
    }

    /// The work, by adding all bodies.
    fn sum(bodies: Bodies, iterations: u64) -> u64 {
        (0..iterations).map(|body| bodies.of(body, iterations)).sum()
    }

    #[test]
    fn a_loop_runs_each_iteration_and_its_span_is_the_longest_one_and_the_forks_above_it() {
        let work = bodies("10ns|1000ns/50");
        let totals = Totals::of(&Loop::new(1_024, work), 1);
        assert_eq!((totals.work_ns, totals.span_ns), (sum(work, 1_024), 1_000 + 10));
        let large = Totals::of(&Loop::new(1 << 40, bodies("3ns")), 1);
        assert_eq!((large.leaves, large.span_ns), (1 << 40, 3 + 40));
    }

    #[test]
    fn a_ramp_has_the_work_of_a_trapezium_whichever_way_it_goes() {
        for (text, longest) in [("ramp(100ns,1123ns)", 1_123), ("ramp(1123ns,100ns)", 1_123), ("ramp(7ns,7ns)", 7)] {
            let totals = Totals::of(&Loop::new(1_024, bodies(text)), 1);
            let ends = bodies(text).of(0, 1_024) + bodies(text).of(1_023, 1_024);
            assert_eq!((totals.work_ns, totals.span_ns), (ends * 1_024 / 2, longest + 10), "{text}");
        }
        assert_eq!(bodies("ramp(5ns,9ns)").of(0, 1), 5, "a loop of one body");
    }

    #[test]
    fn the_last_bodies_are_as_many_as_asked_for_and_ranges_know_their_sum() {
        for count in [0, 1, 3, 100, 200] {
            let of = Bodies::Last { usual_ns: 10, last_ns: 500, count };
            let tree = Loop::new(100, of);
            assert_eq!(Totals::of(&tree, 0).work_ns, 10 * 100 + 490 * count.min(100), "{count}");
            for (id, size) in [(0, 100), (90, 10), (97, 1), (50, 49)] {
                let range: u64 = (id..id + size).map(|body| of.of(body, 100)).sum();
                assert_eq!(tree.extent(Node { id, size, part: 0 }).map(|it| it.work_ns), Some(range), "{count}: {id}");
            }
        }
    }

    #[test]
    fn bodies_survive_their_text_and_what_is_not_one_is_refused() {
        for text in ["5ns", "1ns..9ns", "exp(70ns)", "ramp(1ns,9ns)", "last(1ns,9ns,3)"] {
            assert_eq!(bodies(text).to_string(), text);
        }
        let refused = |text: &str| text.parse::<Bodies>().expect_err(text).to_string();
        assert!(refused("ramp(1us)").contains("ramp(FIRST,LAST)"));
        assert!(refused("last(1us,2us)").contains("last(USUAL,LAST,COUNT)"));
        assert!(refused("last(1us,2us,x)").contains("last(USUAL,LAST,COUNT)"));
        assert!(refused("ramp(0us,1us)").contains("at least 1ns") && refused("ramp(1,2us)").contains("not a time"));
        assert!(refused("ramp 1us").contains("not a time"));
    }
}
