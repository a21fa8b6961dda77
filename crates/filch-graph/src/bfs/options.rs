//! Options of a search.

use std::fmt;
use std::str::FromStr;

/// How the vertices of the next level are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// For each level the direction that seems cheaper.
    #[default]
    Auto,
    /// By following the arcs that leave the frontier.
    TopDown,
    /// By checking the arcs that lead to each unreached vertex, until one comes from the frontier.
    BottomUp,
}

/// What to compute. Computing less is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// Both [`depths`](super::Bfs::depths) and [`parents`](super::Bfs::parents).
    #[default]
    Both,
    /// Only parents.
    Parents,
    /// Only depths.
    Depths,
}

/// Options of a search. The default computes depths and parents, with [`Direction::Auto`].
///
/// ```
/// use filch_graph::bfs::{Direction, Options, Output};
///
/// let options = Options { direction: Direction::TopDown, output: Output::Depths };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// How vertices are found.
    pub direction: Direction,
    /// What to compute.
    pub output: Output,
}

impl Direction {
    const ALL: [(Direction, &'static str); 3] =
        [(Direction::Auto, "auto"), (Direction::TopDown, "top-down"), (Direction::BottomUp, "bottom-up")];
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Direction::Auto => "auto",
            Direction::TopDown => "top-down",
            Direction::BottomUp => "bottom-up",
        })
    }
}

/// The name of an unknown direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown direction `{0}`: expected auto, top-down or bottom-up")]
pub struct ParseDirectionError(String);

impl FromStr for Direction {
    type Err = ParseDirectionError;

    fn from_str(text: &str) -> Result<Self, ParseDirectionError> {
        let found = Direction::ALL.iter().find(|(_, name)| *name == text);
        found.map(|&(direction, _)| direction).ok_or_else(|| ParseDirectionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_direction_is_parsed_as_it_is_displayed() {
        for (direction, name) in Direction::ALL {
            assert_eq!(direction.to_string(), name);
            assert_eq!(name.parse(), Ok(direction));
        }
        assert!("sideways".parse::<Direction>().is_err_and(|error| error.to_string().contains("`sideways`")));
    }
}
