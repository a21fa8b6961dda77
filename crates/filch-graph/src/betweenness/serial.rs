//! The algorithm of Brandes with a queue, and with a heap for weights, serially, as a baseline and a reference for
//! tests. Shares no code with [`Betweenness`](super::Betweenness).

use crate::graph::{Graph, WeightedGraph};
use crate::vertex::Vertex;
use crate::weight::{Distance, Weight};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The sum of the dependencies of `sources` on each vertex (Brandes 2001, algorithm 1), neither scaled nor halved.
///
/// Work: O(n + m) for each source.
///
/// # Panics
///
/// Panics if a source is not a vertex of the graph.
pub fn serial<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Vec<f64> {
    search(graph, sources, |_, _, _| ())
}

/// The sum of the dependencies of `sources` on each arc, in the order of the rows, and in a symmetric graph those on
/// both arcs of each edge, neither scaled nor halved.
///
/// Work: O(n + m) for each source, and at the end O(m log m). Memory: up to 56 bytes for each arc.
///
/// # Panics
///
/// As for [`serial`].
pub fn serial_edges<G: Graph>(graph: &G, sources: &[G::Vertex]) -> Vec<f64> {
    let mut rows = Rows::new(graph, |v| graph.neighbors(v).map(|w| (w, 0)));
    search(graph, sources, |v, at, dependency| rows.add(v, at, dependency));
    rows.sums(graph.is_symmetric())
}

/// The sum of the dependencies of `sources` on each vertex of a graph whose weights are lengths (Brandes 2001, section
/// 3), neither scaled nor halved. Unspecified if a weight is not above 0.
///
/// Work: O((n + m) log m) for each source.
///
/// # Panics
///
/// As for [`serial`].
pub fn serial_weighted<G: WeightedGraph>(graph: &G, sources: &[G::Vertex]) -> Vec<f64> {
    search_weighted(graph, sources, |_, _, _| ())
}

/// The sum of the dependencies of `sources` on each arc of a graph whose weights are lengths: see [`serial_edges`] and
/// [`serial_weighted`].
///
/// # Panics
///
/// As for [`serial`].
pub fn serial_weighted_edges<G: WeightedGraph>(graph: &G, sources: &[G::Vertex]) -> Vec<f64> {
    let length = |weight: G::Weight| weight.after(Distance::ZERO).bits();
    let mut rows = Rows::new(graph, |v| graph.arcs(v).map(move |(w, weight)| (w, length(weight))));
    search_weighted(graph, sources, |v, at, dependency| rows.add(v, at, dependency));
    rows.sums(graph.is_symmetric())
}

/// Calls `on_arc` with a vertex, the place of one of its arcs in its row, and the dependency of a source on that.
fn search<G: Graph>(graph: &G, sources: &[G::Vertex], mut on_arc: impl FnMut(usize, usize, f64)) -> Vec<f64> {
    let n = graph.num_vertices();
    let mut sums = vec![0.0; n];
    let (mut depths, mut paths, mut dependencies) = (vec![usize::MAX; n], vec![0.0; n], vec![0.0; n]);
    let (mut queue, mut stack) = (VecDeque::new(), Vec::with_capacity(n));
    for &source in sources {
        (depths[source.index()], paths[source.index()]) = (0, 1.0);
        queue.push_back(source);
        while let Some(v) = queue.pop_front() {
            stack.push(v);
            for w in graph.neighbors(v) {
                if depths[w.index()] == usize::MAX {
                    depths[w.index()] = depths[v.index()] + 1;
                    queue.push_back(w);
                }
                if depths[w.index()] == depths[v.index()] + 1 {
                    paths[w.index()] += paths[v.index()];
                }
            }
        }
        for &v in stack.iter().rev() {
            for (at, w) in graph.neighbors(v).enumerate() {
                if depths[w.index()] == depths[v.index()] + 1 {
                    let dependency = paths[v.index()] / paths[w.index()] * (1.0 + dependencies[w.index()]);
                    dependencies[v.index()] += dependency;
                    on_arc(v.index(), at, dependency);
                }
            }
            if v != source {
                sums[v.index()] += dependencies[v.index()];
            }
        }
        for v in stack.drain(..) {
            (depths[v.index()], paths[v.index()], dependencies[v.index()]) = (usize::MAX, 0.0, 0.0);
        }
    }
    sums
}

/// The same by weights. Each vertex has a list of the arcs by which shortest paths reach it.
fn search_weighted<G: WeightedGraph>(
    graph: &G,
    sources: &[G::Vertex],
    mut on_arc: impl FnMut(usize, usize, f64),
) -> Vec<f64> {
    let n = graph.num_vertices();
    let unreached = <G::Weight as Weight>::Distance::UNREACHED;
    let (mut sums, mut heap, mut stack) = (vec![0.0; n], BinaryHeap::new(), Vec::with_capacity(n));
    let (mut distances, mut is_settled) = (vec![unreached; n], vec![false; n]);
    let (mut paths, mut dependencies, mut before) = (vec![0.0; n], vec![0.0; n], vec![Vec::new(); n]);
    for &source in sources {
        (distances[source.index()], paths[source.index()]) = (Distance::ZERO, 1.0);
        heap.push(Reverse((distances[source.index()].bits(), source)));
        while let Some(Reverse((bits, v))) = heap.pop() {
            if std::mem::replace(&mut is_settled[v.index()], true) {
                continue;
            }
            stack.push(v);
            for (at, (w, weight)) in graph.arcs(v).enumerate() {
                let (w_index, longer) = (w.index(), weight.after(Distance::of_bits(bits)));
                if longer < distances[w_index] {
                    (distances[w_index], paths[w_index]) = (longer, 0.0);
                    before[w_index].clear();
                    heap.push(Reverse((longer.bits(), w)));
                }
                if longer == distances[w_index] && longer < unreached && !is_settled[w_index] {
                    paths[w_index] += paths[v.index()];
                    before[w_index].push((v.index(), at));
                }
            }
        }
        for w in stack.drain(..).rev() {
            let share = (1.0 + dependencies[w.index()]) / paths[w.index()];
            for (v, at) in before[w.index()].drain(..) {
                dependencies[v] += paths[v] * share;
                on_arc(v, at, paths[v] * share);
            }
            if w != source {
                sums[w.index()] += dependencies[w.index()];
            }
            (distances[w.index()], is_settled[w.index()]) = (unreached, false);
            (paths[w.index()], dependencies[w.index()]) = (0.0, 0.0);
        }
    }
    sums
}

/// For each arc, in the order of the rows: its target, the bits of its length, and a sum.
struct Rows<V>(Vec<Vec<(V, u64, f64)>>);

impl<V: Vertex> Rows<V> {
    fn new<G: Graph<Vertex = V>, I: Iterator<Item = (V, u64)>>(graph: &G, row: impl Fn(V) -> I) -> Self {
        let vertices = (0..graph.num_vertices()).map(V::new);
        Rows(vertices.map(|v| row(v).map(|(w, length)| (w, length, 0.0)).collect()).collect())
    }

    fn add(&mut self, v: usize, at: usize, dependency: f64) {
        self.0[v][at].2 += dependency;
    }

    /// The sums, with those of the reverse arcs of the same length if the graph is symmetric.
    fn sums(self, is_symmetric: bool) -> Vec<f64> {
        let mut into = vec![Vec::new(); if is_symmetric { self.0.len() } else { 0 }];
        for (v, row) in self.0.iter().enumerate().filter(|_| is_symmetric) {
            row.iter().for_each(|&(w, length, sum)| into[w.index()].push((V::new(v), length, sum)));
        }
        let reverse = |v: usize, w: V, length: u64| {
            // In the order of the vertices that the arcs leave. Parallel arcs of the same length have equal sums.
            let into: &[(V, u64, f64)] = into.get(v).map_or(&[], |into| into);
            let mut from_w = into[into.partition_point(|arc| arc.0 < w)..].iter().take_while(|arc| arc.0 == w);
            from_w.find(|arc| arc.1 == length).map_or(0.0, |arc| arc.2)
        };
        let rows = self.0.iter().enumerate();
        rows.flat_map(|(v, row)| row.iter().map(move |arc| (v, arc)))
            .map(|(v, &(w, length, sum))| sum + reverse(v, w, length))
            .collect()
    }
}
