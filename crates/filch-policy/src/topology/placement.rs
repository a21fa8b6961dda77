//! What a user asks for: the topology of the machine, or one by hand.

use super::{ParseTopologyError, Topology};
use std::error::Error;
use std::fmt::{self, Display};
use std::str::FromStr;

/// Where a user wants the workers of a pool: where the system says, or on squads that are described by hand.
///
/// In text, as in `FILCH_TOPOLOGY`, it is `machine` or a [`Topology`].
///
/// ```
/// use filch::topology::Placement;
///
/// assert_eq!("machine".parse(), Ok(Placement::Machine));
/// assert_eq!("2x2".parse(), Ok(Placement::Squads("2x2".parse()?)));
/// # Ok::<(), filch::topology::ParseTopologyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Each worker is bound to a processor, and near those with which its processor shares something.
    Machine,
    /// The workers have this topology, whatever the machine is.
    Squads(Topology),
}

/// Why a text is not a [`Placement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlacementError(ParseTopologyError);

impl Display for ParsePlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; or `{MACHINE}`, for what the system says", self.0)
    }
}

impl Error for ParsePlacementError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl From<ParseTopologyError> for ParsePlacementError {
    fn from(error: ParseTopologyError) -> Self {
        Self(error)
    }
}

const MACHINE: &str = "machine";

impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == MACHINE { Ok(Placement::Machine) } else { Ok(Placement::Squads(text.parse()?)) }
    }
}

impl Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placement::Machine => f.write_str(MACHINE),
            Placement::Squads(topology) => topology.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_is_read_back_as_it_was() {
        for text in ["machine", "2x2", "2+3", "4x4,cache=6MiB"] {
            assert_eq!(text.parse::<Placement>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_placement_is_refused_with_both_kinds() {
        for text in ["", "machines", "2x2x2"] {
            let said = text.parse::<Placement>().expect_err(text).to_string();
            let expected = ["names no squads; expected the number of squads", "; or `machine`"];
            assert!(expected.iter().all(|words| said.contains(words)), "{said}");
        }
    }
}
