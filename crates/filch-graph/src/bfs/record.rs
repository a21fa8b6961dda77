//! What is written for each reached vertex. This also shows which vertices have been reached.

use super::result::UNREACHED;
use crate::parallel_vec::repeated;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicU32, Ordering};

/// Parents, or parents and depths. Several threads may write to the same vertex on the same level. All of them write
/// the same depth, and each writes a valid parent.
pub(super) trait Record<V: Vertex>: Sync {
    /// A record of `n` unreached vertices.
    fn new(n: usize) -> Self;

    fn is_reached(&self, v: usize) -> bool;

    /// A hint that `is_reached` of `v` will be called soon.
    fn prefetch(&self, v: usize);

    /// Writes enough to mark `v` as reached.
    fn reach(&self, v: usize, parent: V);

    /// Writes the rest for a vertex that is marked as reached.
    fn complete(&self, v: usize, depth: u32);

    /// Writes everything if `v` is unreached. Returns true if this call reached it. `is_shared`: other threads may try
    /// the same; then exactly one call returns true.
    fn claim(&self, v: usize, parent: V, depth: u32, is_shared: bool) -> bool;

    /// Returns depths and parents. Those that were not requested are empty.
    fn finish(self) -> (Vec<u32>, Vec<V>);
}

/// The depth of what the level of this depth finds.
#[inline(always)]
pub(super) fn depth_after(depth: usize) -> u32 {
    deeper(u32::try_from(depth).unwrap_or(UNREACHED))
}

/// The next depth.
#[inline(always)]
pub(super) fn deeper(depth: u32) -> u32 {
    let next = depth.saturating_add(1);
    assert!(next != UNREACHED, "a path in this graph is too long: depths have 32 bits");
    next
}

pub(super) struct Parents<V: Vertex>(Vec<V::Atomic>);

impl<V: Vertex> Record<V> for Parents<V> {
    fn new(n: usize) -> Self {
        Parents(repeated(n, || V::Atomic::new(V::NONE)))
    }

    #[inline(always)]
    fn is_reached(&self, v: usize) -> bool {
        self.0[v].load() != V::NONE
    }

    #[inline(always)]
    fn prefetch(&self, v: usize) {
        prefetch(&self.0, v);
    }

    #[inline(always)]
    fn reach(&self, v: usize, parent: V) {
        self.0[v].store(parent);
    }

    #[inline(always)]
    fn complete(&self, _: usize, _: u32) {}

    #[inline(always)]
    fn claim(&self, v: usize, parent: V, _: u32, is_shared: bool) -> bool {
        let cell = &self.0[v];
        if cell.load() != V::NONE {
            return false;
        }
        if is_shared {
            return cell.replace(V::NONE, parent);
        }
        cell.store(parent);
        true
    }

    fn finish(self) -> (Vec<u32>, Vec<V>) {
        (Vec::new(), V::Atomic::into_vertices(self.0))
    }
}

/// The parents show which vertices have been reached.
pub(super) struct Both<V: Vertex> {
    parents: Parents<V>,
    depths: Vec<AtomicU32>,
}

impl<V: Vertex> Record<V> for Both<V> {
    fn new(n: usize) -> Self {
        Both { parents: Parents::new(n), depths: repeated(n, || AtomicU32::new(UNREACHED)) }
    }

    #[inline(always)]
    fn is_reached(&self, v: usize) -> bool {
        self.parents.is_reached(v)
    }

    #[inline(always)]
    fn prefetch(&self, v: usize) {
        self.parents.prefetch(v);
    }

    #[inline(always)]
    fn reach(&self, v: usize, parent: V) {
        self.parents.reach(v, parent);
    }

    #[inline(always)]
    fn complete(&self, v: usize, depth: u32) {
        self.depths[v].store(depth, Ordering::Relaxed);
    }

    #[inline(always)]
    fn claim(&self, v: usize, parent: V, depth: u32, is_shared: bool) -> bool {
        let is_mine = self.parents.claim(v, parent, depth, is_shared);
        if is_mine {
            self.complete(v, depth);
        }
        is_mine
    }

    fn finish(self) -> (Vec<u32>, Vec<V>) {
        (AtomicU32::into_vertices(self.depths), self.parents.finish().1)
    }
}
