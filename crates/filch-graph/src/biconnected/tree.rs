//! Subtrees as ranges of numbers, and the edges of the forest that are fences.

use crate::bfs::BfsTree;
use crate::choose::tuning::SHARED;
use crate::graph::Graph;
use crate::sets::Bitmap;
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch, look_at};
use filch_algorithms::{radix_sort_by_key, tabulate};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The vertices from which the edge to the parent is a fence. That of a root is none.
pub(super) fn fences<G: Graph>(graph: &G, search: &BfsTree<G::Vertex>, watch: &dyn Watch) -> Bitmap {
    let (n, parents) = (graph.num_vertices(), &search.parents);
    let levels = Levels::new(search);
    watch.begin(Pass::new("numbering", "vertices", n));
    let ranges = ranges(&levels, parents, watch);

    watch.begin(Pass::new("following", "vertices", n));
    let is_fence = Bitmap::new(n);
    let is_shared = filch::num_workers() > 1;
    // The lowest and the highest number of the vertices to which edges lead from the subtree of each vertex.
    let lowest = tabulate(n, |_| AtomicUsize::new(usize::MAX));
    let highest = tabulate(n, |_| AtomicUsize::new(0));
    levels.for_each_up(
        |v| {
            let (mut low, mut high) =
                (lowest[v.index()].load(Ordering::Relaxed), highest[v.index()].load(Ordering::Relaxed));
            for u in graph.neighbors(v) {
                let number = ranges[u.index()].0.index();
                (low, high) = (low.min(number), high.max(number));
            }
            let parent = parents[v.index()].index();
            if parent == v.index() {
                return;
            }
            if low < lowest[parent].load(Ordering::Relaxed) {
                lowest[parent].fetch_min(low, Ordering::Relaxed);
            }
            if high > highest[parent].load(Ordering::Relaxed) {
                highest[parent].fetch_max(high, Ordering::Relaxed);
            }
            let (first, end) = ranges[parent];
            if low >= first.index() && high < end.index() {
                is_fence.set(v.index(), is_shared);
            }
        },
        watch,
    );
    is_fence
}

/// For each vertex the numbers of the vertices in its subtree, its own first. Subtrees of siblings are in no particular
/// order.
fn ranges<V: Vertex>(levels: &Levels<V>, parents: &[V], watch: &dyn Watch) -> Vec<(V, V)> {
    let n = parents.len();
    let sizes = tabulate(n, |_| AtomicUsize::new(1));
    let size = |v: V| sizes[v.index()].load(Ordering::Relaxed);
    levels.for_each_up(
        |v| {
            let parent = parents[v.index()];
            if parent != v {
                sizes[parent.index()].fetch_add(size(v), Ordering::Relaxed);
            }
        },
        &(),
    );
    // The end of the numbers that have been given to the subtree of each vertex, and to all roots.
    let (ends, all) = (tabulate(n, |_| AtomicUsize::new(0)), AtomicUsize::new(0));
    levels.for_each_down(
        |v| {
            let parent = parents[v.index()];
            let end = if parent == v { &all } else { &ends[parent.index()] };
            let first = end.fetch_add(size(v), Ordering::Relaxed);
            ends[v.index()].store(first + 1, Ordering::Relaxed);
        },
        watch,
    );
    tabulate(n, |v| {
        let end = ends[v].load(Ordering::Relaxed);
        (V::new(end.wrapping_sub(size(V::new(v)))), V::new(end))
    })
}

/// All vertices, by their depths.
struct Levels<V> {
    vertices: Vec<V>,
    /// Where each level begins, and the end.
    starts: Vec<usize>,
    is_shared: bool,
}

impl<V: Vertex> Levels<V> {
    fn new(search: &BfsTree<V>) -> Self {
        let mut vertices = tabulate(search.depths.len(), V::new);
        radix_sort_by_key(&mut vertices, |v| search.depths[v.index()]);
        let mut starts = vec![0];
        starts.extend(search.levels.iter().scan(0, |end, level| {
            *end += level.vertices;
            Some(*end)
        }));
        Levels { vertices, starts, is_shared: filch::num_workers() > 1 }
    }

    /// Calls `body` for each vertex, after all that are deeper.
    fn for_each_up(&self, body: impl Fn(V) + Send + Sync, watch: &dyn Watch) {
        self.starts.windows(2).rev().enumerate().for_each(|(step, ends)| self.level(step, ends, &body, watch));
    }

    /// Calls `body` for each vertex, after all that are less deep.
    fn for_each_down(&self, body: impl Fn(V) + Send + Sync, watch: &dyn Watch) {
        self.starts.windows(2).enumerate().for_each(|(step, ends)| self.level(step, ends, &body, watch));
    }

    #[inline(always)]
    fn level(&self, step: usize, ends: &[usize], body: &(impl Fn(V) + Send + Sync), watch: &dyn Watch) {
        look_at(step);
        let level = &self.vertices[ends[0]..ends[1]];
        if self.is_shared && level.len() >= SHARED {
            filch::for_each(level, |_, &v| body(v));
        } else {
            for (step, &v) in level.iter().enumerate() {
                look_at(step + 1);
                body(v);
            }
        }
        watch.advance(level.len());
    }
}
