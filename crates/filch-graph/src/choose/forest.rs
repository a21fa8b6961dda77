//! How a spanning forest is built.

use super::tuning::{LITTLE, PULL_PAYS_PERCENT, SMALL, SWEEP_WORTH, VISIT};
use super::{Choice, Facts};

/// How to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// A traversal with a stack.
    Serial,
    /// Each vertex takes a neighbor that comes before it, in parallel.
    Descend,
    /// Each vertex takes a neighbor that comes before it, by one worker, which joins trees on the way.
    Sweep,
    /// Grow a first tree from a vertex of high degree, and decide by that.
    Grow,
}

/// How to begin with a graph of which this is known.
pub(crate) fn plan(facts: &Facts) -> Choice<Plan> {
    if facts.vertices.saturating_add(facts.arcs) < SMALL {
        Choice::new(Plan::Serial, "the graph is small")
    } else if facts.descends == Some(true) {
        Choice::new(Plan::Descend, "vertices have neighbors before them, as by rows or levels")
    } else if facts.is_in_order && is_swept(facts) {
        Choice::new(Plan::Sweep, "few arcs, in the order of memory: one pass is fast")
    } else {
        Choice::new(Plan::Grow, "a first tree shows whether the graph is shallow")
    }
}

/// Whether one worker that sweeps, and does not wait for memory, is as fast as all of them by another way.
fn is_swept(facts: &Facts) -> bool {
    facts.arcs.saturating_mul(facts.workers) <= facts.vertices.saturating_mul(SWEEP_WORTH)
}

/// How to go on after a first tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing is left.
    Done,
    /// Begin again, by a sweep.
    Sweep,
    /// Each vertex outside of the tree looks for a neighbor in it.
    Pull,
    /// Visit the vertices of the tree that have not been visited, and so on.
    PseudoDfs,
}

/// A first tree, of one in [`LITTLE`] vertices or of a whole component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstTree {
    /// The number of its vertices.
    pub(crate) vertices: usize,
    /// The number of those that have not been visited.
    pub(crate) waiting: usize,
}

/// How to go on after a first tree. `next_to_it`: how many vertices have a neighbor in the tree, in percent of its own
/// vertices, judged by a sample.
pub(crate) fn next(facts: &Facts, tree: FirstTree, next_to_it: impl FnOnce() -> usize) -> Choice<Next> {
    if tree.vertices == facts.vertices {
        Choice::new(Next::Done, "all vertices are next to a small tree")
    } else if tree.waiting == 0 {
        Choice::new(Next::Sweep, "the first tree is small: there are many components")
    } else if tree.waiting <= VISIT {
        Choice::new(Next::Sweep, "a small tree has few ends: the graph is narrow")
    } else if next_to_it() >= PULL_PAYS_PERCENT {
        Choice::new(Next::Pull, "many vertices are next to a small tree: the graph is shallow")
    } else {
        Choice::new(Next::PseudoDfs, "few vertices are next to a small tree: it is deep")
    }
}

/// Whether all workers grow another tree, where so many vertices and arcs are `left` after the last one, which has
/// taken `taken` vertices of them. Otherwise one worker sweeps the rest.
pub(crate) fn grows_another(facts: &Facts, left: usize, arcs_left: impl FnOnce() -> usize, taken: usize) -> bool {
    let is_much = left > facts.vertices / LITTLE || left > 0 && arcs_left() > facts.arcs / LITTLE;
    // Without a giant component, traversing one component after the other would be almost serial.
    is_much && taken >= left
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::SHUFFLED;
    use super::*;

    fn after(facts: &Facts, vertices: usize, waiting: usize, next_to_it: usize) -> Next {
        next(facts, FirstTree { vertices, waiting }, || next_to_it).plan
    }

    #[test]
    fn a_small_graph_is_traversed_and_numbers_that_descend_are_used_however_many_arcs_there_are() {
        assert_eq!(plan(&Facts { vertices: 1000, arcs: 4000, descends: Some(true), ..SHUFFLED }).plan, Plan::Serial);
        assert_eq!(plan(&Facts { arcs: 100 << 20, descends: Some(true), ..SHUFFLED }).plan, Plan::Descend);
    }

    #[test]
    fn one_worker_sweeps_what_is_in_order_and_sparse_unless_there_are_many_workers() {
        let ordered = Facts { is_in_order: true, ..SHUFFLED };
        assert_eq!(plan(&ordered).plan, Plan::Sweep);
        assert_eq!(plan(&Facts { workers: 16, ..ordered }).plan, Plan::Grow);
        assert_eq!(plan(&Facts { arcs: 17 << 20, workers: 1, ..ordered }).plan, Plan::Grow);
        assert_eq!(plan(&SHUFFLED).plan, Plan::Grow);
    }

    #[test]
    fn pulling_needs_many_vertices_next_to_the_tree_and_a_tree_that_is_neither_small_nor_narrow() {
        assert_eq!(after(&SHUFFLED, 1 << 14, 5000, PULL_PAYS_PERCENT), Next::Pull);
        assert_eq!(after(&SHUFFLED, 1 << 14, 5000, PULL_PAYS_PERCENT - 1), Next::PseudoDfs);
        assert_eq!(after(&SHUFFLED, 1 << 14, VISIT, 1000), Next::Sweep);
        assert_eq!(after(&SHUFFLED, 100, 0, 1000), Next::Sweep);
        assert_eq!(after(&SHUFFLED, 1 << 20, 0, 0), Next::Done);
    }

    #[test]
    fn trees_are_grown_one_after_the_other_while_each_takes_half_of_what_is_left() {
        let grows = |left, arcs, taken| grows_another(&SHUFFLED, left, || arcs, taken);
        assert!(grows(1 << 19, 0, 1 << 19) && !grows(1 << 19, 0, (1 << 19) - 1));
        assert!(!grows(1 << 10, 4 << 10, 1 << 19) && grows(1 << 10, 1 << 20, 1 << 19) && !grows(0, 0, 1 << 20));
    }
}
