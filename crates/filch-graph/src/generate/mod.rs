//! Generates graphs: the families used in the papers and in common benchmarks.
//!
//! A graph depends on its specification and its seed, but not on the number of workers, because random numbers
//! ([`splitmix`](crate::splitmix)) and shuffled labels ([`permutation`]) are computed from positions. Families with a
//! formula for their neighbors are written row by row ([`lattices`]). The others are built from edges ([`random`],
//! [`geometric`]).

// Modules, from the bottom up: `shape`, `error`, `size`, `spec` and `parse` (specifications),
// `permutation`, `relabeling`, then `lattices`, `random` and `geometric`, then `parts`. May import: `build`, `Csr` and
// what is below them, not the readers, writers and algorithms.

mod error;
mod geometric;
mod lattices;
mod parse;
mod parts;
mod permutation;
mod random;
mod relabeling;
mod shape;
mod size;
mod spec;

pub use error::GenerateError;
pub use parse::ParseSpecError;
pub use parts::EdgeParts;
pub use shape::Shape;
pub use spec::{GraphSpec, Labels};

use crate::build::{self, BuildError, Formula, Parts, Rules};
use crate::csr::{Csr, Rows};
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::Watch;
use permutation::Permutation;
use relabeling::Relabeling;

/// The purposes of random sequences.
const FOR_EDGES: u64 = 1;
const FOR_LABELS: u64 = 2;

impl GraphSpec {
    /// Generates the graph, in parallel. The result depends on the seed, but not on the number of workers.
    ///
    /// Work: O(n + m), and sorting the rows. Memory: that of the graph if it has a formula, and up to three times as
    /// much for random shapes.
    ///
    /// # Errors
    ///
    /// [`GenerateError`]: a number out of range, more vertices than `V` counts, or not enough memory.
    pub fn generate<V: Vertex>(&self, seed: u64) -> Result<Csr<V>, GenerateError> {
        self.generate_watched(seed, &())
    }

    /// Generates the graph as [`generate`](Self::generate) does, and reports progress to `watch`.
    ///
    /// # Errors
    ///
    /// As for [`generate`](Self::generate).
    ///
    /// # Panics
    ///
    /// Panics if `watch` does.
    pub fn generate_watched<V: Vertex>(&self, seed: u64, watch: &dyn Watch) -> Result<Csr<V>, GenerateError> {
        let Sizes { n, num_draws, num_vertices } = self.sizes::<V>()?;
        // Fail now if there is not enough memory, not after drawing and counting all edges.
        build::with_room::<(V, V)>(2 * num_draws)?;
        let relabeling = self.relabeling(num_vertices, seed);
        let draws = SplitMix::new(seed, FOR_EDGES);
        let labels = if self.is_twice { Relabeling::Keep } else { relabeling };
        let rows = match self.shape {
            Shape::Geometric { vertices, neighbors } => {
                let edges = geometric::nearest(vertices, neighbors, draws, labels, watch)?;
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            shape if shape.is_drawn() => {
                random::with_edges(n, shape, draws, shuffled(n, seed), ToRows { n, num_draws, watch })?
            }
            shape => lattices::rows(n, shape, labels, draws, watch)?,
        };
        if self.is_twice {
            return Ok(Csr::from_rows(lattices::twice(&rows, relabeling, watch)?, None));
        }
        Ok(Csr::from_rows(rows, None))
    }

    fn sizes<V: Vertex>(&self) -> Result<Sizes, GenerateError> {
        let n = self.shape.num_vertices()?;
        let num_draws = self.shape.num_draws(n)?;
        let copies = if self.is_twice { 2 } else { 1 };
        let num_vertices = n.checked_mul(copies).ok_or(GenerateError::TooLarge { shape: self.shape })?;
        if num_vertices > V::MAX_COUNT {
            return Err(BuildError::TooManyVertices { num_vertices, max: V::MAX_COUNT }.into());
        }
        Ok(Sizes { n, num_draws, num_vertices })
    }

    fn relabeling(&self, num_vertices: usize, seed: u64) -> Relabeling {
        match self.labels {
            Labels::RowOrder => Relabeling::Keep,
            Labels::Shuffled => Relabeling::Shuffle(shuffled(num_vertices, seed)),
            Labels::Reversed => Relabeling::Reverse(num_vertices),
        }
    }
}

/// The sizes of a graph that can be counted.
struct Sizes {
    /// The number of vertices of the shape.
    n: usize,
    /// The number of edges that are drawn for it.
    num_draws: usize,
    /// The number of vertices of the graph.
    num_vertices: usize,
}

fn shuffled(len: usize, seed: u64) -> Permutation {
    Permutation::new(len, SplitMix::new(seed, FOR_LABELS))
}

struct ToRows<'w> {
    n: usize,
    num_draws: usize,
    watch: &'w dyn Watch,
}

impl<V: Vertex> random::Edges<V> for ToRows<'_> {
    type Made = Result<Rows<V>, BuildError>;

    fn with(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> Self::Made {
        build::rows_of(self.n, &Formula { num_edges: self.num_draws, edge }, Rules::SIMPLE, self.watch)
    }

    fn with_dear(self, edge: impl Fn(usize) -> (V, V) + Send + Sync + 'static) -> Self::Made {
        let listed = Parts::listed(self.num_draws, edge, self.watch)?;
        build::rows_of(self.n, &listed, Rules::SIMPLE, self.watch)
    }
}
