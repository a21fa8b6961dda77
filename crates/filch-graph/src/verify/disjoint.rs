//! Disjoint sets with union by rank and path halving (Tarjan and van Leeuwen 1984).

use super::arcs::for_each_arc;
use crate::graph::Graph;
use crate::vertex::Vertex;

/// Disjoint sets of vertices. At first each vertex is a set of its own.
pub(super) struct Disjoint<V> {
    parents: Vec<V>,
    ranks: Vec<u8>,
}

impl<V: Vertex> Disjoint<V> {
    fn new(count: usize) -> Self {
        Disjoint { parents: (0..count).map(V::new).collect(), ranks: vec![0; count] }
    }

    /// The weakly connected components of a graph.
    pub(super) fn of_graph<G: Graph<Vertex = V>>(graph: &G) -> Self {
        let mut sets = Self::new(graph.num_vertices());
        for_each_arc(graph, |u, w| sets.unite(u, w));
        sets
    }

    /// The representative of the set of `v`.
    pub(super) fn find(&mut self, mut v: usize) -> usize {
        loop {
            let parent = self.parents[v].index();
            let grandparent = self.parents[parent];
            if grandparent.index() == parent {
                return parent;
            }
            self.parents[v] = grandparent;
            v = grandparent.index();
        }
    }

    fn unite(&mut self, u: usize, w: usize) {
        let (u, w) = (self.find(u), self.find(w));
        if u == w {
            return;
        }
        let (low, high) = if self.ranks[u] < self.ranks[w] { (u, w) } else { (w, u) };
        self.parents[low] = V::new(high);
        if self.ranks[low] == self.ranks[high] {
            self.ranks[high] += 1; // at most log2 n times
        }
    }

    /// For each vertex the smallest member of its set.
    pub(super) fn smallest_members(mut self) -> Vec<V> {
        let mut smallest = vec![V::NONE; self.parents.len()];
        for v in 0..smallest.len() {
            let root = self.find(v);
            if smallest[root] == V::NONE {
                smallest[root] = V::new(v); // vertices come in ascending order
            }
        }
        (0..smallest.len()).map(|v| smallest[self.find(v)]).collect()
    }
}
