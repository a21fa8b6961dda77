//! How a worker claims a vertex for its tree.
//!
//! A vertex is in the tree when it has a parent. Workers may find it at the same time.
//!
//! * By a compare-exchange, exactly one worker gets the vertex. The parents form no cycle: a vertex is claimed by a
//!   worker that visits its parent, so the parent was claimed before it, and each vertex is claimed once.
//! * By a load, a store and a fence after the store, several workers may get the same vertex. All of them visit it, and
//!   the last store decides its parent. The fence orders the claim of a vertex before the loads of its neighbors'
//!   parents. There is no cycle, by the argument in `filch-graph/src/forest/worklist.rs` for batches of one vertex: in
//!   a cycle, each claim would have to come before the one that precedes it, in the total order of the fences.
//! * Without the fence, two workers that claim the two ends of an edge can both read the other end while both claims
//!   are still in store buffers, and then each end is the parent of the other (`crates/filch/models/claims.pml`).
//!
//! (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 5 and figure 5.)

use filch_graph::{AtomicVertex, Vertex};
use std::sync::atomic::{Ordering, fence};

/// A way to claim a vertex.
pub(super) trait Claim: Copy + Send + Sync {
    /// Makes `parent` the parent of the vertex of `cell` if that has none. Returns whether the caller must visit it.
    fn claim<V: Vertex>(cell: &V::Atomic, parent: V) -> bool;
}

/// A load, and a compare-exchange.
#[derive(Clone, Copy)]
pub(super) struct ByExchange;

/// A load, a store, and a fence.
#[derive(Clone, Copy)]
pub(super) struct ByFence;

/// A load and a store, for one worker.
#[derive(Clone, Copy)]
pub(super) struct Alone;

impl Claim for ByExchange {
    #[inline(always)]
    fn claim<V: Vertex>(cell: &V::Atomic, parent: V) -> bool {
        cell.load() == V::NONE && cell.replace(V::NONE, parent)
    }
}

impl Claim for ByFence {
    #[inline(always)]
    fn claim<V: Vertex>(cell: &V::Atomic, parent: V) -> bool {
        if cell.load() != V::NONE {
            return false;
        }
        cell.store(parent);
        fence(Ordering::SeqCst);
        true
    }
}

impl Claim for Alone {
    #[inline(always)]
    fn claim<V: Vertex>(cell: &V::Atomic, parent: V) -> bool {
        if cell.load() != V::NONE {
            return false;
        }
        cell.store(parent);
        true
    }
}
