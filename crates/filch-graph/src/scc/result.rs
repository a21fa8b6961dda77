//! The result.

use crate::vertex::Vertex;

/// The strongly connected component of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrongComponents<V = u32> {
    pub(super) labels: Vec<V>,
    pub(super) counts: Counts,
}

/// How the vertices were labeled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of vertices in the component that was found by two searches, 0 if they were abandoned.
    pub searched: usize,
    /// The number of vertices that were trimmed.
    pub trimmed: usize,
    /// The number of vertices that were colored.
    pub colored: usize,
    /// The number of rounds of coloring.
    pub rounds: usize,
    /// The number of vertices that were left to Tarjan's algorithm.
    pub serial: usize,
}

impl<V: Vertex> StrongComponents<V> {
    /// For each vertex, the smallest vertex of its component.
    pub fn labels(&self) -> &[V] {
        &self.labels
    }

    /// Converts this into the vector of labels.
    pub fn into_labels(self) -> Vec<V> {
        self.labels
    }

    /// How the vertices were labeled. Unlike the labels, this depends on the schedule.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether there are paths in both directions between `u` and `v`.
    ///
    /// # Panics
    ///
    /// Panics if `u` or `v` is not a vertex of the graph.
    pub fn are_connected(&self, u: V, v: V) -> bool {
        self.labels[u.index()] == self.labels[v.index()]
    }

    /// The number of components. Work: a pass over the labels, in parallel.
    pub fn count(&self) -> usize {
        let is_first = |(v, label): (usize, &V)| usize::from(label.index() == v);
        filch::map_reduce((0_usize.., &self.labels), || 0, |_, item| is_first(item), |a, b| a + b)
    }
}
