//! Pseudo-depth-first search, and the same in phases: the traversal of the runtime, claims, and looking ahead in
//! batches.
//!
//! **Claims.** A vertex is in the tree once it has a parent, and who finds it without one claims it: by a
//! compare-exchange, or by a load and a store with a barrier between the claim of a vertex and the looks at its
//! neighbours (tascell-graphs.txt, figure 5). Here the second form costs *one barrier per batch*: a batch is claimed,
//! all of it, before it is begun. Two workers may then claim one vertex, and both visit it; the last store wins.
//!
//! Why there is no cycle. Say that vertices u1, ..., uk have for parents u2, ..., uk, u1. The worker that gave ui its
//! parent visited u(i+1) in some batch; call the barrier at the beginning of that batch Fi. Someone had stored a claim
//! of u(i+1) before, in the order that batches change hands in, so before Fi. Then the same worker looked at ui, after
//! Fi, and found no parent. Now if F(i-1), before which ui had been claimed, came before Fi in the one order of all
//! barriers, or were Fi, that look would have found the claim. So Fi comes before F(i-1), for each i, round the cycle:
//! impossible. Without barriers it is possible: two workers each claim one end of an edge, and both look at the other
//! end while the claims are in their store buffers.
//!
//! **Looking ahead.** A plain traversal waits for memory three times per vertex: for where its row is, for the row,
//! for the parents of its neighbours. But a batch tells which vertices come next, so each is looked at four
//! times, some vertices apart: three times to have the memory fetch what the next look needs, then to visit it.

use super::options::Claims;
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use filch::{Batches, TraversalCounts, Traverse, Worklist};
use std::sync::atomic::{Ordering, fence};

/// Vertices between two looks at one. More, and a batch is over before the first one has been looked at four times;
/// fewer, and memory is not there yet. Figures: `examples/forest.rs`.
const APART: usize = 8;

/// A vertex is visited so many steps after the first look at it.
pub(super) const VISIT: usize = 3 * APART;

/// How a traversal goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) batches: Batches,
    pub(super) claims: Claims,
    /// Whether vertices wait for the next phase.
    pub(super) is_phased: bool,
    /// Whether what comes next is fetched from memory in advance: a loss where it is near what came before.
    pub(super) looks_ahead: bool,
}

/// The parents of vertices; [`Vertex::NONE`] where there is none yet.
pub(super) type Cells<V> = [<V as Vertex>::Atomic];

/// Visits all that can be reached from `claimed`, which have parents, over vertices that have none.
pub(super) fn traverse<G: Graph>(
    graph: &G,
    parents: &Cells<G::Vertex>,
    claimed: Vec<G::Vertex>,
    manner: Manner,
) -> TraversalCounts {
    let by_store = manner.claims == Claims::Store || filch::num_workers() == 1;
    let run = match (by_store, manner.is_phased, manner.looks_ahead) {
        (false, false, false) => run::<G, false, false, false>,
        (false, false, true) => run::<G, false, false, true>,
        (false, true, false) => run::<G, false, true, false>,
        (false, true, true) => run::<G, false, true, true>,
        (true, false, false) => run::<G, true, false, false>,
        (true, false, true) => run::<G, true, false, true>,
        (true, true, false) => run::<G, true, true, false>,
        (true, true, true) => run::<G, true, true, true>,
    };
    run(graph, parents, claimed, manner.batches)
}

fn run<G: Graph, const STORE: bool, const PHASED: bool, const AHEAD: bool>(
    graph: &G,
    parents: &Cells<G::Vertex>,
    claimed: Vec<G::Vertex>,
    batches: Batches,
) -> TraversalCounts {
    let visit = |list: &mut Worklist<'_, G::Vertex, ()>, v: G::Vertex| {
        for w in graph.neighbors(v) {
            if claim::<G::Vertex, STORE>(&parents[w.index()], v) {
                if PHASED { list.push_next(w) } else { list.push(w) }
            }
        }
    };
    let traversed = Traverse::new().batches(batches).run_batches(
        claimed,
        || (),
        |list, batch| {
            if STORE {
                fence(Ordering::SeqCst);
            }
            if AHEAD && batch.len() > 1 {
                for step in 0..batch.len() + VISIT {
                    look_ahead(graph, parents, batch, step);
                    if let Some(&v) = step.checked_sub(VISIT).and_then(|i| batch.get(i)) {
                        visit(list, v);
                    }
                }
            } else {
                batch.iter().rev().for_each(|&v| visit(list, v));
            }
            batch.clear();
        },
    );
    traversed.counts
}

/// Three looks, at three vertices: of the one that comes first, `APART` later each.
#[inline(always)]
pub(super) fn look_ahead<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, batch: &[G::Vertex], step: usize) {
    if let Some(&v) = batch.get(step) {
        graph.prefetch(v);
    }
    if let Some(&v) = step.checked_sub(APART).and_then(|i| batch.get(i)) {
        graph.prefetch_neighbors(v);
    }
    if let Some(&v) = step.checked_sub(2 * APART).and_then(|i| batch.get(i)) {
        graph.neighbors(v).for_each(|w| prefetch(parents, w.index()));
    }
}

/// True if the vertex of `cell` had no parent, and has `parent` now. By a store: another worker may be told so, too.
#[inline(always)]
fn claim<V: Vertex, const STORE: bool>(cell: &V::Atomic, parent: V) -> bool {
    if cell.load() != V::NONE {
        return false;
    }
    if STORE {
        cell.store(parent);
        return true;
    }
    cell.replace(V::NONE, parent)
}
