//! Which algorithms there are.

use filch::Batches;
use std::fmt;
use std::str::FromStr;

/// How a spanning forest is built.
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
    /// Whichever of [`Serial`](Self::Serial), [`Descend`](Self::Descend), [`Pull`](Self::Pull),
    /// [`PseudoDfs`](Self::PseudoDfs) and [`Islands`](Self::Islands) suits the graph, by a few cheap looks at it.
    #[default]
    Auto,
    /// A shared worklist, the latest batch first (xws.txt, sections 1.2 and 3.3). It needs nothing of the graph; depth
    /// is no obstacle. `pseudo-dfs`, or with other batches than adaptive ones `pseudo-dfs(S)` and
    /// `pseudo-dfs(up-to-S)`.
    PseudoDfs(Batches),
    /// The same in phases, each vertex in the one after its parent's (xws.txt, section 2.3): trees are as shallow as
    /// can be. `phased-bfs`, with batches as above.
    PhasedBfs(Batches),
    /// Growing from a vertex of high degree, then passes in which every vertex that is left takes any neighbour that is
    /// in the tree. For graphs that are shallow: most arcs are never looked at.
    Pull,
    /// Every vertex takes a smaller neighbour, one pass without synchronisation; trees that this leaves apart are
    /// linked. For graphs that are numbered row by row or level by level, where almost every vertex has a smaller
    /// neighbour.
    Descend,
    /// Every component of at most some hundred arcs is walked by one worker, without claims, and the others as by
    /// [`PseudoDfs`](Self::PseudoDfs), one after the other. For graphs of very many components.
    Islands,
    /// Breadth-first search that optimises its direction: [`bfs`](crate::bfs).
    Search,
    /// Rem's union-find by compare-exchange, first along two arcs of each vertex unless there are few (ConnectIt:
    /// Dhulipala, Hong, Shun, VLDB 2020), remembering the edge of each hook; then the trees of these edges are rooted.
    UnionFind,
    /// The plain traversal with a stack, on one worker: [`serial`](super::serial()).
    Serial,
}

const UP_TO: &str = "up-to-";

impl Algorithm {
    /// All of them, with adaptive batches.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Auto,
        Algorithm::PseudoDfs(Batches::Adaptive),
        Algorithm::PhasedBfs(Batches::Adaptive),
        Algorithm::Pull,
        Algorithm::Descend,
        Algorithm::Islands,
        Algorithm::Search,
        Algorithm::UnionFind,
        Algorithm::Serial,
    ];

    const fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::PseudoDfs(_) => "pseudo-dfs",
            Algorithm::PhasedBfs(_) => "phased-bfs",
            Algorithm::Pull => "pull",
            Algorithm::Descend => "descend",
            Algorithm::Islands => "islands",
            Algorithm::Search => "search",
            Algorithm::UnionFind => "union-find",
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
            Algorithm::PseudoDfs(Batches::Fixed(size)) | Algorithm::PhasedBfs(Batches::Fixed(size)) => {
                f.pad(&format!("{name}({size})"))
            }
            Algorithm::PseudoDfs(Batches::UpTo(size)) | Algorithm::PhasedBfs(Batches::UpTo(size)) => {
                f.pad(&format!("{name}({UP_TO}{size})"))
            }
            _ => f.pad(name),
        }
    }
}

/// An algorithm that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no algorithm for forests is called `{0}`: there are {names}, and with batches of S vertices at a time \
     pseudo-dfs(S), pseudo-dfs(up-to-S), phased-bfs(S) and phased-bfs(up-to-S)",
    names = Algorithm::ALL.map(Algorithm::name).join(", ")
)]
pub struct ParseAlgorithmError(String);

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Self, ParseAlgorithmError> {
        let named = |name: &str| Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        let found = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            None => named(text),
            Some((name, batches)) => named(name).and_then(|algorithm| algorithm.with_batches(batches_of(batches)?)),
        };
        found.ok_or_else(|| ParseAlgorithmError(text.to_owned()))
    }
}

fn batches_of(text: &str) -> Option<Batches> {
    if text == "adaptive" {
        return Some(Batches::Adaptive);
    }
    let (make, size): (fn(usize) -> Batches, _) = match text.strip_prefix(UP_TO) {
        Some(size) => (Batches::UpTo, size),
        None => (Batches::Fixed, text),
    };
    size.parse().ok().filter(|&size| size > 0).map(make)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_read_as_it_is_written_and_named_where_one_is_not() {
        let sized = [Batches::Fixed(1), Batches::Fixed(2048), Batches::UpTo(7)]
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
