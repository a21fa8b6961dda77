//! How components are found.

use super::tuning::{SWEEP_WORTH, SWEPT, THIN};
use super::{Choice, Facts};

/// How to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Each vertex takes the label of a smaller neighbor.
    Sweep,
    /// Search from a vertex of high degree, and decide by what that finds.
    Search,
}

/// How to begin with a graph of which this is known.
pub(crate) fn plan(facts: &Facts) -> Choice<Plan> {
    if facts.is_in_order {
        Choice::new(Plan::Sweep, "arcs lead to places in the order of memory")
    } else if is_swept(facts, THIN) {
        Choice::new(Plan::Sweep, "there are hardly more arcs than in trees and cycles")
    } else {
        Choice::new(Plan::Search, "a search shows whether there is a giant component")
    }
}

/// Whether a graph with at most so many arcs for each vertex, numbered in no order, is left to a sweep by one worker.
fn is_swept(facts: &Facts, arcs: usize) -> bool {
    let worth = facts.vertices.saturating_mul(SWEEP_WORTH);
    facts.has_at_most(arcs) && facts.arcs.saturating_mul(facts.workers) <= worth
}

/// How to go on after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Begin again, by a sweep.
    Sweep,
    /// Afforest for what the search has not found.
    Rest,
    /// Afforest for everything.
    Afforest,
}

/// How to go on after a search that has found a component of so many vertices, or has been abandoned.
pub(crate) fn next(facts: &Facts, found: Option<usize>) -> Choice<Next> {
    match found {
        Some(found) if found > facts.vertices / 2 => Choice::new(Next::Rest, "there is a giant component"),
        _ if is_swept(facts, SWEPT) => Choice::new(Next::Sweep, "few arcs, and no giant component near to a hub"),
        Some(_) => Choice::new(Next::Rest, "many arcs, and no giant component"),
        None => Choice::new(Next::Afforest, "the graph is too deep for a search"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::SHUFFLED;
    use super::*;

    #[test]
    fn what_is_in_order_is_swept_whatever_it_is() {
        let facts = Facts { arcs: 100 << 20, workers: 64, is_in_order: true, ..SHUFFLED };
        assert_eq!(plan(&facts).plan, Plan::Sweep);
    }

    #[test]
    fn in_no_order_the_fewer_arcs_there_are_the_more_workers_it_takes_to_outrun_a_sweep() {
        let swept = |arcs: usize, workers| plan(&Facts { arcs: arcs << 20, workers, ..SHUFFLED }).plan == Plan::Sweep;
        assert!(swept(1, 8) && !swept(1, 9));
        assert!(swept(2, 4) && !swept(2, 5));
        assert!(!swept(3, 1), "there may be a shallow giant component");
    }

    #[test]
    fn after_a_search_a_giant_component_is_kept_and_without_one_few_arcs_are_swept() {
        assert_eq!(next(&SHUFFLED, Some(1 << 20)).plan, Next::Rest);
        assert_eq!(next(&SHUFFLED, Some(1 << 17)).plan, Next::Sweep);
        assert_eq!(next(&SHUFFLED, None).plan, Next::Sweep);
        assert_eq!(next(&Facts { workers: 3, ..SHUFFLED }, None).plan, Next::Afforest);
        let dense = Facts { arcs: 16 << 20, ..SHUFFLED };
        assert_eq!(next(&dense, Some(100)).plan, Next::Rest);
        assert_eq!(next(&dense, None).plan, Next::Afforest);
    }
}
