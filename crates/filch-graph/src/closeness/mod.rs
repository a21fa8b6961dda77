//! Closeness and harmonic centrality: how near a vertex is to all from which paths lead to it.
//!
//! Closeness is the number of these vertices divided by the sum of their distances (Bavelas 1950; Freeman 1978,
//! "Centrality in social networks: conceptual clarification"). Harmonic centrality is the sum of the reciprocals of the
//! distances (Boldi and Vigna 2014, "Axioms for centrality"). As in networkx, distances are those to the vertex; in a
//! symmetric graph they are the same in both directions. Arcs have no lengths.
//!
//! Up to 64 searches share a pass over the arcs, with a bit for each of them at every vertex (Then et al. 2014, "The
//! more the merrier: efficient multi-source graph traversal"). All that is needed of a search are the sizes of its
//! levels, so the results are the same on any number of workers and under every schedule.

// Modules: `result`; `serial` is independent. The searches are in `sets`. May import: `Graph`, `sets` and arrays, not
// other algorithms, builders or readers.

mod result;
mod serial;

pub use result::{Distances, Sums};
pub use serial::serial;

use crate::graph::Graph;
use crate::sets::{MOST, Many, Visit, ones};
use crate::vertex::Vertex;
use crate::watch::{Pass, Watch};
use filch_algorithms::tabulate;

/// A computation of closeness and harmonic centrality, as a builder.
#[derive(Clone, Copy)]
pub struct Closeness<'w> {
    watch: &'w dyn Watch,
}

impl Default for Closeness<'_> {
    fn default() -> Self {
        Closeness { watch: &() }
    }
}

/// The distances to each vertex of `graph`, summed up, as [`Closeness::run`] finds them.
///
/// ```
/// use filch_graph::Csr;
/// use filch_graph::closeness::closeness;
///
/// let graph: Csr = Csr::builder(4).symmetrize(true).build(vec![(0, 1), (0, 2), (0, 3)])?;
/// let found = closeness(&graph);
/// assert_eq!(found.closeness(), [1.0, 0.6, 0.6, 0.6]);
/// assert_eq!(found.harmonic(), [3.0, 2.0, 2.0, 2.0]);
/// # Ok::<(), filch_graph::BuildError>(())
/// ```
///
/// # Panics
///
/// Panics if the global pool is needed and cannot be started; see [`filch::run`].
pub fn closeness<G: Graph>(graph: &G) -> Distances<G::Vertex> {
    Closeness::new().run(graph)
}

impl<'w> Closeness<'w> {
    /// A computation without a watch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports progress to `watch`: one pass over the vertices whose centrality is computed.
    #[must_use]
    pub fn watch(self, watch: &'w dyn Watch) -> Self {
        Closeness { watch }
    }

    /// The distances to each vertex of `graph`, summed up.
    ///
    /// Work: O(n (n + m)) at most. For each batch of 64 vertices, the arcs that lead to a vertex are followed as often
    /// as its distances to them differ, at most 64 times and often a few. The batches are done in parallel, each by one
    /// worker. Memory: 24 bytes and two vertices for each vertex and worker; the result has 32 bytes for each vertex.
    ///
    /// # Panics
    ///
    /// Panics if the global pool is needed and cannot be started; see [`filch::run`].
    pub fn run<G: Graph>(self, graph: &G) -> Distances<G::Vertex> {
        self.solve(graph, tabulate(graph.num_vertices(), G::Vertex::new))
    }

    /// The distances to these vertices only. With fewer than 64 for each worker, batches are smaller.
    ///
    /// # Panics
    ///
    /// Panics if one of them is not a vertex of the graph, or as [`run`](Self::run).
    pub fn run_from<G: Graph>(self, graph: &G, vertices: &[G::Vertex]) -> Distances<G::Vertex> {
        let n = graph.num_vertices();
        if let Some(vertex) = vertices.iter().find(|vertex| vertex.index() >= n) {
            panic!("{vertex} is not a vertex: expected a number below {n}");
        }
        self.solve(graph, vertices.to_vec())
    }

    fn solve<G: Graph>(self, graph: &G, vertices: Vec<G::Vertex>) -> Distances<G::Vertex> {
        let n = graph.num_vertices();
        self.watch.begin(Pass::new("searching", "vertices", vertices.len()));
        let mut sums = vec![Sums::default(); vertices.len()];
        let size = vertices.len().div_ceil(filch::num_workers()).clamp(1, MOST);
        let batches = (filch::chunks(&vertices, size), filch::chunks_mut(&mut sums, size));
        filch::for_each_with(
            || Many::new(n),
            batches,
            |_, search, (vertices, sums)| {
                search.run::<G, true>(graph, vertices, &mut Levels { counts: [0; MOST], sums });
                self.watch.advance(vertices.len());
            },
        );
        Distances::new(n, vertices, sums)
    }
}

/// The number of vertices of the current level, for each search, and the sums of the levels before.
struct Levels<'s> {
    counts: [usize; MOST],
    sums: &'s mut [Sums],
}

impl<V> Visit<V> for Levels<'_> {
    #[inline(always)]
    fn reach(&mut self, _: u64, _: V, searches: u64) {
        ones(searches).for_each(|search| self.counts[search] += 1);
    }

    fn end_level(&mut self, distance: u64) {
        // At distance 0 there is the vertex itself.
        for (sums, count) in self.sums.iter_mut().zip(&self.counts).filter(|_| distance > 0) {
            sums.vertices += count;
            sums.total += distance * *count as u64;
            sums.harmonic += *count as f64 / distance as f64;
        }
        self.counts = [0; MOST];
    }
}
