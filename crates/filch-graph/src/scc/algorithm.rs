//! The algorithms for strongly connected components.

use crate::cli_enum::cli_enum;

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

cli_enum!(
    Algorithm, "algorithm for strongly connected components", ParseAlgorithmError:
    Auto = "auto", Color = "color", Tarjan = "tarjan",
);

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
