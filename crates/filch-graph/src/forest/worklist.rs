//! Traversal with worklists: pseudo-depth-first search, and the same in phases.
//!
//! **Claims.** A vertex is in the tree when it has a parent. A worker that finds a vertex without a parent claims it,
//! either by a compare-exchange, or by a load and a store, with a memory barrier between claiming a vertex and reading
//! the parents of its neighbors (Yasugi, Hiraishi, Umatani and Yuasa 2012, figure 5). Here the second form takes only
//! *one barrier per batch*, because all vertices of a batch are claimed before the batch is visited. Two workers may
//! then claim the same vertex. Both visit it, and the last store determines its parent.
//!
//! *Why there is no cycle.* Suppose that the parents of u1, ..., uk are u2, ..., uk, u1. For each i, the worker that
//! made u(i+1) the parent of ui visited u(i+1) in some batch. Let Fi be the barrier at the beginning of that batch. A
//! claim of u(i+1) was stored before Fi, by this worker or by one from which the batch was handed over. After Fi, the
//! worker read the parent of ui and found none. Barriers have a single total order. If F(i-1) came before Fi, or were
//! the same barrier, the claim of ui, which was stored before F(i-1), would be visible to this read. So Fi comes before
//! F(i-1), for each i around the cycle, which is a contradiction. Without barriers, a cycle is possible: two workers
//! claim the two ends of an edge, and each reads the other end while both claims are still in the store buffers
//! (`crates/filch/models/claims.pml`).
//!
//! **Prefetching.** A plain traversal waits for memory three times per vertex: for the position of its row, for the
//! row, and for the parents of its neighbors. But a batch shows which vertices come next. So each vertex is processed
//! in four steps, [`AHEAD`] vertices apart: the first three prefetch what the next step reads, and the fourth visits
//! the vertex.

use super::result::Claims;
use crate::choose::tuning::{AHEAD, VISIT};
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use filch::{Batches, TraversalCounts, Traverse, Worklist};
use std::sync::atomic::{Ordering, fence};

/// The variant of a traversal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) batches: Batches,
    pub(super) claims: Claims,
    /// Whether vertices wait for the next phase.
    pub(super) is_phased: bool,
    /// Whether to prefetch, which is a loss if neighbors are close in memory.
    pub(super) looks_ahead: bool,
}

/// The parents of vertices, [`Vertex::NONE`] for vertices without a parent.
pub(super) type Cells<V> = [<V as Vertex>::Atomic];

/// The parents of all vertices of a graph.
pub(super) type Parents<G> = Vec<<<G as Graph>::Vertex as Vertex>::Atomic>;

/// Visits all vertices that can be reached from `claimed` over vertices without a parent. The vertices in `claimed`
/// must have parents.
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

fn run<G: Graph, const STORE: bool, const PHASED: bool, const LOOKS: bool>(
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
            if LOOKS && batch.len() > 1 {
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

/// The first three steps, for the vertices at `step`, `step - AHEAD` and `step - 2 * AHEAD`.
#[inline(always)]
pub(super) fn look_ahead<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, batch: &[G::Vertex], step: usize) {
    if let Some(&v) = batch.get(step) {
        graph.prefetch(v);
    }
    if let Some(&v) = step.checked_sub(AHEAD).and_then(|i| batch.get(i)) {
        graph.prefetch_neighbors(v);
    }
    if let Some(&v) = step.checked_sub(2 * AHEAD).and_then(|i| batch.get(i)) {
        graph.neighbors(v).for_each(|w| prefetch(parents, w.index()));
    }
}

/// Sets the parent if the vertex of `cell` has none, and returns true if it did. If `STORE`, several workers may get
/// true for the same vertex.
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
