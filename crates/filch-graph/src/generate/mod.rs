//! Generates graphs: the families used in the papers and in common benchmarks.
//!
//! A graph depends on its specification and its seed, but not on the number of workers, because random numbers
//! ([`splitmix`](crate::splitmix)) and shuffled labels ([`permutation`]) are computed from positions. Families with a
//! formula for their neighbors are written row by row ([`lattices`]). The others are built from edges ([`random`],
//! [`geometric`]).

// Modules, from the bottom up: `shape`, `error`, `size`, `spec` and `parse` (specifications),
// `permutation`, `relabeling`, then `lattices`, `random` and `geometric`. May import: `build`, `Csr` and what is below
// them, not the readers, writers and algorithms.

mod error;
mod geometric;
mod lattices;
mod parse;
mod permutation;
mod random;
mod relabeling;
mod shape;
mod size;
mod spec;

pub use error::GenerateError;
pub use parse::ParseSpecError;
pub use shape::Shape;
pub use spec::{GraphSpec, Labels};

use crate::build::{self, BuildError, Rules};
use crate::csr::Csr;
use crate::splitmix::SplitMix;
use crate::vertex::Vertex;
use crate::watch::Watch;
use permutation::Permutation;
use random::Quadrants;
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
        let n = self.shape.num_vertices()?;
        let num_draws = self.shape.num_draws(n)?;
        let copies = if self.is_twice { 2 } else { 1 };
        let num_vertices = n.checked_mul(copies).ok_or(GenerateError::TooLarge { shape: self.shape })?;
        if num_vertices > V::MAX_COUNT {
            return Err(BuildError::TooManyVertices { num_vertices, max: V::MAX_COUNT }.into());
        }
        // Fail now if there is not enough memory, not after drawing and counting all edges.
        build::with_room::<(V, V)>(2 * num_draws)?;
        let shuffled = |len: usize| Permutation::new(len, SplitMix::new(seed, FOR_LABELS));
        let relabeling = match self.labels {
            Labels::RowOrder => Relabeling::Keep,
            Labels::Shuffled => Relabeling::Shuffle(shuffled(num_vertices)),
            Labels::Reversed => Relabeling::Reverse(num_vertices),
        };
        let draws = SplitMix::new(seed, FOR_EDGES);
        let rows = match self.shape {
            Shape::Random { vertices, picks, bits } => {
                let edges = random::picked(vertices, picks, bits, num_draws, draws);
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            Shape::Gnm { vertices, edges } => {
                let pairs = Permutation::new(vertices * (vertices - 1) / 2, draws);
                build::rows_of(n, &random::pairs(vertices, edges, pairs), Rules::SIMPLE, watch)?
            }
            Shape::Geometric { vertices, neighbors } => {
                let labels = if self.is_twice { Relabeling::Keep } else { relabeling };
                let edges = geometric::nearest(vertices, neighbors, draws, labels, watch)?;
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            Shape::Uniform { .. } => {
                let edges = random::uniform(n, num_draws, draws);
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            Shape::Kronecker { scale, .. } => {
                let (shape, labels) = ((scale, num_draws), Relabeling::Shuffle(shuffled(n)));
                let edges = random::recursive(shape, Quadrants::GRAPH_500, draws, labels, watch)?;
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            Shape::Rmat { scale, .. } => {
                let shape = (scale, num_draws);
                let edges = random::recursive(shape, Quadrants::PBBS, draws, Relabeling::Keep, watch)?;
                build::rows_of(n, &edges, Rules::SIMPLE, watch)?
            }
            shape => {
                let labels = if self.is_twice { Relabeling::Keep } else { relabeling };
                lattices::rows(n, shape, labels, draws, watch)?
            }
        };
        if self.is_twice {
            return Ok(Csr::from_rows(lattices::twice(&rows, relabeling, watch)?, None));
        }
        Ok(Csr::from_rows(rows, None))
    }
}
