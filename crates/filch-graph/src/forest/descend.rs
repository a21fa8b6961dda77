//! Descending: the parent of each vertex is a smaller neighbor. A vertex without one is called a *low*.
//!
//! A parent is smaller than its child, so there is no cycle, regardless of the schedule. This needs neither claims nor
//! barriers: a single pass reads the beginnings of the rows in order. Each low is the root of a tree. If the vertices
//! of a component are numbered by rows or levels, it has one low, and its tree is complete. Otherwise the trees are
//! linked: each vertex is labeled with the low of its tree, and an edge between two trees unites them unless they are
//! already united (one round of Borůvka's contraction). When a tree is attached to another one by its vertex v, the
//! path from v to its low is reversed.

use super::look::{has_neighbor, lower};
use super::union_find::{Trees, collect, hang};
use super::worklist::Cells;
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Builds a spanning forest of the whole graph. Returns the parents and the number of links.
///
/// Work: O(n) and reading the beginnings of the rows, if each component has one low; otherwise O(n + m + k log k) for k
/// lows.
pub(super) fn descend<G: Graph>(graph: &G) -> (Vec<<G::Vertex as Vertex>::Atomic>, usize) {
    let n = graph.num_vertices();
    let parents = filled(n, |v| <G::Vertex as Vertex>::Atomic::new(lower(graph, G::Vertex::new(v))));
    let links = Linker { graph, parents: &parents }.link();
    (parents, links)
}

struct Linker<'g, G: Graph> {
    graph: &'g G,
    parents: &'g Cells<G::Vertex>,
}

impl<G: Graph> Linker<'_, G> {
    fn len(&self) -> usize {
        self.graph.num_vertices()
    }

    /// Links the trees. Returns the number of links.
    fn link(&self) -> usize {
        let lows = self.lows();
        if lows.len() < 2 {
            return 0;
        }
        let labels = self.labels();
        let label = |v: G::Vertex| labels[v.index()].load();
        let trees = Trees::<G::Vertex>::new(labels.len());
        // This may stay above 0, because trees of different components are never linked.
        let to_link = AtomicUsize::new(lows.len() - 1);
        let links = collect(self.len(), |piece, list| {
            if to_link.load(Ordering::Relaxed) == 0 {
                return;
            }
            for v in piece.map(G::Vertex::new) {
                let label_v = label(v);
                let arcs = self.graph.neighbors(v).filter(|&u| u < v);
                list.extend(arcs.filter(|&u| label(u) != label_v && trees.unite(label(u), label_v)).map(|u| (u, v)));
            }
            to_link.fetch_sub(list.len(), Ordering::Relaxed);
        });
        self.hang_trees(&lows, &links.concat(), label)
    }

    fn lows(&self) -> Vec<G::Vertex> {
        let is_low = |&v: &G::Vertex| self.parents[v.index()].load() == v && has_neighbor(self.graph, v);
        collect(self.len(), |piece, list| list.extend(piece.map(G::Vertex::new).filter(is_low))).concat()
    }

    /// For each vertex, the low of its tree.
    fn labels(&self) -> Vec<<G::Vertex as Vertex>::Atomic> {
        let labels: Vec<<G::Vertex as Vertex>::Atomic> =
            filled(self.len(), |v| AtomicVertex::new(self.parents[v].load()));
        filch::for_each(&labels, |_, cell| {
            let mut low = cell.load();
            loop {
                match labels[low.index()].load() {
                    lower if lower == low => break,
                    lower => low = lower,
                }
            }
            cell.store(low);
        });
        labels
    }

    /// Attaches trees to each other along `links`, starting at the smallest low of each component.
    fn hang_trees(
        &self,
        lows: &[G::Vertex],
        links: &[(G::Vertex, G::Vertex)],
        label: impl Fn(G::Vertex) -> G::Vertex,
    ) -> usize {
        let tree = |v: G::Vertex| lows.partition_point(|&low| low < label(v));
        // Each arc has the tree where it starts, the vertex where it starts, and its target.
        let mut arcs: Vec<_> = links.iter().flat_map(|&(u, v)| [(tree(u), u, v), (tree(v), v, u)]).collect();
        arcs.sort_unstable();
        let mut is_hung = vec![false; lows.len()];
        let mut stack = Vec::new();
        for root in 0..lows.len() {
            if is_hung[root] {
                continue;
            }
            is_hung[root] = true;
            stack.push(root);
            while let Some(from) = stack.pop() {
                let first = arcs.partition_point(|arc| arc.0 < from);
                for &(_, above, below) in arcs[first..].iter().take_while(|arc| arc.0 == from) {
                    let to = tree(below);
                    if !is_hung[to] {
                        is_hung[to] = true;
                        hang(self.parents, below, above);
                        stack.push(to);
                    }
                }
            }
        }
        links.len()
    }
}
