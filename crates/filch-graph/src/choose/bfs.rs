//! How a level of a breadth-first search is searched.
//!
//! The choice between top-down and bottom-up is that of Beamer, Asanović and Patterson (2012), with an estimate of what
//! a bottom-up step would read.

use super::tuning::{BFS_SWEEP, IN_VAIN, LOOKS_PER_ARC, WIDE_LEVEL};
use std::fmt;

/// How a level is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By one worker with a plain queue.
    Alone,
    /// By all workers, which follow the arcs of the frontier.
    TopDown,
    /// By all workers, which look for a neighbor in the frontier from each vertex outside.
    BottomUp,
}

/// Why a level was searched as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It was requested.
    Requested,
    /// It has few vertices.
    Narrow,
    /// Its arcs lead to places in the order of memory, and they are few, or there is one worker.
    Orderly,
    /// Looking from the open vertices takes fewer reads than following the arcs of the frontier.
    FewLooks,
    /// The level before was searched bottom-up, and this one is still wide.
    StillWide,
    /// Following its arcs takes fewer reads.
    FewArcs,
    /// Nothing is open.
    Last,
    /// Nothing beyond it is wanted, so that its arcs are not followed.
    Goal,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::Requested => "it was requested",
            Reason::Narrow => "few vertices: one worker is fast",
            Reason::Orderly => "arcs in the order of memory: one worker is fast",
            Reason::FewLooks => "looking from the open vertices takes fewer reads",
            Reason::StillWide => "the level is still wide",
            Reason::FewArcs => "following the arcs takes fewer reads",
            Reason::Last => "nothing is left to find",
            Reason::Goal => "nothing beyond is wanted",
        })
    }
}

/// What a search knows before a level, in numbers of vertices, of arcs and of *looks*: arcs and vertices that a
/// bottom-up step reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) vertices: usize,
    pub(crate) workers: usize,
    /// The arcs of the frontier.
    pub(crate) arcs: usize,
    /// Arcs that have not been followed, with those of the frontier.
    pub(crate) arcs_left: usize,
    /// Vertices that have not been reached.
    pub(crate) open: usize,
    /// Whether depths and parents are in a cache.
    pub(crate) is_near: bool,
    /// Whether bottom-up steps are allowed.
    pub(crate) may_go_up: bool,
}

impl Facts {
    /// How many looks a bottom-up step may take. An arc that is followed top-down leads to a place of its own; looks
    /// read rows in order, and a bitmap.
    pub(crate) fn most_looks(&self, is_in_order: bool) -> usize {
        if is_in_order || self.is_near { self.arcs } else { self.arcs.saturating_mul(LOOKS_PER_ARC) }
    }

    /// How many looks a bottom-up step takes, if arcs lead anywhere with the same probability.
    fn looks(&self) -> usize {
        let open_arcs = self.arcs_left.saturating_sub(self.arcs);
        let until_found = self.open.saturating_mul(self.arcs_left / self.arcs.max(1));
        self.open.saturating_add(open_arcs.min(until_found))
    }

    /// Whether a bottom-up step takes far more looks than are expected, and more than it may take. Then many open
    /// vertices cannot be reached, as in a second component. `looks`: judged by a sample.
    pub(crate) fn looks_in_vain(&self, looks: usize, most: usize) -> bool {
        looks > most.max(self.looks().saturating_mul(IN_VAIN))
    }

    /// How the level is searched. `is_in_order`: of a sample of the frontier; `sampled_looks`: what a bottom-up step
    /// reads, judged by a sample of the open vertices.
    pub(crate) fn way(&self, is_in_order: bool, sampled_looks: impl FnOnce() -> usize) -> (Way, Reason) {
        let most = self.most_looks(is_in_order);
        let goes_up = self.may_go_up && self.looks() <= most && self.arcs > self.arcs_left / WIDE_LEVEL;
        if goes_up && !self.looks_in_vain(sampled_looks(), most) {
            (Way::BottomUp, Reason::FewLooks)
        } else if (is_in_order || self.is_near) && (self.workers == 1 || self.arcs <= self.vertices) {
            // Whatever has no more arcs than there are vertices is soon over.
            (Way::Alone, Reason::Orderly)
        } else {
            (Way::TopDown, Reason::FewArcs)
        }
    }

    /// Whether the next level of a top-down step is found by a pass over all vertices: checking each vertex is then
    /// cheaper than claiming each vertex that is found.
    pub(crate) fn sweeps(&self) -> bool {
        self.arcs > self.vertices / BFS_SWEEP
    }

    /// Whether the level that such a pass has `found`, as a bitmap, is searched bottom-up.
    pub(crate) fn stays_wide(&self, found: usize, sampled_looks: impl FnOnce() -> usize) -> bool {
        let is_wide = self.may_go_up && found > self.vertices / WIDE_LEVEL;
        is_wide && !self.looks_in_vain(sampled_looks(), self.most_looks(false))
    }

    /// Whether the level that a bottom-up step has `found` is searched top-down. The step has taken that many `looks`;
    /// the level before had `before` vertices.
    pub(crate) fn goes_down(&self, before: usize, found: usize, looks: usize) -> bool {
        // Far more looks than arcs that are gained; they need not be far more if these arcs lead to places in a cache.
        let is_dear = self.arcs <= looks / if self.is_near { 1 } else { WIDE_LEVEL };
        let is_narrow = found <= self.vertices / WIDE_LEVEL;
        !self.may_go_up || is_dear && self.is_near || is_narrow && (found < before || is_dear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frontier in a random graph of a million vertices with 16 arcs each, a tenth of which is left.
    const WIDE: Facts = Facts {
        vertices: 1 << 20,
        workers: 2,
        arcs: 4 << 20,
        arcs_left: 12 << 20,
        open: 1 << 19,
        is_near: false,
        may_go_up: true,
    };

    #[test]
    fn a_wide_frontier_is_searched_bottom_up_unless_that_is_not_allowed_or_in_vain() {
        assert_eq!(WIDE.way(false, || 1 << 20), (Way::BottomUp, Reason::FewLooks));
        assert_eq!(WIDE.way(false, || 100 << 20).0, Way::TopDown);
        assert_eq!(Facts { may_go_up: false, ..WIDE }.way(false, || 0).0, Way::TopDown);
    }

    #[test]
    fn no_bottom_up_step_is_sampled_where_few_arcs_leave_the_frontier() {
        let few = Facts { arcs: 1000, ..WIDE };
        assert_eq!(few.way(false, || panic!("it is not sampled")), (Way::TopDown, Reason::FewArcs));
    }

    #[test]
    fn one_worker_searches_an_orderly_frontier_of_few_arcs_and_one_worker_alone_all_of_them() {
        let few = Facts { arcs: 1000, ..WIDE };
        assert_eq!(few.way(true, || 0), (Way::Alone, Reason::Orderly));
        let many = Facts { may_go_up: false, ..WIDE };
        assert_eq!(many.way(true, || 0).0, Way::TopDown);
        assert_eq!(Facts { workers: 1, ..many }.way(true, || 0).0, Way::Alone);
    }

    #[test]
    fn what_a_pass_over_all_vertices_finds_is_searched_bottom_up_if_it_is_wide_and_not_in_vain() {
        let wide = WIDE.vertices / WIDE_LEVEL + 1;
        assert!(WIDE.sweeps() && WIDE.stays_wide(wide, || 0) && !WIDE.stays_wide(wide, || usize::MAX));
        assert!(!WIDE.stays_wide(wide - 1, || panic!("it is not sampled")));
    }

    #[test]
    fn bottom_up_ends_when_the_frontier_is_small_and_shrinks_or_was_dear() {
        let small = WIDE.vertices / WIDE_LEVEL;
        assert!(WIDE.goes_down(small + 1, small, 0) && !WIDE.goes_down(small, small, 0));
        assert!(WIDE.goes_down(small, small, WIDE_LEVEL * WIDE.arcs));
        assert!(!WIDE.goes_down(1 << 20, small + 1, WIDE_LEVEL * WIDE.arcs));
        assert!(Facts { is_near: true, ..WIDE }.goes_down(1, small + 1, WIDE.arcs));
        assert!(Facts { may_go_up: false, ..WIDE }.goes_down(1, small + 1, 0));
    }
}
