//! Numbers for each arc.

use super::numbers::Numbers;
use crate::graph::Graph;
use crate::vertex::Vertex;
use filch_algorithms::{flatten, tabulate};
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
        Arcs { offsets: self.offsets.clone(), sums: Numbers::new(self.offsets[self.offsets.len() - 1]) }
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

    /// Adds other sums of the same arcs, and makes those 0. In parallel.
    pub(super) fn take_from(&self, other: &Arcs) {
        filch::for_each(0..self.offsets[self.offsets.len() - 1], |_, arc| {
            self.sums.add(arc, other.sums.get(arc), false);
            other.sums.set(arc, 0.0);
        });
    }

    /// The sums times `factor`. In a symmetric graph, those of an arc and its reverse are added up. `ranks` has the
    /// arcs of each row with the ranks of their weights.
    pub(super) fn scores<G: Graph, I: Iterator<Item = (G::Vertex, u64)>>(
        self,
        graph: &G,
        ranks: impl Fn(G::Vertex) -> I + Send + Sync,
        sources: Vec<G::Vertex>,
        factor: f64,
    ) -> EdgeScores<G::Vertex> {
        let n = graph.num_vertices();
        let arcs = |v: usize| ranks(G::Vertex::new(v)).zip(self.row(v)).map(|(to, arc)| (to, self.sums.get(arc)));
        let rows: Vec<Vec<f64>> = if graph.is_symmetric() {
            // Parallel arcs of the same weight have the same sums. Only one of several weights is on shortest paths.
            let sorted = tabulate(n, |v| {
                let mut row: Vec<_> = arcs(v).collect();
                row.sort_unstable_by_key(|arc| arc.0);
                row
            });
            let back = |(w, rank): (G::Vertex, u64), v: usize| {
                let (row, to) = (&sorted[w.index()], (G::Vertex::new(v), rank));
                row.binary_search_by_key(&to, |arc| arc.0).map_or(0.0, |at| row[at].1)
            };
            tabulate(n, |v| arcs(v).map(|(to, sum)| factor * (sum + back(to, v))).collect())
        } else {
            tabulate(n, |v| arcs(v).map(|(_, sum)| factor * sum).collect())
        };
        EdgeScores { scores: flatten(rows), offsets: self.offsets, sources, factor }
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
