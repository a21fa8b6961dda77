//! Traversals with a shared worklist: the programs of Cong, Kodali, Krishnamoorthy, Lea, Saraswat and Wen (2008),
//! examples 2.1 and 2.2, with the batches of section 3.3.

use super::claim::Claim;
use super::grower::Grower;
use super::rows::Rows;
use filch::{Batches, TraversalCounts, Traverse};

/// How vertices are grouped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) batches: Batches,
    /// Whether a half-filled batch is visited at once.
    pub(super) swaps: bool,
    /// Whether vertices wait for the next phase.
    pub(super) is_phased: bool,
}

/// Grows the tree of `root`, which has been claimed.
pub(super) fn grow<R: Rows, C: Claim>(grower: &Grower<'_, R, C>, root: R::Vertex, manner: Manner) -> TraversalCounts {
    let visit_all = |list: &mut filch::Worklist<'_, R::Vertex, ()>, batch: &mut Vec<R::Vertex>| {
        while let Some(v) = batch.pop() {
            grower.visit(v, |w| if manner.is_phased { list.push_next(w) } else { list.push(w) });
        }
        if !manner.swaps {
            // A batch that has been left cannot be swapped in.
            list.flush();
        }
    };
    Traverse::new().batches(manner.batches).run_batches([root], || (), visit_all).counts
}
