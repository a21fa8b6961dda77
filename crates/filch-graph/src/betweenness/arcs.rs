//! Numbers for each arc.

use super::numbers::Numbers;
use crate::graph::Graph;
use crate::vertex::Vertex;
use filch_algorithms::{flatten, radix_sort_by_key, tabulate};
use std::ops::Range;

/// A sum for each arc, in the order of the rows.
///
/// In a loop, one worker adds to the arcs of a vertex. Sums are relaxed, and the end of the loop orders them.
pub(super) struct Arcs {
    offsets: Vec<usize>,
    sums: Numbers,
}

impl Arcs {
    pub(super) fn new<G: Graph>(graph: &G) -> Self {
        let mut offsets = Vec::with_capacity(graph.num_vertices() + 1);
        offsets.push(0);
        // They are counted: by its degrees a graph that lies could make this ask for any amount of memory.
        let lens = tabulate(graph.num_vertices(), |v| graph.neighbors(G::Vertex::new(v)).count());
        offsets.extend(lens.iter().scan(0, |end, len| {
            *end += len;
            Some(*end)
        }));
        let sums = Numbers::new(offsets[offsets.len() - 1]);
        Arcs { offsets, sums }
    }

    /// Sums of 0 for the same arcs.
    pub(super) fn zeros(&self) -> Self {
        Arcs { offsets: self.offsets.clone(), sums: Numbers::new(self.len()) }
    }

    fn len(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    fn row(&self, v: usize) -> Range<usize> {
        self.offsets[v]..self.offsets[v + 1]
    }

    /// Adds to the sum of an arc of `v`.
    ///
    /// # Panics
    ///
    /// Panics if the row has become longer.
    #[inline(always)]
    pub(super) fn add(&self, v: impl Vertex, at: usize, more: f64) {
        let row = self.row(v.index());
        assert!(at < row.len(), "vertex {v} has more neighbors than the {} that it had before", row.len());
        self.sums.add(row.start + at, more, false);
    }

    /// Adds other sums of the same arcs, in their order, and makes those 0. In parallel.
    pub(super) fn take_from(&self, others: &[Arcs]) {
        filch::for_each(0..self.len(), |_, arc| {
            // A search adds to few of all arcs.
            for Arcs { sums, .. } in others.iter().filter(|other| other.sums.get(arc) != 0.0) {
                self.sums.add(arc, sums.get(arc), false);
                sums.set(arc, 0.0);
            }
        });
    }

    /// The sums times `factor`. In a symmetric graph, those of an arc and its reverse are added up. `ranked` has the
    /// arcs of a vertex with the ranks of their weights.
    pub(super) fn scores<G, R, I>(
        self,
        graph: &G,
        ranked: impl Fn(G::Vertex) -> I + Send + Sync,
        sources: Vec<G::Vertex>,
        factor: f64,
    ) -> EdgeScores<G::Vertex>
    where
        G: Graph,
        R: Copy + Ord + Send + Sync,
        I: Iterator<Item = (G::Vertex, R)>,
    {
        if graph.is_symmetric() {
            self.add_reverses(graph.num_vertices(), ranked);
        }
        let scores = tabulate(self.len(), |arc| factor * self.sums.get(arc));
        EdgeScores { scores, offsets: self.offsets, sources, factor }
    }

    /// Makes the sum of each arc that of it and its reverse.
    fn add_reverses<V, R, I>(&self, num_vertices: usize, ranked: impl Fn(V) -> I + Send + Sync)
    where
        V: Vertex,
        R: Copy + Ord + Send + Sync,
        I: Iterator<Item = (V, R)>,
    {
        // The arcs between `v` and vertices that `other` wants, in the order of those and of the weights.
        let row = |v: usize, other: fn(&usize, &usize) -> bool| {
            let arcs = ranked(V::new(v)).zip(self.row(v)).map(|((w, rank), arc)| (w, rank, arc));
            let mut arcs: Vec<_> = arcs.filter(|arc| other(&arc.0.index(), &v)).collect();
            if !arcs.is_sorted() {
                arcs.sort_unstable();
            }
            arcs
        };
        // The arcs to smaller vertices, by these. Then they are in the order of the arcs in the other direction.
        let mut down = flatten(tabulate(num_vertices, |w| {
            let arcs = row(w, usize::lt).into_iter();
            arcs.map(|(v, rank, arc)| (v, (V::new(w), rank), arc)).collect()
        }));
        radix_sort_by_key(&mut down, |arc| arc.0.index());
        filch::for_each(0..num_vertices, |_, v| {
            let mut down = &down[down.partition_point(|arc| arc.0.index() < v)..];
            // Parallel arcs of the same weight have the same sums. Only one of several weights is on shortest paths.
            for up in row(v, usize::gt).chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let key = (V::new(v), (up[0].0, up[0].1));
                down = &down[down.iter().take_while(|arc| (arc.0, arc.1) < key).count()..];
                let reverse = &down[..down.iter().take_while(|arc| (arc.0, arc.1) == key).count()];
                if let Some(first) = reverse.first() {
                    let sum = self.sums.get(up[0].2) + self.sums.get(first.2);
                    let arcs = up.iter().map(|arc| arc.2).chain(reverse.iter().map(|arc| arc.2));
                    arcs.for_each(|arc| self.sums.set(arc, sum));
                }
            }
        });
    }
}

/// The betweenness of all edges.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeScores<V> {
    /// The betweenness of each arc, in the order of the vertices that they leave and of the neighbors of these. In a
    /// symmetric graph, both arcs of an edge have that of the edge.
    pub scores: Vec<f64>,
    offsets: Vec<usize>,
    /// The sources.
    pub sources: Vec<V>,
    /// What the sum of the dependencies of the sources on an edge was multiplied by.
    pub factor: f64,
}

impl<V: Vertex> EdgeScores<V> {
    /// The betweenness of the arcs that leave `v`, in the order of its neighbors.
    ///
    /// # Panics
    ///
    /// Panics if `v` is not a vertex of the graph.
    pub fn of(&self, v: V) -> &[f64] {
        &self.scores[self.offsets[v.index()]..self.offsets[v.index() + 1]]
    }
}
