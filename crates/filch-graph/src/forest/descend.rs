//! Descending: every vertex has a smaller neighbour for its parent, or is a *low*, without one.
//!
//! Parents are smaller than their children, so there is no cycle, whatever is done at the same time: no claim, no
//! barrier, one pass over the rows in their order, of each no more than its beginning. Each low is the root of a tree.
//! Where vertices are numbered row by row or level by level, a component has one low, and that is all. Else the trees
//! are linked: each vertex gets the label of its low, an edge between two trees unites them unless that has been done
//! (Borůvka's contraction, once), and a tree that is hung into another one by its vertex v has the path from v to its
//! low reversed.

use super::look::{has_neighbor, lower};
use super::union_find::{Trees, collect, hang};
use super::worklist::Cells;
use crate::filled::filled;
use crate::graph::Graph;
use crate::vertex::{AtomicVertex, Vertex};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A spanning forest of the whole graph, and how many links it took.
///
/// Work: O(n) and the rows' beginnings with one low per component; else O(n + m), and k log k for k lows.
pub(super) fn descend<G: Graph>(graph: &G) -> (Vec<<G::Vertex as Vertex>::Atomic>, usize) {
    let n = graph.num_vertices();
    let parents = filled(n, |v| <G::Vertex as Vertex>::Atomic::new(lower(graph, G::Vertex::new(v))));
    let links = Linker { graph, parents: &parents, vertices: None }.link();
    (parents, links)
}

/// The same of some whole components: `vertices`, in ascending order.
pub(super) fn descend_among<G: Graph>(graph: &G, parents: &Cells<G::Vertex>, vertices: &[G::Vertex]) -> usize {
    filch::for_each(vertices, |_, &v| parents[v.index()].store(lower(graph, v)));
    Linker { graph, parents, vertices: Some(vertices) }.link()
}

struct Linker<'g, G: Graph> {
    graph: &'g G,
    parents: &'g Cells<G::Vertex>,
    /// All, if none.
    vertices: Option<&'g [G::Vertex]>,
}

impl<G: Graph> Linker<'_, G> {
    fn len(&self) -> usize {
        self.vertices.map_or(self.graph.num_vertices(), <[_]>::len)
    }

    fn vertex(&self, i: usize) -> G::Vertex {
        self.vertices.map_or_else(|| G::Vertex::new(i), |vertices| vertices[i])
    }

    /// Links the trees; how many links there are.
    fn link(&self) -> usize {
        let lows = self.lows();
        if lows.len() < 2 {
            return 0;
        }
        let labels = self.labels();
        let label = |v: G::Vertex| labels[v.index()].load();
        let trees = Trees::<G::Vertex>::new(labels.len());
        // Trees of different components are never linked, so this may stay above 0.
        let to_link = AtomicUsize::new(lows.len() - 1);
        let links = collect(self.len(), |piece, list| {
            if to_link.load(Ordering::Relaxed) == 0 {
                return;
            }
            for v in piece.map(|i| self.vertex(i)) {
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
        collect(self.len(), |piece, list| list.extend(piece.map(|i| self.vertex(i)).filter(is_low))).concat()
    }

    /// Of each vertex, the low of its tree.
    fn labels(&self) -> Vec<<G::Vertex as Vertex>::Atomic> {
        let n = self.graph.num_vertices();
        let labels: Vec<<G::Vertex as Vertex>::Atomic> = match self.vertices {
            None => filled(n, |v| AtomicVertex::new(self.parents[v].load())),
            Some(vertices) => {
                let labels = filled(n, |v| <G::Vertex as Vertex>::Atomic::new(G::Vertex::new(v)));
                filch::for_each(vertices, |_, v| labels[v.index()].store(self.parents[v.index()].load()));
                labels
            }
        };
        filch::for_each(0..self.len(), |_, i| {
            let cell = &labels[self.vertex(i).index()];
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

    /// Hangs trees into each other along `links`, from the smallest low of each component on.
    fn hang_trees(
        &self,
        lows: &[G::Vertex],
        links: &[(G::Vertex, G::Vertex)],
        label: impl Fn(G::Vertex) -> G::Vertex,
    ) -> usize {
        let tree = |v: G::Vertex| lows.partition_point(|&low| low < label(v));
        // From which tree, from which vertex, to which vertex.
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
