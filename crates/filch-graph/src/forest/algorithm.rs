//! The algorithms for spanning forests.

use filch::Batches;
use std::fmt;
use std::str::FromStr;

/// An algorithm for spanning forests.
///
/// ```
/// use filch_graph::forest::Algorithm;
///
/// let algorithm: Algorithm = "pseudo-dfs(64)".parse()?;
/// assert_eq!(algorithm, Algorithm::PseudoDfs(filch::Batches::Fixed(64)));
/// assert_eq!(algorithm.to_string(), "pseudo-dfs(64)");
/// # Ok::<(), filch_graph::forest::ParseAlgorithmError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// One of [`Serial`](Self::Serial), [`Descend`](Self::Descend), [`Sweep`](Self::Sweep), [`Pull`](Self::Pull) and
    /// [`PseudoDfs`](Self::PseudoDfs), chosen by cheap tests of the graph.
    #[default]
    Auto,
    /// A traversal with shared worklists, latest batch first (Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen 2008,
    /// sections 1.2 and 3.3). Suitable for all graphs, however deep. Written `pseudo-dfs` with adaptive batches, and
    /// otherwise `pseudo-dfs(S)` or `pseudo-dfs(up-to-S)`.
    PseudoDfs(Batches),
    /// The same traversal in phases: each vertex is visited in the phase after that of its parent (Cong et al. 2008,
    /// section 2.3). The trees have the smallest possible depth. Written `phased-bfs`, `phased-bfs(S)` or
    /// `phased-bfs(up-to-S)`.
    PhasedBfs(Batches),
    /// Growing a small tree from a vertex of high degree, and then passes in which each remaining vertex joins the tree
    /// by any neighbor in it. For shallow graphs; most arcs are never read.
    Pull,
    /// Each vertex chooses a smaller neighbor as its parent, in one pass without synchronization; or a larger one,
    /// where more vertices have one. If this leaves several trees, [`Sweep`](Self::Sweep) is used. For graphs numbered
    /// by rows or levels, in which every vertex but one has such a neighbor.
    Descend,
    /// Each vertex takes a neighbor that comes before it as its parent, in the order of numbers, by one worker. It
    /// notes edges that join trees, and hangs the trees on each other in the end. For graphs with few arcs, and for
    /// what is left beside a giant component.
    Sweep,
    /// The serial traversal with a stack: [`serial`](super::serial()).
    Serial,
}

impl Algorithm {
    /// All algorithms, with adaptive batches.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Auto,
        Algorithm::PseudoDfs(Batches::Adaptive),
        Algorithm::PhasedBfs(Batches::Adaptive),
        Algorithm::Pull,
        Algorithm::Descend,
        Algorithm::Sweep,
        Algorithm::Serial,
    ];

    const fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::PseudoDfs(_) => "pseudo-dfs",
            Algorithm::PhasedBfs(_) => "phased-bfs",
            Algorithm::Pull => "pull",
            Algorithm::Descend => "descend",
            Algorithm::Sweep => "sweep",
            Algorithm::Serial => "serial",
        }
    }

    fn with_batches(self, batches: Batches) -> Option<Self> {
        match self {
            Algorithm::PseudoDfs(_) => Some(Algorithm::PseudoDfs(batches)),
            Algorithm::PhasedBfs(_) => Some(Algorithm::PhasedBfs(batches)),
            _ => None,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Algorithm::PseudoDfs(batches) | Algorithm::PhasedBfs(batches) if *batches != Batches::Adaptive => {
                f.pad(&format!("{name}({batches})"))
            }
            _ => f.pad(name),
        }
    }
}

/// The name of an unknown algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown algorithm for forests `{0}`: expected one of {names}, or with batches of S vertices \
     pseudo-dfs(S), pseudo-dfs(up-to-S), phased-bfs(S), phased-bfs(up-to-S) or phased-bfs(share/P:S..S)",
    names = Algorithm::ALL.map(Algorithm::name).join(", ")
)]
pub struct ParseAlgorithmError(String);

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Self, ParseAlgorithmError> {
        let named = |name: &str| Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        let found = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            None => named(text),
            Some((name, batches)) => named(name).and_then(|algorithm| algorithm.with_batches(batches.parse().ok()?)),
        };
        found.ok_or_else(|| ParseAlgorithmError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_parsed_as_it_is_displayed_and_listed_in_errors() {
        let sized = [Batches::Fixed(1), Batches::UpTo(7), Batches::Predicted { parts: 2, least: 3, most: 4 }]
            .into_iter()
            .flat_map(|batches| [Algorithm::PseudoDfs(batches), Algorithm::PhasedBfs(batches)]);
        for algorithm in Algorithm::ALL.into_iter().chain(sized) {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for wrong in ["", "magic", "pull(3)", "pseudo-dfs(0)", "pseudo-dfs(-1)", "pseudo-dfs(", "phased-bfs(up-to-)"] {
            let error = wrong.parse::<Algorithm>().expect_err("there is no such algorithm").to_string();
            assert!(Algorithm::ALL.iter().all(|algorithm| error.contains(algorithm.name())), "{error}");
        }
    }
}
