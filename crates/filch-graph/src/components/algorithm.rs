//! Which algorithms there are.

use std::fmt;
use std::str::FromStr;

/// How components are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`Search`](Algorithm::Search), given up for [`Afforest`](Algorithm::Afforest) after some levels.
    #[default]
    Auto,
    /// Union-find with a lock-free hook, first along two arcs of each vertex, then along all arcs of those vertices
    /// that are not in what is then the largest component (Sutton, Ben-Nun, Barak: Optimizing parallel graph
    /// connectivity computation via subgraph sampling, IPDPS 2018).
    Afforest,
    /// A search from a vertex of high degree, both along arcs and from vertices that are not reached; then
    /// [`Afforest`](Algorithm::Afforest) for the rest. It is given up, too, but only after a thousand levels. Each
    /// level costs a look at all words of bitmaps, n/64 for n vertices: in a deep graph, up to 16 n of them, be the
    /// levels small or not. For shallow graphs only.
    Search,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 3] = [Algorithm::Auto, Algorithm::Afforest, Algorithm::Search];

    const fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Afforest => "afforest",
            Algorithm::Search => "search",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An algorithm that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no algorithm for components is called `{0}`: there are auto, afforest and search")]
pub struct ParseAlgorithmError(String);

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Self, ParseAlgorithmError> {
        let found = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == text);
        found.ok_or_else(|| ParseAlgorithmError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_read_as_it_is_written_and_named_where_one_is_not() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        let error = "magic".parse::<Algorithm>().expect_err("there is no such algorithm").to_string();
        assert!(Algorithm::ALL.iter().all(|algorithm| error.contains(algorithm.name())), "{error}");
    }
}
