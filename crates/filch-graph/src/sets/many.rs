//! Up to 64 breadth-first searches at a time, with a bit for each at every vertex (Then et al. 2014, "The more the
//! merrier: efficient multi-source graph traversal").

use crate::graph::Graph;
use crate::vertex::Vertex;
use crate::watch::look_at;

/// Searches in a batch.
pub(crate) const MOST: usize = u64::BITS as usize;

/// What is told of a batch, level by level.
pub(crate) trait Visit<V> {
    /// These searches, a bit for each, have reached `v` at this distance.
    fn reach(&mut self, distance: u64, v: V, searches: u64);

    /// No more vertices are at this distance.
    fn end_level(&mut self, distance: u64) {
        let _ = distance;
    }
}

/// What a worker needs for a batch. All bits are 0 and the lists empty before and after.
pub(crate) struct Many<V> {
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

impl<V: Vertex> Many<V> {
    pub(crate) fn new(num_vertices: usize) -> Self {
        let bits = || vec![0; num_vertices];
        let (frontier, reached, all) = (Vec::new(), Vec::new(), Vec::new());
        Many { seen: bits(), fresh: bits(), next: bits(), frontier, reached, all }
    }

    /// Searches from each of at most [`MOST`] vertices, along the arcs, or against them if `INTO`. The vertex itself is
    /// at distance 0.
    pub(crate) fn run<G: Graph<Vertex = V>, const INTO: bool>(
        &mut self,
        graph: &G,
        vertices: &[V],
        visit: &mut impl Visit<V>,
    ) {
        for (bit, v) in vertices.iter().enumerate() {
            self.reach(*v, 1 << bit);
        }
        let mut distance = 0;
        self.complete_level(distance, visit);
        while !self.frontier.is_empty() {
            distance += 1;
            self.follow::<G, INTO>(graph);
            self.complete_level(distance, visit);
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

    /// Reaches what is next to the frontier, and empties it.
    fn follow<G: Graph<Vertex = V>, const INTO: bool>(&mut self, graph: &G) {
        let mut frontier = std::mem::take(&mut self.frontier);
        for (step, v) in frontier.drain(..).enumerate() {
            look_at(step);
            let searches = std::mem::take(&mut self.fresh[v.index()]);
            let mut reach = |u: V| {
                let new = searches & !self.seen[u.index()];
                if new != 0 {
                    self.reach(u, new);
                }
            };
            if INTO {
                graph.in_neighbors(v).for_each(&mut reach);
            } else {
                graph.neighbors(v).for_each(&mut reach);
            }
        }
        self.frontier = frontier;
    }

    /// Makes what has been reached the frontier, and tells of it.
    fn complete_level(&mut self, distance: u64, visit: &mut impl Visit<V>) {
        for (step, &v) in self.reached.iter().enumerate() {
            look_at(step);
            let new = std::mem::take(&mut self.next[v.index()]);
            if self.seen[v.index()] == 0 {
                self.all.push(v);
            }
            self.seen[v.index()] |= new;
            self.fresh[v.index()] = new;
            visit.reach(distance, v, new);
        }
        visit.end_level(distance);
        std::mem::swap(&mut self.frontier, &mut self.reached);
    }
}
