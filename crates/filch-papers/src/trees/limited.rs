//! A parallel recursion down to a depth, and a serial traversal with a stack below it: the rival in Yasugi, Hiraishi,
//! Umatani and Yuasa (2012), section 7.3.
//!
//! It needs no lists and no stages, but everything beyond a vertex at the limit is visited by one worker. In two meshes
//! with a single link (figure 13), that is the whole second mesh.

use super::claim::Claim;
use super::grower::{EDGES_IN_A_ROW, Grower, Part};
use super::rows::Rows;
use filch::Strand;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The traversal, and what it counts.
pub(super) struct Limited<'g, R: Rows, C> {
    grower: Grower<'g, R, C>,
    serial_parts: AtomicUsize,
    largest_serial: AtomicUsize,
}

impl<'g, R: Rows, C: Claim> Limited<'g, R, C> {
    pub(super) fn new(grower: Grower<'g, R, C>) -> Self {
        Limited { grower, serial_parts: AtomicUsize::new(0), largest_serial: AtomicUsize::new(0) }
    }

    /// The number of serial traversals, and the number of vertices that the largest one visited.
    pub(super) fn serial_parts(&self) -> (usize, usize) {
        (self.serial_parts.load(Ordering::Relaxed), self.largest_serial.load(Ordering::Relaxed))
    }

    /// Grows the tree of `root`, which has been claimed.
    pub(super) fn grow(&self, s: Strand<'_>, root: R::Vertex, limit: usize) {
        if limit == 0 { self.serially(root) } else { self.visit(s, self.grower.row(root), limit - 1) }
    }

    fn serially(&self, v: R::Vertex) {
        let visited = self.grower.drain(&mut vec![v]);
        self.serial_parts.fetch_add(1, Ordering::Relaxed);
        self.largest_serial.fetch_max(visited, Ordering::Relaxed);
    }

    fn visit(&self, mut s: Strand<'_>, mut part: Part<R>, below: usize) {
        if part.len > EDGES_IN_A_ROW {
            let (lower, upper) = self.grower.halves(part);
            s.join(|s| self.visit(s, lower, below), |s| self.visit(s, upper, below));
            return;
        }
        let Some(w) = self.grower.claim_next(&mut part) else { return };
        part = self.grower.open(part);
        let child = |s: Strand<'_>| {
            if below == 0 { self.serially(w) } else { self.visit(s, self.grower.row(w), below - 1) }
        };
        if part.len == 0 {
            return child(s);
        }
        s.join(child, |s| self.visit(s, part, below));
    }
}
