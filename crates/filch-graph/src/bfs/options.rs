//! Options of a search.

use crate::cli_enum::cli_enum;

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

cli_enum!(Direction, "direction", ParseDirectionError: Auto = "auto", TopDown = "top-down", BottomUp = "bottom-up");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_direction_is_parsed_as_it_is_displayed() {
        for (direction, name) in Direction::ALL.into_iter().zip(["auto", "top-down", "bottom-up"]) {
            assert_eq!(direction.to_string(), name);
            assert_eq!(name.parse(), Ok(direction));
        }
        assert!("sideways".parse::<Direction>().is_err_and(|error| error.to_string().contains("`sideways`")));
    }
}
