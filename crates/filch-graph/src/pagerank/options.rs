//! Options of PageRank.

use crate::cli_enum::cli_enum;

/// When other vertices see the new score of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Update {
    /// At once (Gauss-Seidel), as in the GAP Benchmark Suite, and then the sum of the scores is
    /// [restored](super). Usually takes fewer iterations than [`Synchronous`](Update::Synchronous). On several workers,
    /// the last digits of the scores are nondeterministic.
    #[default]
    InPlace,
    /// In the next iteration (Jacobi). The scores after a given number of iterations do not depend on the schedule.
    Synchronous,
}

cli_enum!(Update, "update", ParseUpdateError: InPlace = "in-place", Synchronous = "synchronous");

/// Options of PageRank. The defaults are those of the GAP Benchmark Suite.
///
/// ```
/// use filch_graph::pagerank::{Options, Update};
///
/// let options = Options { max_iterations: 100, tolerance: 1e-6, update: Update::Synchronous, ..Options::default() };
/// assert_eq!(options.damping, 0.85);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The damping factor d, the share of a score that follows the arcs: at least 0 and less than 1.
    pub damping: f64,
    /// Stop after an iteration that changes the scores by less than this in total (the L1 norm). Not negative. The
    /// scores have 24 bits, so a tolerance below some 10^-7 may never be reached.
    pub tolerance: f64,
    /// Stop after this number of iterations, which is at least 1.
    pub max_iterations: usize,
    /// When other vertices see a new score.
    pub update: Update,
}

impl Default for Options {
    fn default() -> Self {
        Options { damping: 0.85, tolerance: 1e-4, max_iterations: 20, update: Update::InPlace }
    }
}

impl Options {
    /// Panics if a number is out of range.
    pub(super) fn check(&self) {
        let Options { damping, tolerance, max_iterations, .. } = self;
        assert!((0.0..1.0).contains(damping), "the damping factor is {damping}: expected at least 0 and less than 1");
        assert!(*tolerance >= 0.0, "the tolerance is {tolerance}: expected a number that is not negative");
        assert!(*max_iterations > 0, "the limit on iterations is {max_iterations}: expected at least 1");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_update_is_parsed_as_it_is_displayed_and_listed_in_errors() {
        for update in Update::ALL {
            assert_eq!(update.to_string().parse(), Ok(update));
        }
        let error = "later".parse::<Update>().expect_err("there is no such update").to_string();
        assert!(Update::ALL.iter().all(|update| error.contains(update.name())), "{error}");
    }
}
