//! Changing the root of a tree.

use super::worklist::Cells;
use crate::vertex::{AtomicVertex, Vertex};

/// Makes `v` the root of its tree by reversing the path from `v` to the root. Work: the depth of `v`.
pub(super) fn make_root<V: Vertex>(parents: &Cells<V>, v: V) {
    hang(parents, v, v);
}

/// Makes `below` the parent of `v`, `v` the parent of its former parent, and so on up to the root.
pub(super) fn hang<V: Vertex>(parents: &Cells<V>, v: V, below: V) {
    let (mut v, mut below) = (v, below);
    loop {
        let above = parents[v.index()].load();
        parents[v.index()].store(below);
        if above == v {
            return;
        }
        (below, v) = (v, above);
    }
}
