//! A batch of searches against the arcs, with a bit for each.

use super::result::Sums;
use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// Searches in a batch.
pub(super) const MOST: usize = u64::BITS as usize;

/// What a worker needs for a batch. All bits are 0 and the lists empty before and after.
pub(super) struct Search<V> {
    /// The searches that have reached a vertex.
    seen: Vec<u64>,
    /// Those that have reached it in the current level.
    fresh: Vec<u64>,
    /// Those that may reach it in the next level.
    next: Vec<u64>,
    /// All vertices with fresh bits.
    frontier: Vec<V>,
    /// All vertices with next bits.
    reached: Vec<V>,
    /// All vertices that have been seen.
    all: Vec<V>,
}

impl<V: Vertex> Search<V> {
    pub(super) fn new(num_vertices: usize) -> Self {
        let bits = || vec![0; num_vertices];
        let (frontier, reached, all) = (Vec::new(), Vec::new(), Vec::new());
        Search { seen: bits(), fresh: bits(), next: bits(), frontier, reached, all }
    }

    /// Adds to the sums of at most [`MOST`] vertices what searches from them find.
    pub(super) fn run<G: Graph<Vertex = V>>(&mut self, graph: &G, vertices: &[V], sums: &mut [Sums]) {
        let mut counts = [0_usize; MOST];
        for (bit, v) in vertices.iter().enumerate() {
            self.reach(*v, 1 << bit);
        }
        self.complete_level(&mut counts);
        let mut distance = 0_u64;
        while !self.frontier.is_empty() {
            distance += 1;
            self.follow(graph);
            counts = [0; MOST];
            self.complete_level(&mut counts);
            for (sums, &count) in sums.iter_mut().zip(&counts) {
                sums.vertices += count;
                sums.total += distance * count as u64;
                sums.harmonic += count as f64 / distance as f64;
            }
        }
        for v in self.all.drain(..) {
            self.seen[v.index()] = 0;
        }
    }

    #[inline(always)]
    fn reach(&mut self, v: V, searches: u64) {
        let next = &mut self.next[v.index()];
        if *next == 0 {
            self.reached.push(v);
        }
        *next |= searches;
    }

    /// Reaches what is before the frontier, and empties it.
    fn follow<G: Graph<Vertex = V>>(&mut self, graph: &G) {
        let mut frontier = std::mem::take(&mut self.frontier);
        for (step, v) in frontier.drain(..).enumerate() {
            look_at(step);
            let searches = std::mem::take(&mut self.fresh[v.index()]);
            for u in graph.in_neighbors(v) {
                let new = searches & !self.seen[u.index()];
                if new != 0 {
                    self.reach(u, new);
                }
            }
        }
        self.frontier = frontier;
    }

    /// Makes what has been reached the frontier, and counts the vertices for each search.
    fn complete_level(&mut self, counts: &mut [usize; MOST]) {
        for (step, &v) in self.reached.iter().enumerate() {
            look_at(step);
            let new = std::mem::take(&mut self.next[v.index()]);
            if self.seen[v.index()] == 0 {
                self.all.push(v);
            }
            self.seen[v.index()] |= new;
            self.fresh[v.index()] = new;
            let mut left = new;
            while left != 0 {
                counts[left.trailing_zeros() as usize] += 1;
                left &= left - 1;
            }
        }
        std::mem::swap(&mut self.frontier, &mut self.reached);
    }
}
