//! The algorithms for strongly connected components.

use std::fmt;
use std::str::FromStr;

/// An algorithm for strongly connected components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Two searches for a giant component, unless the graph is deep or small; then [`Tarjan`](Algorithm::Tarjan) for
    /// the other vertices or, with many workers, [`Color`](Algorithm::Color).
    #[default]
    Auto,
    /// The searches, trimming, and then coloring for all other vertices. Parallel on every graph, but it reads the
    /// arcs several times.
    Color,
    /// Tarjan's algorithm, serial: [`serial`](super::serial()).
    Tarjan,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 3] = [Algorithm::Auto, Algorithm::Color, Algorithm::Tarjan];

    const fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Color => "color",
            Algorithm::Tarjan => "tarjan",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of an unknown algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown algorithm for strongly connected components `{0}`: expected auto, color or tarjan")]
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
    fn every_algorithm_is_parsed_as_it_is_displayed_and_listed_in_errors() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        let error = "magic".parse::<Algorithm>().expect_err("there is no such algorithm").to_string();
        assert!(Algorithm::ALL.iter().all(|algorithm| error.contains(algorithm.name())), "{error}");
    }
}
