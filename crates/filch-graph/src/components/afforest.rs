//! Afforest: union-find with sampling.
//!
//! The labels form trees: the label of a vertex is a smaller vertex, or the vertex itself if it is a root. Labels only
//! decrease, and only roots are hooked to other trees, by a compare-exchange. So in the end the root of a component is
//! its smallest vertex, regardless of the schedule (Sutton, Ben-Nun and Barak 2018, "Optimizing parallel graph
//! connectivity computation via subgraph sampling").

use crate::choose::tuning::{AHEAD, ROUNDS, SAMPLES};
use crate::graph::Graph;
use crate::prefetch::prefetch;
use crate::sets::{Bitmap, ones};
use crate::vertex::{AtomicVertex, Vertex};

/// Labels the components of `graph`. Initially the label of each vertex must be the vertex itself. Vertices that are
/// `settled` keep their labels, and must have no arcs to other vertices.
pub(super) fn afforest<G: Graph, const DIRECTED: bool>(
    graph: &G,
    labels: &[<G::Vertex as Vertex>::Atomic],
    settled: Option<&Bitmap>,
) {
    let forest = Forest::<G::Vertex>::new(labels, settled);
    for round in 0..ROUNDS {
        let neighbor = |v: G::Vertex| graph.neighbors(v).nth(round);
        forest.for_each(|v| {
            // The neighbors in random graphs are at random places in memory, so prefetch the rows first, and then the
            // labels of the neighbors.
            if let Some(later) = forest.after(v, 2 * AHEAD) {
                graph.prefetch_neighbors(later);
            }
            if let Some(u) = forest.after(v, AHEAD).and_then(neighbor) {
                prefetch(labels, u.index());
            }
            if let Some(u) = neighbor(v) {
                forest.link(u, v);
            }
        });
        forest.compress();
    }
    // A vertex that gets this label during the loop may be left out, too. Each arc is either followed from one of its
    // ends, or both ends have this label already.
    let largest = forest.largest();
    forest.for_each(|v| {
        if Some(forest.label(v)) == largest {
            return;
        }
        graph.neighbors(v).skip(ROUNDS).for_each(|u| forest.link(u, v));
        if DIRECTED {
            graph.in_neighbors(v).for_each(|u| forest.link(u, v));
        }
    });
    forest.compress();
}

/// The trees of labels.
pub(super) struct Forest<'l, V: Vertex> {
    labels: &'l [V::Atomic],
    settled: Option<&'l Bitmap>,
    is_shared: bool,
}

impl<'l, V: Vertex> Forest<'l, V> {
    pub(super) fn new(labels: &'l [V::Atomic], settled: Option<&'l Bitmap>) -> Self {
        Forest { labels, settled, is_shared: filch::num_workers() > 1 }
    }

    /// Calls `body` with each vertex that is not settled, in parallel.
    fn for_each(&self, body: impl Fn(V) + Send + Sync) {
        let n = self.labels.len();
        match self.settled {
            None => filch::for_each(0..n, |_, v| body(V::new(v))),
            Some(settled) => filch::for_each(0..n.div_ceil(64), |_, word| {
                ones(!settled.word(word) & settled.mask(word)).for_each(|bit| body(V::new(word * 64 + bit)));
            }),
        }
    }

    /// The vertex `ahead` positions after `v`, if there is one.
    #[inline(always)]
    fn after(&self, v: V, ahead: usize) -> Option<V> {
        let index = v.index() + ahead;
        (index < self.labels.len()).then(|| V::new(index))
    }

    #[inline(always)]
    pub(super) fn label(&self, v: V) -> V {
        self.labels[v.index()].load()
    }

    /// Merges the trees of `u` and `v`.
    #[inline(always)]
    pub(super) fn link(&self, u: V, v: V) {
        let (mut a, mut b) = (self.label(u), self.label(v));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            let above = self.label(high);
            if above == low || above == high && self.hook(high, low) {
                return;
            }
            a = self.label(self.label(high));
            b = self.label(low);
        }
    }

    /// Hooks `root` to a smaller vertex. Returns false if it is no longer a root.
    #[inline(always)]
    fn hook(&self, root: V, low: V) -> bool {
        let cell = &self.labels[root.index()];
        if self.is_shared {
            return cell.replace(root, low);
        }
        cell.store(low);
        true
    }

    /// Sets the label of each vertex to its root.
    pub(super) fn compress(&self) {
        self.for_each(|v| {
            if let Some(later) = self.after(v, AHEAD) {
                prefetch(self.labels, self.label(later).index());
            }
            let mut label = self.label(v);
            let mut above = self.label(label);
            if label == above {
                return;
            }
            while label != above {
                label = above;
                above = self.label(label);
            }
            self.labels[v.index()].store(label);
        });
    }

    /// The most frequent label in a sample of the vertices that are not settled, or `None` if the sample is empty.
    fn largest(&self) -> Option<V> {
        let n = self.labels.len();
        let is_settled = |v: usize| self.settled.is_some_and(|settled| settled.get(v));
        let mut drawn: Vec<V> = Vec::with_capacity(SAMPLES);
        let step = (n / SAMPLES).max(1);
        drawn.extend((0..n).step_by(step).filter(|&v| !is_settled(v)).map(|v| self.labels[v].load()));
        drawn.sort_unstable();
        drawn.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }
}
