//! Disjoint sets of vertices as trees: the union-find of the crate.
//!
//! The cell of a vertex has a vertex farther up in its tree, or the vertex itself if it is a root. All accesses are
//! relaxed, and the end of a loop or a call orders them. While several workers link:
//!
//! - Only a root is hooked to another tree, by a compare-exchange, and a vertex that is no root never becomes one. So
//!   two workers cannot both hook a root, and each successful hook joins two sets.
//! - The larger root is hooked to the smaller one, so a cell never has a larger vertex than its own. There is no
//!   circle, and in the end the root of a set is its smallest vertex, whatever the schedule (Dhulipala, Hong and Shun
//!   2020, "ConnectIt: a framework for static and incremental parallel graph connectivity algorithms", section 3.2).
//! - A walk makes each vertex on its way point two steps farther up (path halving). It stores only to cells of vertices
//!   that are no roots, and what it stores was above the vertex when it was read, so it still is.
//!
//! [`Trees::hook`] hooks a root in one of these ways or another without a compare-exchange, where the caller knows that
//! nobody else does.

use super::{Bitmap, ones};
use crate::choose::tuning::AHEAD;
use crate::prefetch::prefetch;
use crate::vertex::{AtomicVertex, Vertex};
use filch_algorithms::tabulate;

/// Disjoint sets of vertices.
pub(crate) struct Trees<V: Vertex> {
    cells: Vec<V::Atomic>,
    /// Whether several workers may link at the same time.
    is_shared: bool,
}

impl<V: Vertex> Trees<V> {
    /// Each of `n` vertices is a set of its own. Work: O(n), in parallel.
    pub(crate) fn new(n: usize) -> Self {
        Trees::of(tabulate(n, |v| V::Atomic::new(V::new(v))))
    }

    /// The sets of labels: the label of a vertex is a vertex of its set, and not larger than the vertex.
    pub(crate) fn of(cells: Vec<V::Atomic>) -> Self {
        Trees { cells, is_shared: filch::num_workers() > 1 }
    }

    /// The same sets in the pool in which this is called.
    pub(crate) fn refresh(&mut self) {
        self.is_shared = filch::num_workers() > 1;
    }

    pub(crate) fn into_vertices(self) -> Vec<V> {
        AtomicVertex::into_vertices(self.cells)
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds vertices, each of which is a set of its own, up to a number of `n`. Work: O(1) for each of them.
    pub(crate) fn grow(&mut self, n: usize) {
        self.cells.extend((self.cells.len()..n).map(|v| V::Atomic::new(V::new(v))));
    }

    #[inline(always)]
    pub(crate) fn above(&self, v: V) -> V {
        self.cells[v.index()].load()
    }

    /// A hint that the set of `v` will be asked for soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, v: V) {
        prefetch(&self.cells, v.index());
    }

    /// Hooks a root to another vertex. No other worker may do so at the same time.
    #[inline(always)]
    pub(crate) fn hook(&self, root: V, to: V) {
        self.cells[root.index()].store(to);
    }

    /// Merges the sets of `u` and `v`. Returns whether there were two.
    #[inline(always)]
    pub(crate) fn link(&self, u: V, v: V) -> bool {
        let (mut a, mut b) = (self.above(u), self.above(v));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            let above = self.above(high);
            if above == high {
                if !self.is_shared {
                    self.hook(high, low);
                    return true;
                }
                if self.cells[high.index()].replace(high, low) {
                    return true;
                }
            } else if above == low {
                return false;
            }
            // Both ends go up, and the higher one shortens its path.
            let farther = self.above(self.above(high));
            self.cells[high.index()].store(farther);
            (a, b) = (farther, self.above(low));
        }
        false
    }

    /// Makes a vertex point one step farther up. Returns false if that was at the root already.
    #[inline(always)]
    pub(crate) fn shorten(&self, v: V) -> bool {
        let above = self.above(v);
        let farther = self.above(above);
        if farther != above {
            self.cells[v.index()].store(farther);
        }
        farther != above
    }

    /// The root of the tree of `v`, by a walk.
    #[inline(always)]
    pub(crate) fn root(&self, mut v: V) -> V {
        while self.shorten(v) {
            v = self.above(v);
        }
        self.above(v)
    }

    /// Makes every vertex point at its root, where roots were hooked to any vertices. In parallel. Work: O(n) times the
    /// binary logarithm of the depth.
    ///
    /// # Panics
    ///
    /// Panics if a wrong graph has made a circle. Some circles become roots instead, and the result is wrong.
    pub(crate) fn flatten_deep(&self) {
        let shorten = |v: usize| self.shorten(V::new(v));
        // Each pass halves the depth.
        for _ in 0..=usize::BITS {
            if !filch::map_reduce(0..self.cells.len(), || false, |_, v| shorten(v), |a, b| a | b) {
                return;
            }
        }
        panic!("a circle of trees: the reverse of an arc has another weight in a graph that is said to be symmetric");
    }

    /// Makes every vertex point at its root, except those that are settled, which do already. In parallel.
    pub(crate) fn flatten(&self, settled: Option<&Bitmap>) {
        self.for_each(settled, |v| {
            if let Some(later) = self.cells.get(v.index() + AHEAD) {
                self.prefetch(later.load());
            }
            let above = self.above(v);
            let root = self.root(above);
            if root != above {
                self.cells[v.index()].store(root);
            }
        });
    }

    /// Calls `body` with each vertex that is not settled, in parallel.
    pub(crate) fn for_each(&self, settled: Option<&Bitmap>, body: impl Fn(V) + Send + Sync) {
        let n = self.cells.len();
        match settled {
            None => filch::for_each(0..n, |_, v| body(V::new(v))),
            Some(settled) => filch::for_each(0..n.div_ceil(64), |_, word| {
                ones(!settled.word(word) & settled.mask(word)).for_each(|bit| body(V::new(word * 64 + bit)));
            }),
        }
    }
}

/// Merges the trees of two vertices in plain cells, those of the vertices from `start` on, of which one worker has all.
/// The larger root is hooked to the smaller one. Returns the root, and whether there were two trees.
#[inline(always)]
pub(crate) fn unite<V: Vertex>(above: &mut [V], start: usize, a: V, b: V) -> (V, bool) {
    let mut root = |mut v: V| loop {
        let next = above[v.index() - start];
        if next == v {
            return v;
        }
        // Halving the path keeps paths short.
        let two_above = above[next.index() - start];
        above[v.index() - start] = two_above;
        v = two_above;
    };
    let (a, b) = (root(a), root(b));
    above[a.max(b).index() - start] = a.min(b);
    (a.min(b), a != b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_that_returns_true_joins_two_sets_and_the_root_is_the_smallest() {
        for workers in [1, 4] {
            let pool = filch::Pool::builder().workers(workers).build().expect("threads start");
            pool.run(|_| {
                let trees = Trees::<u32>::new(1000);
                // Numbers with the same remainder by 7.
                let links = filch::map_reduce(
                    0..10_000_u32,
                    || 0,
                    |_, i| {
                        let (a, b) = (i * 37 % 1000, i * 101 % 1000);
                        usize::from(trees.link(a, a % 7) | (b % 7 == a % 7 && trees.link(a, b)))
                    },
                    |a, b| a + b,
                );
                assert!(links <= 1000 - 7 && (0..1000).all(|v| trees.root(v) == v % 7));
                trees.flatten(None);
                assert!((0..1000).all(|v| trees.above(v) == v % 7));
            });
        }
    }
}
