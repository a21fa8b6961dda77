//! When a search ends before everything is reached.

use super::record::Record;
use crate::vertex::Vertex;

/// A depth, or vertices, beyond which nothing is wanted.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a, V> {
    max_depth: u32,
    /// Vertices, the first of which need not be reached.
    targets: &'a [V],
    has_targets: bool,
}

impl<'a, V: Vertex> Goal<'a, V> {
    pub(super) fn new(max_depth: u32, targets: &'a [V]) -> Self {
        Goal { max_depth, targets, has_targets: !targets.is_empty() }
    }

    /// Whether the vertices of this depth, which have been reached, are the last ones that are wanted. The work of all
    /// calls is linear in the number of calls and targets.
    #[inline(always)]
    pub(super) fn is_met(&mut self, record: &impl Record<V>, depth: u32) -> bool {
        depth >= self.max_depth || self.has_targets && self.are_reached(record)
    }

    fn are_reached(&mut self, record: &impl Record<V>) -> bool {
        while let [target, left @ ..] = self.targets {
            if !record.is_reached(target.index()) {
                return false;
            }
            self.targets = left;
        }
        true
    }
}
