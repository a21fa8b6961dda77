//! What a user can choose.

use std::fmt;
use std::str::FromStr;

/// How vertices of the next level are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Level by level whichever looks cheaper.
    #[default]
    Auto,
    /// Along the arcs that leave the frontier.
    TopDown,
    /// From each vertex that has not been reached, against the arcs that lead to it, until one comes from the frontier.
    BottomUp,
}

/// What is to be found. The less, the less is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// [`depths`](super::Bfs::depths) and [`parents`](super::Bfs::parents).
    #[default]
    Both,
    /// Parents only.
    Parents,
    /// Depths only.
    Depths,
}

/// What a search does; by default, whatever is fastest, for depths and parents.
///
/// ```
/// use filch_graph::bfs::{Direction, Options, Output};
///
/// let options = Options { direction: Direction::TopDown, output: Output::Depths };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// How vertices are looked for.
    pub direction: Direction,
    /// What is to be found.
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

/// A direction that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no direction is called `{0}`: there are auto, top-down and bottom-up")]
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
    fn every_direction_is_read_as_it_is_written() {
        for (direction, name) in Direction::ALL {
            assert_eq!(direction.to_string(), name);
            assert_eq!(name.parse(), Ok(direction));
        }
        assert!("sideways".parse::<Direction>().is_err_and(|error| error.to_string().contains("`sideways`")));
    }
}
