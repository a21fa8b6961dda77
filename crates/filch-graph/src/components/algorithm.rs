//! The algorithms for connected components.

use crate::cli_enum::cli_enum;

/// An algorithm for connected components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`Sweep`](Algorithm::Sweep) if a sample of the vertices shows that they are numbered by rows or levels, or if
    /// there are few arcs. Otherwise [`Search`](Algorithm::Search), abandoned after 32 levels in favor of
    /// [`Afforest`](Algorithm::Afforest) or of a sweep.
    #[default]
    Auto,
    /// Union-find with lock-free hooking. It first follows two arcs of each vertex, and then all arcs of the vertices
    /// outside of the component that is the largest one at this point (Sutton, Ben-Nun and Barak 2018, "Optimizing
    /// parallel graph connectivity computation via subgraph sampling").
    Afforest,
    /// A direction-optimizing search from a vertex of high degree, and then [`Afforest`](Algorithm::Afforest) for the
    /// other components. Suitable only for shallow graphs: each level reads all words of the bitmaps, n/64 for n
    /// vertices, however small the level is. The search is abandoned after 1024 levels, so in a deep graph it reads up
    /// to 16 n words.
    Search,
    /// Each vertex takes the label of a smaller neighbor, in the order of numbers. If this leaves several labels in a
    /// component, they are linked. For graphs numbered by rows or levels, in which this reads memory in order, and for
    /// graphs with few arcs.
    Sweep,
    /// A traversal with a stack by one worker.
    Serial,
}

cli_enum!(
    Algorithm, "algorithm for components", ParseAlgorithmError:
    Auto = "auto", Afforest = "afforest", Search = "search", Sweep = "sweep", Serial = "serial",
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
